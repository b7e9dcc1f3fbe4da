// A siege for as long as one likes: `npm run siege -- --requests 1000000`. `SEED=… npm run siege` repeats one.
import { parseArgs } from 'node:util';
import { seedOfRun } from '../faults/random.ts';
import { besiege } from './siege.ts';

const { values } = parseArgs({ options: { requests: { type: 'string', default: '100000' } } });
const requests = Number(values.requests);
if (!Number.isSafeInteger(requests) || requests < 1) {
  console.error('--requests: must be a whole number above 0.');
  process.exit(64);
}

const seed = seedOfRun();
console.log(`seed ${seed}`);
const onProgress = (sent: number) => {
  if (sent % 50_000 === 0) console.log(`${sent} sent`);
};
const { sent, seconds, byKind, byEnd, honest, slow, memory, violations } = await besiege({ requests, seed, onProgress });
const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
console.log(`${sent} hostile requests in ${seconds.toFixed(0)} s, ${Math.round(sent / seconds)} a second`);
console.table(byKind);
console.table(byEnd);
console.log(`honest rounds: ${honest.rounds}, the slowest in ${honest.slowestMs.toFixed(0)} ms`);
console.log(`slow clients: ${slow.opened} opened, ${slow.dropped} let go, the last after ${(slow.afterMs / 1000).toFixed(1)} s`);
console.log(`live: ${megabytes(memory.liveBefore)}, afterwards ${megabytes(memory.liveAfter)}`);
console.log(`resident: ${megabytes(memory.residentBefore)}, afterwards ${megabytes(memory.residentAfter)}`);
for (const violation of violations) console.log(violation);
process.exitCode = violations.length > 0 ? 1 : 0;
