// One turn at a time in each conversation, among several processes: in this one by a queue, between them by a lease that is renewed while the turn runs.
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../platform/clock.ts';
import { faultFields, type Log } from '../platform/log.ts';
import type { TurnLeases } from '../storage/turn-leases.ts';
import { makeTurnLock, type TurnLock, TurnLockError, type TurnLockOptions } from './turn-lock.ts';

export interface SharedTurnLockOptions extends TurnLockOptions {
  readonly leases: TurnLeases;
  readonly newId: () => string;
  readonly random: () => number;
  /** For durations; must not stand still while the process does. */
  readonly monotonic: Clock;
  readonly log: Log;
  /** How long a turn is kept for a process that does not renew it, in milliseconds. */
  readonly lease?: number;
}

interface Lease {
  readonly holder: string;
  /** By the monotonic clock, and never later than the database thinks. */
  until: number;
}

/** Between two looks at a turn that another process has, in milliseconds: half of it to one and a half. */
const look = 60;

/**
 * A turn lock over every process on the same database. A process that dies leaves its turn to the next when the lease ends; one that stalls for
 * longer finds its lease gone.
 */
export const makeSharedTurnLock = ({
  leases,
  newId,
  random,
  monotonic,
  log,
  lease: leaseMs = 5_000,
  longestWait = 30_000,
  ...options
}: SharedTurnLockOptions): TurnLock => {
  const local = makeTurnLock({ ...options, longestWait });
  const running = new Set<Lease>();
  let timer: NodeJS.Timeout | undefined;

  /** Asks for more time. Measured from before the asking, so that no lease lasts longer here than in the database. */
  const lengthen = async (held: readonly Lease[]) => {
    const began = monotonic.now();
    const kept = await leases.renew(
      held.map(({ holder }) => holder),
      leaseMs,
    );
    for (const lease of held) if (kept.has(lease.holder)) lease.until = began + leaseMs;
  };
  const renew = async () => {
    try {
      await lengthen([...running]);
    } catch (fault) {
      log.warn({ ...faultFields(fault), component: 'turns' }, 'the turns that are running could not be renewed');
    }
    schedule();
  };
  const schedule = () => {
    clearTimeout(timer);
    timer = running.size > 0 ? setTimeout(() => void renew(), leaseMs / 3) : undefined;
  };

  const take = async (key: string): Promise<Lease> => {
    const holder = newId();
    const end = monotonic.now() + longestWait;
    for (;;) {
      const began = monotonic.now();
      if (await leases.take(key, holder, leaseMs).catch(unavailable)) {
        const lease = { holder, until: began + leaseMs };
        running.add(lease);
        if (running.size === 1) schedule();
        return lease;
      }
      if (began > end) throw new TurnLockError('wait_too_long');
      await delay(look * (0.5 + random()));
    }
  };

  const confirm = async (lease: Lease) => {
    if (monotonic.now() < lease.until) return;
    await lengthen([lease]).catch(unavailable);
    if (monotonic.now() >= lease.until) throw new TurnLockError('lost');
  };

  const release = async (key: string, lease: Lease) => {
    running.delete(lease);
    if (running.size === 0) schedule();
    try {
      await leases.release(key, lease.holder);
    } catch (fault) {
      log.warn({ ...faultFields(fault), component: 'turns' }, 'a turn could not be given back; it runs out by itself');
    }
  };

  return {
    run: (key, work) =>
      local.run(key, async () => {
        const lease = await take(key);
        try {
          return await work({ confirm: () => confirm(lease) });
        } finally {
          await release(key, lease);
        }
      }),
    idle: local.idle,
    get size() {
      return local.size;
    },
  };
};

const unavailable = (cause: unknown): never => {
  throw new TurnLockError('unavailable', { cause });
};
