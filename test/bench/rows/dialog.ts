// A dialog of five turns, each with a card: ours under the turn's lock and with its state on disk, a lookup at the
// service included.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { alternateCosts } from '../alternate.ts';
import type { Bench } from '../line.ts';
import { inParallel } from '../load.ts';
import { openBenchChannel } from '../peers/channel.ts';
import { openBenchService } from '../peers/service.ts';
import { makeUsers } from '../peers/user.ts';
import { costPerUnit, openSide, type Side, withSides } from '../side.ts';

const conversations = 150;
const together = 8;
const floorWords = ['payments', '+12025550147', 'yes', '1', 'yes'];
const ourWords = ['payments', '+12025550147', 'yes', '1', 'cancel'];

export const dialog: Bench = async ({ rounds }) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const [channel, service] = [await openBenchChannel(), await openBenchService()];
  let begun = 0;
  const measure = (side: Side, words: readonly string[]) => async () => {
    const users = makeUsers(side.told.port as number, channel.serviceUrl);
    const first = begun;
    begun += conversations;
    const before = channel.posts;
    const cost = await costPerUnit(side, conversations * words.length, () =>
      inParallel(conversations, together, async (index) => {
        for (const text of words) await users.say(`conversation-${first + index}`, text);
      }),
    );
    await users.close();
    if (channel.posts - before < conversations * words.length) throw new Error('some turns were not answered');
    return cost;
  };
  try {
    const bot = openSide('ours/bot.ts', { service: service.access, settings: { DATA_DIR: dataDir } });
    return await withSides([openSide('floors/stock-waterfall.ts'), bot], async (floor, ours) => {
      const { cpu, elapsed } = await alternateCosts(rounds, {
        floor: measure(floor as Side, floorWords),
        ours: measure(ours as Side, ourWords),
      });
      const what = 'a dialog’s turn, ours durable, against a waterfall with MemoryStorage';
      return [
        { what, unit: 'µs CPU per turn', ...cpu, reach: { ratio: 0.8 } },
        { what: 'the same', unit: 'µs per turn', ...elapsed },
      ];
    });
  } finally {
    await Promise.all([channel.close(), service.close()]);
    rmSync(dataDir, { recursive: true, force: true });
  }
};
