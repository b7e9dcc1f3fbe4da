// A dialog of five turns, each with a card: ours under the turn's lock and with its state on disk, a lookup and the send
// at the service included. Against a waterfall of the SDK that keeps nothing, on its own adapter and on ours.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { alternateCosts } from '../alternate.ts';
import type { Bench, Line } from '../line.ts';
import { inParallel } from '../load.ts';
import { openBenchChannel } from '../peers/channel.ts';
import { openBenchService } from '../peers/service.ts';
import { makeUsers } from '../peers/user.ts';
import { costPerUnit, openSide, type Side, withSides } from '../side.ts';

const conversations = 150;
const together = 8;
const turns = 5;
/** So many rounds before those that count: code that is run once a conversation is compiled late. */
const uncounted = 5;
/** Every conversation is of another number, since a number gets only so many messages. */
const wordsWith = (number: number, last: string) => ['payments', `+1202${String(2_000_000 + number)}`, 'yes', '1', last];

export const dialog: Bench = async ({ rounds }) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const [channel, service] = [await openBenchChannel(), await openBenchService()];
  let begun = 0;
  const measure = (side: Side, last: string) => async () => {
    const users = makeUsers(side.told.port as number, channel.serviceUrl);
    const first = begun;
    begun += conversations;
    const before = channel.posts;
    const cost = await costPerUnit(side, conversations * turns, () =>
      inParallel(conversations, together, async (index) => {
        for (const text of wordsWith(first + index, last)) await users.say(`conversation-${first + index}`, text);
      }),
    );
    await users.close();
    if (channel.posts - before < conversations * turns) throw new Error('some turns were not answered');
    return cost;
  };
  try {
    const floors = [openSide('floors/stock-waterfall.ts'), openSide('ours/echo.ts', { waterfall: true })];
    const bot = openSide('ours/bot.ts', { service: service.access, settings: { DATA_DIR: dataDir } });
    return await withSides([...floors, bot], async (stock, hosted, ours) => {
      const against = async (floor: Side, where: string, ratio: number): Promise<Line[]> => {
        const sides = { floor: measure(floor, 'yes'), ours: measure(ours as Side, 'send') };
        const { cpu, elapsed } = await alternateCosts(rounds, sides, uncounted);
        const what = `a dialog’s turn, ours durable, against a waterfall with MemoryStorage on ${where} adapter`;
        return [
          { what, unit: 'µs CPU per turn', ...cpu, reach: { ratio } },
          { what: 'the same', unit: 'µs per turn', ...elapsed, reach: { ratio } },
        ];
      };
      return [...(await against(stock as Side, 'its own', 0.8)), ...(await against(hosted as Side, 'our', 1.1))];
    });
  } finally {
    await Promise.all([channel.close(), service.close()]);
    rmSync(dataDir, { recursive: true, force: true });
  }
};
