// The process behind a side: loads one module, opens it when told to, and tells what it costs.
import { setTimeout as pause } from 'node:timers/promises';

/** What such a module exports as `open`. */
export type Open = (options: never) => Promise<Opened>;

export interface Opened {
  /** What whoever drives it has to know: ports, for the most part. */
  readonly told?: Readonly<Record<string, unknown>>;
  /** What it can be asked to do besides. */
  readonly orders?: Readonly<Record<string, (given: never) => unknown>>;
  close(): unknown;
}

export interface Memory {
  /** What lives in the heap and beside it, bytes. */
  readonly live: number;
  /** What the operating system has given, bytes. */
  readonly resident: number;
}

/** An answer to the order of that number. */
export interface Word {
  readonly to: number;
  readonly answer?: unknown;
  readonly fault?: string;
}

/** CPU time of all threads so far, microseconds. */
const cpu = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/**
 * As thorough as can be: what a burst left behind is given back to the operating system too, which else happens some
 * time later.
 */
const gc = globalThis.gc as ((options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void) | undefined;

/** Bytes by which memory falls while V8 still gives pages back, in a thread of its own. */
const falling = 2 ** 18;

/** What it takes once its garbage is collected, and the pages that held it are given back. */
const memory = async (): Promise<Memory> => {
  gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  for (let before = Number.POSITIVE_INFINITY, now = process.memoryUsage.rss(); now < before - falling; now = process.memoryUsage.rss()) {
    before = now;
    await pause(200);
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { live: heapUsed + external, resident: rss };
};

const module: { open: (options: unknown) => Promise<Opened> } = await import(new URL(process.argv[2] as string, import.meta.url).href);
let opened: Opened | undefined;

const obey = async (order: string, given: unknown): Promise<unknown> => {
  if (order === 'load') return undefined;
  if (order === 'cpu') return cpu();
  if (order === 'memory') return memory();
  if (order === 'resident') return process.memoryUsage.rss();
  if (order === 'open') {
    opened = await module.open(given);
    return opened.told ?? {};
  }
  if (order === 'close') {
    await opened?.close();
    return undefined;
  }
  const work = opened?.orders?.[order] as ((given: unknown) => unknown) | undefined;
  if (!work) throw new Error('there is no such order');
  return work(given);
};

process.on('message', ({ to, order, given }: { to: number; order: string; given: unknown }) => {
  obey(order, given).then(
    (answer) => process.send?.({ to, answer }),
    (fault) => process.send?.({ to, fault: String(fault?.stack ?? fault) }),
  );
});
process.on('disconnect', () => process.exit());
