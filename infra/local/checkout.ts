import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HoldfastError } from '../errors.js';

/**
 * The directory that holds `package.json`: the same whether this code runs from source or from `dist/`.
 * @throws HoldfastError `HOLDFAST_CHECKOUT_MISSING` when no directory above this file is a package.
 */
export function checkoutRoot(): string {
  let directory = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(directory, 'package.json'))) {
    const parent = dirname(directory);
    if (parent === directory) {
      throw new HoldfastError('No package.json above the installed code: the installation is incomplete.', {
        code: 'HOLDFAST_CHECKOUT_MISSING',
        retryable: false,
      });
    }
    directory = parent;
  }
  return directory;
}

/** Where fetched artifacts live: inside the checkout, ignored by git, shared by all processes of this checkout. */
export function backendCacheDirectory(): string {
  return join(checkoutRoot(), '.cache', 'backend');
}
