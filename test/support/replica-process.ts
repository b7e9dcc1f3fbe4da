// A replica in a separate process, which a test can stop, wake and kill. It claims what it is told to, and tries to
// write on request.
import type { Claim } from '../../src/interactions/interaction.ts';
import { openStorage } from '../../src/storage/index.ts';
import { accepted, intent, succeeded } from './samples.ts';

const [url = '', timing = '', ...ids] = process.argv.slice(2);
const storage = await openStorage(undefined, { url, timing: JSON.parse(timing) });
const held: Claim[] = [];
for (const id of ids) {
  const recorded = await storage.interactions.record(intent(id));
  await storage.interactions.apply(recorded, accepted);
  held.push(recorded);
}
process.on('message', async () => {
  const written = await Promise.all(held.map((one) => storage.interactions.apply(one, succeeded)));
  process.send?.(written.filter(Boolean).length);
});
process.send?.('ready');
