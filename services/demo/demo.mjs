/** `npm run demo`: sets the checkout up, then plays the reference scenario. */
import { fileURLToPath } from 'node:url';
import { setUp } from '../../infra/local/set-up.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
await setUp({ root, say: (text) => process.stderr.write(`holdfast: ${text}\n`) });
await import(new URL('../../dist/services/demo/run-demo.js', import.meta.url).href);
