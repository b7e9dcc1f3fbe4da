// How much one process carries, and three replicas: outcomes per second, conversations at once, and interactions that
// wait, in steps until the slowest of a hundred takes longer than a second.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, Effort, Line } from '../line.ts';
import { inParallel } from '../load.ts';
import { percentile } from '../numbers.ts';
import { type BenchChannel, openBenchChannel } from '../peers/channel.ts';
import { withGround } from '../peers/replicas.ts';
import { type BenchService, openBenchService } from '../peers/service.ts';
import { makeWaiting, settingsOf } from '../peers/waiting.ts';
import { makeWebChats } from '../peers/web-chat.ts';
import { openSide, type Side } from '../side.ts';
import { finish, followed, settle } from './outcomes.ts';

/** A step is the last once this much (ms) is exceeded. */
const tooSlow = 1000;
const conversationsAtOnce = [25, 50, 100, 200, 400, 800, 1600];
const outcomesPerSecond = [50, 100, 200, 400, 600, 800, 1200, 1600, 2400];
/** Of each step. */
const seconds = 4;
/** All that end in these steps. */
const ending = outcomesPerSecond.reduce((sum, perSecond) => sum + perSecond * seconds, 0);
/** How many times the usual number wait. */
const crowds = [3, 10];
const crowdRate = 100;
const replicas = 3;
const words = ['payments', '+12025550147', '1', 'cancel'];

/** Bots that carry something together, with what is around them. */
interface Carriers {
  readonly who: string;
  readonly sides: readonly Side[];
  readonly service: BenchService;
  readonly channel: BenchChannel;
  /** The requests that wait. */
  readonly requests: readonly string[];
}

interface Step {
  readonly p99: number;
  readonly lines: readonly Line[];
}

/** Takes steps until one is too slow. */
const climb = async (steps: readonly number[], take: (step: number) => Promise<Step>): Promise<Line[]> => {
  const lines: Line[] = [];
  for (const step of steps) {
    const taken = await take(step);
    lines.push(...taken.lines);
    if (taken.p99 > tooSlow) break;
  }
  return lines;
};

/** The CPU time of all of them (µs). */
const cpuOf = async (sides: readonly Side[]) => (await Promise.all(sides.map((side) => side.cpu()))).reduce((sum, one) => sum + one, 0);

const endSome = async ({ sides, service, channel }: Carriers, requests: readonly string[], what: string, perSecond: number) => {
  const { took, cpu } = await finish({ cpu: () => cpuOf(sides) }, requests, service, channel, { perSecond, uncounted: perSecond });
  const p99 = percentile(took, 0.99);
  return {
    p99,
    lines: [
      { what: `${what}: until posted, half of them`, unit: 'ms', ours: percentile(took, 0.5) },
      { what: `${what}: until posted, 99 of 100`, unit: 'ms', ours: p99 },
      { what: `${what}: of one`, unit: 'ms CPU', ours: cpu / 1000 },
    ],
  };
};

const outcomesOf = (carriers: Carriers, count: number, say: Effort['say']) => {
  let next = 0;
  return climb(outcomesPerSecond, (perSecond) => {
    const what = `${carriers.who}: ${perSecond} outcomes a second, ${count} waiting`;
    say(what);
    const some = carriers.requests.slice(next, next + perSecond * seconds);
    next += some.length;
    return endSome(carriers, some, what, perSecond);
  });
};

const chatsOf = ({ who, sides }: Carriers, say: Effort['say']) =>
  climb(conversationsAtOnce, async (atOnce) => {
    const what = `${who}: ${atOnce} conversations at once, nobody thinking`;
    say(what);
    const users = sides.map(makeWebChats);
    const took: number[] = [];
    const began = performance.now();
    await inParallel(atOnce, atOnce, async (index) => {
      const chat = await (users[index % users.length] as (typeof users)[0]).begin();
      for (let said = 0; performance.now() - began < seconds * 1000; said += 1) {
        const at = performance.now();
        await chat.say(words[said % words.length] as string);
        took.push(performance.now() - at);
      }
    });
    const perSecond = (took.length * 1000) / (performance.now() - began);
    await Promise.all(users.map((one) => one.close()));
    const p99 = percentile(took, 0.99);
    return {
      p99,
      lines: [
        { what: `${what}: a turn, 99 of 100`, unit: 'ms', ours: p99 },
        { what: `${what}: turns`, unit: 'a second', ours: perSecond },
      ],
    };
  });

/** One process with its own database, for which so many wait, over sockets that they share. */
const withOne = async <Result>(count: number, use: (carriers: Carriers) => Promise<Result>): Promise<Result> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const [channel, service] = [await openBenchChannel(), await openBenchService({ multiplex: true })];
  try {
    const requests = await makeWaiting({ dataDir }, count, service, channel);
    const bot = await openSide('ours/bot.ts', { service: service.access, settings: settingsOf({ dataDir }) });
    try {
      await followed(service, count);
      await settle();
      return await use({ who: 'one process', sides: [bot], service, channel, requests });
    } finally {
      await bot.close();
    }
  } finally {
    await Promise.all([channel.close(), service.close()]);
    rmSync(dataDir, { recursive: true, force: true });
  }
};

/** Replicas on one Postgres, which share what waits. */
const withReplicas = <Result>(count: number, use: (carriers: Carriers) => Promise<Result>): Promise<Result> =>
  withGround(async ({ place, service, channel, bot }) => {
    const requests = await makeWaiting(place, count, service, channel);
    const sides = await Promise.all(Array.from({ length: replicas }, bot));
    try {
      await followed(service, count);
      await settle();
      return await use({ who: `${replicas} replicas`, sides, service, channel, requests });
    } finally {
      await Promise.all(sides.map((side) => side.close()));
    }
  });

/** What a crowd that waits does to the outcomes of a few. */
const crowd = (count: number, say: Effort['say']) => {
  const what = `one process: ${crowdRate} outcomes a second, ${count} waiting`;
  say(what);
  return withOne(count, async (carriers) => {
    const [side] = carriers.sides;
    const before = await side?.resident();
    const { p99, lines } = await endSome(carriers, carriers.requests.slice(0, crowdRate * seconds), what, crowdRate);
    return { p99, lines: [...lines, { what: `${what}: the process`, unit: 'MB', ours: (before ?? 0) / 1e6 }] };
  });
};

export const limits: Bench = async ({ waiting, say }) => {
  const both = async (carriers: Carriers) => [...(await outcomesOf(carriers, waiting, say)), ...(await chatsOf(carriers, say))];
  return [
    ...(await withOne(waiting + ending, both)),
    ...(await climb(
      crowds.map((times) => times * waiting),
      (count) => crowd(count, say),
    )),
    ...(await withReplicas(waiting + ending, both)),
  ];
};
