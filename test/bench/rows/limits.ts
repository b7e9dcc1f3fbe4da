// How much one process carries: conversations at once, and outcomes per second, in steps until the slowest of a hundred
// takes longer than a second.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, Line } from '../line.ts';
import { inParallel } from '../load.ts';
import { percentile } from '../numbers.ts';
import { openBenchChannel } from '../peers/channel.ts';
import { openBenchService } from '../peers/service.ts';
import { makeWaiting, settingsOf } from '../peers/waiting.ts';
import { makeWebChats } from '../peers/web-chat.ts';
import { asManyAsFit } from '../room.ts';
import { openSide, type Side } from '../side.ts';
import { finish, followed, settle } from './outcomes.ts';

/** A step is the last once this much (ms) is exceeded. */
const tooSlow = 1000;
const conversationsAtOnce = [25, 50, 100, 200, 400];
const outcomesPerSecond = [50, 100, 200, 400];
/** Of each step. */
const seconds = 4;
const words = ['payments', '+12025550147', 'yes', '1', 'cancel'];

/** Runs steps until one is too slow. */
const climb = async (steps: readonly number[], take: (step: number) => Promise<{ p99: number; lines: Line[] }>): Promise<Line[]> => {
  const lines: Line[] = [];
  for (const step of steps) {
    const taken = await take(step);
    lines.push(...taken.lines);
    if (taken.p99 > tooSlow) break;
  }
  return lines;
};

const chatting = (side: Side) => async (atOnce: number) => {
  const users = makeWebChats(side);
  const took: number[] = [];
  const began = performance.now();
  await inParallel(atOnce, atOnce, async () => {
    const chat = await users.begin();
    for (let said = 0; performance.now() - began < seconds * 1000; said += 1) {
      const at = performance.now();
      await chat.say(words[said % words.length] as string);
      took.push(performance.now() - at);
    }
  });
  const perSecond = (took.length * 1000) / (performance.now() - began);
  await users.close();
  const p99 = percentile(took, 0.99);
  const what = `${atOnce} conversations at once, nobody thinking`;
  return {
    p99,
    lines: [
      { what: `${what}: a turn, 99 of 100`, unit: 'ms', ours: p99 },
      { what: `${what}: turns`, unit: 'a second', ours: perSecond },
    ],
  };
};

export const limits: Bench = async ({ waiting, say }) => {
  const count = asManyAsFit(waiting, say);
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const [channel, service] = [await openBenchChannel(), await openBenchService()];
  try {
    const requests = await makeWaiting({ dataDir }, count, service, channel);
    const bot = await openSide('ours/bot.ts', { service: service.access, settings: settingsOf({ dataDir }) });
    await followed(service, count);
    await settle();
    let next = 0;
    const outcomes = await climb(outcomesPerSecond, async (perSecond) => {
      say(`${perSecond} outcomes a second`);
      const some = requests.slice(next, next + perSecond * seconds);
      next += some.length;
      const { took, cpu } = await finish(bot, some, service, channel, { perSecond, uncounted: perSecond });
      const p99 = percentile(took, 0.99);
      const what = `${perSecond} outcomes a second, ${count} waiting`;
      return {
        p99,
        lines: [
          { what: `${what}: until posted, 99 of 100`, unit: 'ms', ours: p99 },
          { what: `${what}: of one`, unit: 'ms CPU', ours: cpu / 1000 },
        ],
      };
    });
    const chats = await climb(conversationsAtOnce, (atOnce) => {
      say(`${atOnce} conversations at once`);
      return chatting(bot)(atOnce);
    });
    await bot.close();
    return [...outcomes, ...chats];
  } finally {
    await Promise.all([channel.close(), service.close()]);
    rmSync(dataDir, { recursive: true, force: true });
  }
};
