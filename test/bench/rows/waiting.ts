// Many interactions that wait: what each of them takes, and how long after a start all are watched again. Against bare
// sockets.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, Effort, Line } from '../line.ts';
import { inParallel } from '../load.ts';
import { median } from '../numbers.ts';
import { patiently } from '../patiently.ts';
import { type BenchChannel, openBenchChannel } from '../peers/channel.ts';
import { type BenchService, openBenchService, tokenOf } from '../peers/service.ts';
import { makeUsers } from '../peers/user.ts';
import { makeWaiting, settingsOf } from '../peers/waiting.ts';
import { asManyAsFit } from '../room.ts';
import { loadSide, openSide, type Side } from '../side.ts';
import type { Memory } from '../side-process.ts';

/** What a process with so many waiting came to. */
interface Measured {
  readonly memory: Memory;
  /**
   * Milliseconds from its start until all are watched. Loading its modules, which the bench of starts measures, comes
   * before.
   */
  readonly took: number;
}

const patience = 120_000;
/** CPU time (µs) in half a second. */
const quietly = 100_000;
/**
 * As many wait in the process that memory is compared with: it has all its code and connections, and hardly anything to
 * wait for.
 */
const few = 200;

const allFollowed = (service: BenchService, count: number) =>
  patiently(5, () => service.followed === count, `${count} to be watched`, patience);

const measure = async (service: BenchService, count: number, began: number, side: Side): Promise<Measured> => {
  try {
    await allFollowed(service, count);
    const took = performance.now() - began;
    await settled(side);
    return { took, memory: await side.memory() };
  } finally {
    await side.close();
    await allFollowed(service, 0);
  }
};

const bareSockets = async (service: BenchService, count: number): Promise<Measured> => {
  const tokens = Array.from({ length: count }, (_, index) => tokenOf(`floor-${index}`));
  const side = await openSide('floors/sockets.ts', { url: service.access.wsUrl, tokens });
  const began = performance.now();
  await side.ask('connectMore', count);
  return measure(service, count, began, side);
};

const bot = async (service: BenchService, count: number, dataDir: string): Promise<Measured> => {
  const open = await loadSide('ours/bot.ts');
  const began = performance.now();
  return measure(service, count, began, await open({ service: service.access, settings: settingsOf({ dataDir }) }));
};

/** What was under way when the last one was followed comes to its end. */
const settled = async (side: Side) => {
  let last = await side.cpu();
  const quiet = async () => {
    const now = await side.cpu();
    const used = now - last;
    last = now;
    return used < quietly;
  };
  await patiently(500, quiet, 'it to have nothing to do', patience);
};

const wayOf = (multiplex: boolean) => (multiplex ? 'sharing sockets' : 'a socket each');
/** The kilobytes that one may take. */
const goalOf = (multiplex: boolean) => (multiplex ? 4 : 8);

/** The lines of one way to be followed. */
const measured = async (multiplex: boolean, channel: BenchChannel, count: number, { rounds, say }: Effort): Promise<Line[]> => {
  const folders = [few, count].map(() => mkdtempSync(join(tmpdir(), 'countersign-bench-'))) as [string, string];
  const service = await openBenchService({ multiplex });
  const found = { floor: [] as Measured[], ours: [] as Measured[] };
  const each = { floor: [] as Memory[], ours: [] as Memory[] };
  const perOne = (many: Measured, some: Measured): Memory => ({
    live: (many.memory.live - some.memory.live) / (count - few),
    resident: (many.memory.resident - some.memory.resident) / (count - few),
  });
  try {
    await makeWaiting({ dataDir: folders[0] }, few, service, channel);
    await makeWaiting({ dataDir: folders[1] }, count, service, channel);
    for (let round = 0; round < Math.min(rounds, 3); round += 1) {
      say(`${wayOf(multiplex)}, round ${round + 1}`);
      const floor = await bareSockets(service, count);
      const ours = await bot(service, count, folders[1]);
      found.floor.push(floor);
      found.ours.push(ours);
      each.floor.push(perOne(floor, await bareSockets(service, few)));
      each.ours.push(perOne(ours, await bot(service, few, folders[0])));
    }
  } finally {
    await service.close();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
  const how = wayOf(multiplex);
  const kilobytes = (part: keyof Memory, of: readonly Memory[]) => median(of.map((one) => one[part])) / 1024;
  const both = (part: keyof Memory) => ({ floor: kilobytes(part, each.floor), ours: kilobytes(part, each.ours) });
  const took = (values: readonly Measured[]) => median(values.map((one) => one.took));
  return [
    {
      what: `memory of one of ${count} that wait, ${how}, against bare sockets`,
      unit: 'KB',
      ...both('live'),
      reach: { most: goalOf(multiplex) },
    },
    {
      what: `the same, ${how}, as the operating system counts it, with the pages that starting has left half empty`,
      unit: 'KB',
      ...both('resident'),
    },
    {
      what: `a start until ${count} are watched, ${how}, against connecting bare sockets`,
      unit: 'ms',
      floor: took(found.floor),
      ours: took(found.ours),
      reach: { ratio: 1.3 },
    },
  ];
};

/** So many chats before the first look: by then code is compiled and what is kept of chats has its size. */
const before = 400;
/** So many wait since their send, of which each takes five turns to bring about. */
const live = 1000;

/** What one that waits since its send takes, in the process that sent it and has not been started again since. */
const sinceTheirSend = async (multiplex: boolean, channel: BenchChannel, { say }: Effort): Promise<Line> => {
  const how = wayOf(multiplex);
  say(`${live} since their send, ${how}`);
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const service = await openBenchService({ multiplex });
  const side = await openSide('ours/bot.ts', { service: service.access, settings: settingsOf({ dataDir }) });
  const users = makeUsers(side.told.port as number, channel.serviceUrl);
  const converse = async (index: number) => {
    const words = ['payments', `+1202555${String(index).padStart(4, '0')}`, 'yes', '1'];
    for (const text of words) await users.say(`live-${index}`, text);
  };
  const withSoMany = async (from: number, to: number) => {
    await inParallel(to - from, 8, (index) => converse(from + index));
    await allFollowed(service, to);
    await settled(side);
    return (await side.memory()).live;
  };
  try {
    const few = await withSoMany(0, before);
    const many = await withSoMany(before, before + live);
    const what = `live memory of one of ${live} that wait since their send, ${how}`;
    return { what, unit: 'KB', ours: (many - few) / live / 1024, reach: { most: goalOf(multiplex) } };
  } finally {
    await users.close();
    await side.close();
    await service.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
};

export const waiting: Bench = async (effort) => {
  const count = asManyAsFit(effort.waiting, effort.say);
  const channel = await openBenchChannel();
  try {
    return [
      ...(await measured(false, channel, count, effort)),
      ...(await measured(true, channel, count, effort)),
      await sinceTheirSend(false, channel, effort),
      await sinceTheirSend(true, channel, effort),
    ];
  } finally {
    await channel.close();
  }
};
