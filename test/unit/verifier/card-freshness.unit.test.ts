import { describe, expect, test } from '@jest/globals';
import {
  cacheHeadersOf,
  conditionsOf,
  freshUntil,
  renewedHeaders,
  type CacheHeaders,
} from '../../../infra/http/card-freshness.js';

const RECEIVED = Date.UTC(2026, 0, 1, 12);
const at = (seconds: number): string => new Date(RECEIVED + seconds * 1_000).toUTCString();

describe('how long a card is fresh (R7)', () => {
  test.each<[string, CacheHeaders, number]>([
    ['nothing is said: the default', {}, 300],
    ['an ETag alone says nothing', { etag: '"1"' }, 300],
    ['Last-Modified alone is no lifetime', { 'last-modified': at(-100_000) }, 300],
    ['s-maxage speaks to others', { 'cache-control': 's-maxage=10' }, 300],
    ['must-revalidate says what to do later', { 'cache-control': 'public, must-revalidate' }, 300],
    ['the default is of the answer, not of its arrival', { age: '100' }, 200],
    ['older than the default', { age: '1000' }, 0],
    ['max-age', { 'cache-control': 'public, max-age=3600' }, 3600],
    ['max-age in another case, quoted', { 'cache-control': 'Max-Age="60"' }, 60],
    ['max-age less Age', { 'cache-control': 'max-age=60', age: '20' }, 40],
    ['Age beyond max-age: expired', { 'cache-control': 'max-age=60', age: '61' }, 0],
    ['max-age of nothing', { 'cache-control': 'max-age=0' }, 0],
    ['max-age before Expires', { 'cache-control': 'max-age=60', expires: at(10), date: at(0) }, 60],
    ['max-age before s-maxage', { 'cache-control': 's-maxage=10, max-age=60' }, 60],
    ['no-cache', { 'cache-control': 'no-cache, max-age=60' }, 0],
    ['no-store', { 'cache-control': 'no-store' }, 0],
    ['Pragma, where nothing else is said', { pragma: 'no-cache' }, 0],
    ['private: we are', { 'cache-control': 'private, max-age=60' }, 60],
    ['Expires', { expires: at(90), date: at(0) }, 90],
    ['Expires in the past', { expires: at(-90), date: at(0) }, 0],
    ['Expires that is no date', { expires: '0' }, 0],
    ['what may be served stale is not fresh', { 'cache-control': 'max-age=5, stale-while-revalidate=600' }, 5],
    ['nor what may be in case of errors', { 'cache-control': 'max-age=5, stale-if-error=600' }, 5],
  ])('should be told by the answer: %s', (_, headers, seconds) => {
    expect(freshUntil(headers, RECEIVED, 300_000) - RECEIVED).toBe(seconds * 1_000);
  });

  test('should keep of the headers what matters, and no lists', () => {
    const headers = { etag: 'W/"1"', 'cache-control': 'max-age=1', 'set-cookie': ['a', 'b'], server: 'x' };

    expect(cacheHeadersOf(headers)).toStrictEqual({ 'cache-control': 'max-age=1', etag: 'W/"1"' });
  });
});

describe('a card that is confirmed (304)', () => {
  test('should live on by the old headers, less their age, where the answer says nothing', () => {
    const renewed = renewedHeaders({ 'cache-control': 'max-age=60', etag: '"1"', age: '59' }, { date: at(60) });

    expect(renewed).toStrictEqual({ 'cache-control': 'max-age=60', etag: '"1"', date: at(60) });
    expect(freshUntil(renewed, RECEIVED, 300_000) - RECEIVED).toBe(60_000);
  });

  test('should live on by the new ones where it says something', () => {
    const renewed = renewedHeaders({ 'cache-control': 'max-age=60', etag: '"1"' }, { 'cache-control': 'max-age=5' });

    expect(renewed).toStrictEqual({ 'cache-control': 'max-age=5', etag: '"1"' });
  });
});

describe('the conditions under which a card is asked for again', () => {
  test.each([
    ['the tag', { etag: 'W/"1"', 'last-modified': at(0) }, { 'if-none-match': 'W/"1"' }],
    ['the date, where there is no tag', { 'last-modified': at(0) }, { 'if-modified-since': at(0) }],
    ['none', {}, {}],
  ])('should be %s', (_, held, conditions) => {
    expect(conditionsOf(held)).toStrictEqual(conditions);
  });
});
