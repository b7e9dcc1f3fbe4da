// The fault harness for as long as one likes: `npm run soak -- --minutes 30`. `SEED=… npm run soak` begins with that
// seed's schedule.
import { parseArgs } from 'node:util';
import { mochaGlobalSetup, mochaGlobalTeardown } from '../support/with-postgres.ts';
import { backends } from './backends.ts';
import { seedOfRun } from './random.ts';
import { describeRun, run } from './run.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
const minutes = Number(values.minutes);
if (!(minutes > 0)) {
  console.error('--minutes: must be a number above 0.');
  process.exit(64);
}

await mochaGlobalSetup();
const end = performance.now() + minutes * 60_000;
let failed = 0;
for (let seed = seedOfRun(); performance.now() < end; seed += 1) {
  for (const backend of backends) {
    if (performance.now() > end) break;
    // By turns: a good network, a bad one, and both at once with more customers.
    const badness = [0, 0.4, 0.15][seed % 3] as number;
    const result = await run({
      backend,
      seed,
      kills: badness === 0.4 ? 10 : 60,
      badness,
      networkFaults: badness * 400,
      together: badness === 0.15 ? 24 : 10,
      until: end,
    });
    console.log(`${backend.name}: ${describeRun(result)}`);
    for (const { rule, about } of result.violations) console.log(`  ${rule}: ${about}`);
    for (const trouble of result.troubles) console.log(`  ${trouble}`);
    failed += result.violations.length + result.troubles.length;
  }
}
await mochaGlobalTeardown();
process.exitCode = failed > 0 ? 1 : 0;
