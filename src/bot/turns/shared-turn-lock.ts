// One turn at a time in each conversation, across processes: within this one by a queue, between processes by a lease
// that is renewed while the turn runs.

import { faultFields, type Log } from '../../platform/log.ts';
import { monotonicClock } from '../../platform/time/clock.ts';
import { sleep } from '../../platform/time/waits.ts';
import type { TurnLeases } from '../../storage/index.ts';
import { makeTurnLock, type TurnLock, TurnLockError } from './turn-lock.ts';

/** `until`: by the monotonic clock, and never later than in the database. */
type Lease = { readonly holder: string; until: number };

/**
 * Milliseconds between two attempts at a lease that another process holds; with jitter, half to one and a half of this.
 */
const retryEvery = 60;

/**
 * A turn lock for all processes on the same database. If a process dies, its turn is free once the lease ends. A
 * process that stalls for longer than its lease loses it.
 * @param monotonic - measures durations; it must not stop while the process stalls
 * @param leaseMs - how long a turn stays reserved for a process that does not renew its lease
 */
export const makeSharedTurnLock = (
  leases: TurnLeases,
  { newId, random, log }: { readonly newId: () => string; readonly random: () => number; readonly log: Log },
  { monotonic = monotonicClock, leaseMs = 5_000, maxWaitMs = 30_000 } = {},
): TurnLock => {
  const local = makeTurnLock({ maxWaitMs });
  const stop = new AbortController();
  const running = new Set<Lease>();
  let timer: NodeJS.Timeout | undefined;

  /** Renews the lease, counted from before the call, so that no lease lasts longer here than in the database. */
  const extend = async (due: readonly Lease[]) => {
    const began = monotonic.now();
    const kept = await leases.renew(
      due.map(({ holder }) => holder),
      leaseMs,
    );
    for (const lease of due) if (kept.has(lease.holder)) lease.until = began + leaseMs;
  };
  const renew = async () => {
    try {
      await extend([...running]);
    } catch (fault) {
      log.warn({ ...faultFields(fault), component: 'turns' }, 'the leases of running turns could not be renewed');
    }
    schedule();
  };
  const schedule = () => {
    clearTimeout(timer);
    timer = running.size > 0 ? setTimeout(() => void renew(), leaseMs / 3) : undefined;
  };

  const acquire = async (key: string, waitUntil: number): Promise<Lease> => {
    const holder = newId();
    for (;;) {
      const began = monotonic.now();
      if (await leases.take(key, holder, leaseMs).catch(unavailable)) {
        const lease = { holder, until: began + leaseMs };
        running.add(lease);
        if (running.size === 1) schedule();
        return lease;
      }
      if (began > waitUntil) throw new TurnLockError('wait_too_long');
      if (!(await sleep(retryEvery * (0.5 + random()), stop.signal))) throw new TurnLockError('stopping');
    }
  };

  const confirm = async (lease: Lease) => {
    if (monotonic.now() < lease.until) return;
    await extend([lease]).catch(unavailable);
    if (monotonic.now() >= lease.until) throw new TurnLockError('lost');
  };

  const release = async (key: string, lease: Lease) => {
    running.delete(lease);
    if (running.size === 0) schedule();
    try {
      await leases.release(key, lease.holder);
    } catch (fault) {
      log.warn({ ...faultFields(fault), component: 'turns' }, 'a turn lease could not be released; it expires by itself');
    }
  };

  return {
    run: (key, work) => {
      // One limit for both waits: behind turns of this process, and for another process.
      const waitUntil = monotonic.now() + maxWaitMs;
      return local.run(key, async () => {
        const lease = await acquire(key, waitUntil);
        try {
          return await work({ confirm: () => confirm(lease) });
        } finally {
          await release(key, lease);
        }
      });
    },
    idle: async (graceMs) => {
      const over = await local.idle(graceMs);
      if (!over) stop.abort();
      return over;
    },
    get size() {
      return local.size;
    },
  };
};

const unavailable = (cause: unknown): never => {
  throw new TurnLockError('unavailable', { cause });
};
