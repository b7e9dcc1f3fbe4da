// Many interactions that wait: what each of them takes, and how long after a start all are watched again. Against bare sockets.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, Effort, Line } from '../line.ts';
import { median } from '../numbers.ts';
import { patiently } from '../patiently.ts';
import { type BenchChannel, openBenchChannel } from '../peers/channel.ts';
import { type BenchService, openBenchService, tokenOf } from '../peers/service.ts';
import { makeWaiting, type Place, settingsOf } from '../peers/waiting.ts';
import { asManyAsFit } from '../room.ts';
import { openSide, type Side } from '../side.ts';

/** What one side came to. */
interface Measured {
  /** Bytes of each one that waits, as the operating system counts them. */
  readonly bytes: number;
  /** Milliseconds from the start of the process until all are watched. */
  readonly took: number;
}

const patience = 120_000;
/** CPU time (µs) in half a second. */
const quietly = 100_000;

const allFollowed = (service: BenchService, count: number) =>
  patiently(5, () => service.followed === count, `${count} to be watched`, patience);

const bareSockets = async (service: BenchService, count: number): Promise<Measured> => {
  const tokens = Array.from({ length: count }, (_, index) => tokenOf(`floor-${index}`));
  const began = performance.now();
  const side = await openSide('floors/sockets.ts', { url: service.access.wsUrl, tokens });
  try {
    const before = await side.memory();
    await side.ask('connectAll');
    await allFollowed(service, count);
    const took = performance.now() - began;
    return { took, bytes: ((await side.memory()).resident - before.resident) / count };
  } finally {
    await side.close();
  }
};

const ours = async (service: BenchService, count: number, place: Place, empty: number): Promise<Measured> => {
  const began = performance.now();
  const side = await openSide('ours/bot.ts', { service: service.access, settings: settingsOf(place) });
  try {
    await allFollowed(service, count);
    const took = performance.now() - began;
    await settled(side);
    return { took, bytes: ((await side.memory()).resident - empty) / count };
  } finally {
    await side.close();
  }
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
  await patiently(500, quiet, 'the bot to have nothing to do', patience);
};

/** What a bot takes that has nothing to wait for. */
const emptyBot = async (service: BenchService): Promise<number> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const side = await openSide('ours/bot.ts', { service: service.access, settings: { DATA_DIR: dataDir } });
  const { resident } = await side.memory();
  await side.close();
  rmSync(dataDir, { recursive: true, force: true });
  return resident;
};

/** The lines of one way to be followed. */
const measured = async (multiplex: boolean, channel: BenchChannel, count: number, { rounds, say }: Effort): Promise<Line[]> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const service = await openBenchService({ multiplex });
  const floor: Measured[] = [];
  const own: Measured[] = [];
  try {
    await makeWaiting({ dataDir }, count, service, channel);
    for (let round = 0; round < Math.min(rounds, 3); round += 1) {
      say(`${multiplex ? 'shared sockets' : 'a socket each'}, round ${round + 1}`);
      const empty = await emptyBot(service);
      floor.push(await bareSockets(service, count));
      own.push(await ours(service, count, { dataDir }, empty));
    }
  } finally {
    await service.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
  const how = multiplex ? 'where the service lets sockets be shared' : 'a socket each';
  const kilobytes = (values: readonly Measured[]) => median(values.map(({ bytes }) => bytes)) / 1024;
  const took = (values: readonly Measured[]) => median(values.map((one) => one.took));
  return [
    {
      what: `memory of one of ${count} that wait, ${how}, against bare sockets`,
      unit: 'KB',
      floor: kilobytes(floor),
      ours: kilobytes(own),
      reach: { most: multiplex ? 4 : 16 },
    },
    {
      what: `a start until ${count} are watched, ${how}, against connecting bare sockets`,
      unit: 'ms',
      floor: took(floor),
      ours: took(own),
      reach: { ratio: 1.5 },
    },
  ];
};

export const waiting: Bench = async (effort) => {
  const count = asManyAsFit(effort.waiting, effort.say);
  const channel = await openBenchChannel();
  try {
    return [...(await measured(false, channel, count, effort)), ...(await measured(true, channel, count, effort))];
  } finally {
    await channel.close();
  }
};
