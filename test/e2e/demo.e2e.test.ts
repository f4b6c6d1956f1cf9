import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { checkoutRoot } from '../../infra/local/checkout.js';

const play = (
  ...flags: readonly string[]
): Promise<{ readonly code: number | null; readonly told: string; readonly said: string }> =>
  new Promise((resolve) => {
    const script = join(checkoutRoot(), 'dist', 'services', 'demo', 'run-demo.js');
    const child = spawn(process.execPath, [script, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
    let told = '';
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (told += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.once('close', (code) => {
      resolve({ code, told, said });
    });
  });

const checks = (told: string): readonly string[] => told.split('\n').filter((line) => /^ {2}[✓✗]/.test(line));

describe('the reference scenario', () => {
  test('should hold in every variant, told without a warning', async () => {
    const { code, told, said } = await play();

    expect(checks(told).filter((line) => line.includes('✗'))).toStrictEqual([]);
    expect(checks(told)).toHaveLength(1 + 11 + 12 + 12);
    expect(said).toBe('');
    expect(code).toBe(0);
  }, 300_000);

  test('should not hold without recovery', async () => {
    const { code, told } = await play('--recovery', 'off');

    expect(checks(told).some((line) => line.includes('✗ redispatched to nobody'))).toBe(true);
    expect(told).toContain('Not all of it held');
    expect(code).toBe(1);
  }, 300_000);
});
