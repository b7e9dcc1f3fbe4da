// Returns memory to the operating system after a burst. V8 collects garbage when it needs room, and an idle process
// needs none: it would keep the memory of a start or a rush of chats for hours (decision 0145).
import { errorBoundary } from './error-boundary.ts';
import { faultFields, type Log } from './log.ts';

/** Measurements, and how memory is returned. */
export interface SpareMemoryParts {
  /** CPU time of the process so far, microseconds. */
  readonly cpu: () => number;
  /** Bytes of memory that the process occupies. */
  readonly resident: () => number;
  /** Returns as much memory as possible. */
  readonly collect: () => Promise<void>;
}

/** Milliseconds between two measurements. */
export const lookEvery = 2_000;
/** The process must be idle at this many measurements in a row: collecting blocks it for about a tenth of a second. */
const idleLooks = 3;
/** The share of one processor below which a process is idle: ten thousand open sockets take less. */
const idleShare = 0.1;
/** Growth (bytes) since the last collection that justifies another. */
const worthwhile = 32 * 2 ** 20;
/**
 * Growth (bytes) that justifies a collection soon after the last. The little that an idle process does fills the
 * returned memory again within seconds; collecting it over and over would delay requests for nothing.
 */
const worthwhileSoon = 96 * 2 ** 20;
const soonLooks = (5 * 60_000) / lookEvery;

const ofThisProcess: SpareMemoryParts = {
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  resident: process.memoryUsage.rss,
  // What V8 does when it lacks memory (chromedevtools.github.io/devtools-protocol, HeapProfiler.collectGarbage). The
  // process opens the session to itself; no port is opened.
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

/** Watches this process from now on, without keeping it alive. */
export const spareMemory = (log: Log, { cpu, resident, collect }: SpareMemoryParts = ofThisProcess): void => {
  let used = cpu();
  let idle = 0;
  let left = 0;
  /** Measurements since the last collection. */
  let since = 0;
  const look = async () => {
    const now = cpu();
    idle = now - used < idleShare * lookEvery * 1000 ? idle + 1 : 0;
    used = now;
    since += 1;
    const enough = left > 0 && since < soonLooks ? worthwhileSoon : worthwhile;
    if (idle < idleLooks || resident() < left + enough) return;
    since = 0;
    await collect();
    left = resident();
  };
  // Node may be built without its inspector, or not be permitted to use it.
  const failed = (fault: unknown) => {
    log.debug({ ...faultFields(fault), component: 'memory' }, 'memory cannot be given back');
    clearInterval(timer);
  };
  const timer = setInterval(errorBoundary(look, failed), lookEvery).unref();
};
