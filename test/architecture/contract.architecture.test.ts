import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../../../', import.meta.url));

test('should hold golden frames and a contract that are up to date ("npm run contract")', () => {
  const { status, stderr } = spawnSync(process.execPath, ['test/foreign/write-contract.mjs', '--check'], { cwd: root });

  expect({ status, stderr: stderr.toString() }).toStrictEqual({ status: 0, stderr: '' });
});
