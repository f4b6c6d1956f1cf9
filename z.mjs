import { TopologyTestDriver } from './dist/infra/memory/topology-test-driver.js';
import { inMemorySerdes } from './dist/infra/registry/avro-codec.js';
import { ledgerTopology } from './dist/topology/ledger.topology.js';
import { TASK_EVENTS, AGENTS } from './dist/topology/topics.js';
import { agent } from './dist/test/kit/decider-kit/agents.js';
import { dispatched, wrote } from './dist/test/kit/decider-kit/builders.js';
import { recordKey } from './dist/topology/kit/record-key.js';
const N = Number(process.argv[2]);
const d = new TopologyTestDriver(ledgerTopology, { partitions: 1, serdes: inMemorySerdes() });
for (const r of agent('w1')) await d.pipeGlobal(r);
const key = recordKey(undefined, 'c-1');
await d.pipe(TASK_EVENTS, key, dispatched('w1'));
let t = performance.now();
for (let i = 0; i < N; i++) { const a=[TASK_EVENTS, key, wrote('w1', 't-1', { artifactId: `a-${i}`, digest: `d-${i}`, lastChunk: true }), {headers: {ce_id: `${i}`, ce_source: 's'}}]; if (process.argv[3]) await d.pipe(...a); else d.append(...a); }
if(process.argv[3]) {} else await d.settle();
console.log(N, 'batch', ((performance.now() - t)/1000).toFixed(1), 's');
