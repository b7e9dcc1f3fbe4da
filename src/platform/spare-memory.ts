// Gives memory back once a burst is over. V8 collects when it needs room, and a process that has nothing to do needs
// none: what a start or a rush of chats left behind would be kept for hours (decision 0145).
import { faultFields, type Log } from './log.ts';

/** What is measured, and what is done about it. */
export interface SpareMemoryParts {
  /** CPU time of the process so far, microseconds. */
  readonly cpu: () => number;
  /** Bytes that the operating system has given it. */
  readonly resident: () => number;
  /** Gives back what it can. */
  readonly collect: () => Promise<void>;
}

/** Milliseconds between two looks. */
export const lookEvery = 2_000;
/** So many looks in a row must find nothing to do, since collecting holds everything up for about a tenth of a second. */
const idleLooks = 3;
/** The share of one processor below which there is nothing to do: ten thousand open sockets take less. */
const idleShare = 0.1;
/** Growth (bytes) since the last time that is worth it. */
const worthwhile = 32 * 2 ** 20;
/**
 * Growth that is worth it so soon after the last time. What little a process does while it waits fills what was given
 * back within seconds; collecting that again and again would hold up whoever comes next, for nothing.
 */
const worthwhileSoon = 96 * 2 ** 20;
const soonLooks = (5 * 60_000) / lookEvery;

const ofThisProcess: SpareMemoryParts = {
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  resident: process.memoryUsage.rss,
  // V8's own answer to a lack of memory (chromedevtools.github.io/devtools-protocol, HeapProfiler.collectGarbage). The
  // session is of this process with itself; nothing listens.
  collect: async () => {
    const { Session } = await import('node:inspector/promises');
    const session = new Session();
    session.connect();
    try {
      await session.post('HeapProfiler.collectGarbage');
    } finally {
      session.disconnect();
    }
  },
};

/** Watches this process from now on. It keeps no process alive. */
export const spareMemory = (log: Log, { cpu, resident, collect }: SpareMemoryParts = ofThisProcess): void => {
  let used = cpu();
  let idle = 0;
  let left = 0;
  /** Looks since the last time. */
  let since = 0;
  const look = async () => {
    const now = cpu();
    idle = now - used < idleShare * lookEvery * 1000 ? idle + 1 : 0;
    used = now;
    since += 1;
    const enough = left > 0 && since < soonLooks ? worthwhileSoon : worthwhile;
    if (idle < idleLooks || resident() < left + enough) return;
    since = 0;
    try {
      await collect();
      left = resident();
    } catch (fault) {
      // Node may be built without its inspector, or not be permitted to use it.
      log.debug({ ...faultFields(fault), component: 'memory' }, 'memory cannot be given back');
      clearInterval(timer);
    }
  };
  const timer = setInterval(() => void look(), lookEvery).unref();
};
