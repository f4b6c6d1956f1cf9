import CachePolicy from 'http-cache-semantics';

/** The headers of an answer that say how long it may be used, and by what it is asked for again. Names in lower case. */
export type CacheHeaders = Readonly<Partial<Record<CacheHeader, string>>>;
type CacheHeader = (typeof CACHE_HEADERS)[number];

const CACHE_HEADERS = ['age', 'cache-control', 'date', 'etag', 'expires', 'last-modified', 'pragma', 'vary'] as const;

/** Those of an answer that matter here; everything else is dropped. */
export const cacheHeadersOf = (
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): CacheHeaders =>
  Object.fromEntries(
    CACHE_HEADERS.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );

/**
 * What is held after a 304: its headers replace those of the answer that it confirms (RFC 9111 section 3.2). Age and date
 * are those of the answer they came with and go with it.
 */
export const renewedHeaders = ({ age: _, date: __, ...held }: CacheHeaders, confirmed: CacheHeaders): CacheHeaders => ({
  ...held,
  ...confirmed,
});

/**
 * Until when a card may be used without asking again, ms (R7): by RFC 9111 as a private cache reads it, and for
 * `defaultTtlMs`, less its age, where the answer says nothing. A guess from `Last-Modified` is not made: the rule's default
 * is the heuristic that section 4.2.2 leaves open. What a cache may serve stale is not fresh.
 */
export const freshUntil = (headers: CacheHeaders, receivedAt: number, defaultTtlMs: number): number => {
  // Directives are case-insensitive; the parser below is not.
  const control = headers['cache-control']?.toLowerCase();
  const asDefault = `${control === undefined ? '' : `${control}, `}max-age=${defaultTtlMs / 1_000}`;
  const folded: CacheHeaders = { ...headers, ...(control === undefined ? {} : { 'cache-control': control }) };
  const said = saysLifetime(folded) ? folded : { ...folded, 'cache-control': asDefault };
  const policy = new CachePolicy({ method: 'GET', url: '/', headers: {} }, { status: 200, headers: said }, OPTIONS);
  return receivedAt + Math.max(0, Math.round((policy.maxAge() - ageOf(headers)) * 1_000));
};

/** Age at arrival, s. `CachePolicy.age` adds how long its object has existed, which is nothing here. */
const ageOf = ({ age = '' }: CacheHeaders): number => (/^\d+$/.test(age) ? Number(age) : 0);

const OPTIONS = { shared: false, cacheHeuristic: 0 } as const;

/** `s-maxage` speaks to shared caches only; `must-revalidate` and the like say what to do later, not when. */
const saysLifetime = ({ 'cache-control': control, expires, pragma }: CacheHeaders): boolean =>
  expires !== undefined ||
  /(^|[\s,])(max-age|no-cache|no-store)\b/.test(control ?? '') ||
  (control === undefined && /no-cache/i.test(pragma ?? ''));

/** What a request for the same card carries, so that an unchanged one is answered by 304. */
export const conditionsOf = ({
  etag,
  'last-modified': modified,
}: CacheHeaders): Readonly<Partial<Record<'if-none-match' | 'if-modified-since', string>>> => {
  if (etag !== undefined) return { 'if-none-match': etag };
  return modified === undefined ? {} : { 'if-modified-since': modified };
};
