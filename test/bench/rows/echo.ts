// An echo through `POST /api/messages`, its reply posted to a local connector: what the way in and out costs.
import { alternateCosts } from '../alternate.ts';
import type { Bench } from '../line.ts';
import { inParallel } from '../load.ts';
import { openBenchChannel } from '../peers/channel.ts';
import { makeUsers } from '../peers/user.ts';
import { costPerUnit, openSide, type Side, withSides } from '../side.ts';

const turns = 1500;
const together = 8;
const conversations = 100;

/** Our echo against the one in `floor`. */
const against =
  (floor: string, what: string, ratio: number): Bench =>
  async ({ rounds }) => {
    const channel = await openBenchChannel();
    try {
      return await withSides([openSide(floor), openSide('ours/echo.ts')], async (low, own) => {
        const measure = (side: Side) => async () => {
          const users = makeUsers(side.told.port as number, channel.serviceUrl);
          const before = channel.posts;
          const cost = await costPerUnit(side, turns, () =>
            inParallel(turns, together, (index) => users.say(`conversation-${index % conversations}`, 'Hello')),
          );
          await users.close();
          if (channel.posts - before !== turns) throw new Error(`${channel.posts - before} of ${turns} turns were answered`);
          return cost;
        };
        const { cpu, elapsed } = await alternateCosts(rounds, { floor: measure(low as Side), ours: measure(own as Side) });
        return [
          { what, unit: 'µs CPU per turn', ...cpu, reach: { ratio } },
          { what: 'the same', unit: 'µs per turn', ...elapsed },
        ];
      });
    } finally {
      await channel.close();
    }
  };

export const echo = against('floors/stock-echo.ts', 'an echo, against the SDK’s own CloudAdapter', 0.45);
export const echoPlain = against('floors/plain-echo.ts', 'an echo, against restify and undici without an SDK', 2);
