// One turn at a time in each conversation, in order of arrival, within this process.
import { withTimeout } from '../../platform/time/waits.ts';

/**
 * A turn could not begin: too many wait already (`queue_full`), it waited too long (`timeout`), this process is
 * stopping, or the lock's holder is unknown (`unavailable`). Or it lost the lock (`lost`): the process stalled for
 * so long that another may have taken it.
 */
export class TurnLockError extends Error {
  override readonly name = 'TurnLockError';
  readonly code: 'lost' | 'queue_full' | 'stopping' | 'unavailable' | 'wait_too_long';
  constructor(code: TurnLockError['code'], options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}

/** A turn's lease on its conversation. */
export interface TurnLease {
  /**
   * Resolves while the lease holds. Call it before any effect that must not coincide with another turn.
   * @throws {TurnLockError} `lost`, or `unavailable` if that cannot be found out.
   */
  confirm(): Promise<void>;
}

export interface TurnLock {
  /**
   * Runs the work once all earlier work under the same key is over, successful or not. Never call it from inside work
   * under the same key.
   * @throws {TurnLockError} without running the work; otherwise whatever the work throws.
   */
  run<Result>(key: string, work: (lease: TurnLease) => Promise<Result>): Promise<Result>;
  /**
   * Resolves to whether all work is over, once none runs or waits, or after `graceMs`. From then on the process is
   * stopping: work that still waits for another process is refused.
   */
  idle(graceMs: number): Promise<boolean>;
  /** Keys with current work. */
  readonly size: number;
}

/** Within one process a turn cannot be lost. */
const always: TurnLease = { confirm: async () => {} };

/**
 * A turn lock for the turns of this process.
 * @param how - the most that may wait behind the running one, and the longest wait
 */
export const makeTurnLock = ({ maxWaiting = 32, maxWaitMs = 30_000 } = {}): TurnLock => {
  /** Waiting work, by key; running work has left the queue. */
  const queues = new Map<string, (() => void)[]>();
  const idleListeners = new Set<() => void>();

  const enter = (key: string): Promise<void> => {
    const queue = queues.get(key);
    if (!queue) {
      queues.set(key, []);
      return Promise.resolve();
    }
    if (queue.length >= maxWaiting) return Promise.reject(new TurnLockError('queue_full'));
    return new Promise((resolve, reject) => {
      const admit = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(admit), 1);
        reject(new TurnLockError('wait_too_long'));
      }, maxWaitMs);
      queue.push(admit);
    });
  };

  const leave = (key: string) => {
    const next = queues.get(key)?.shift();
    if (next) return next();
    queues.delete(key);
    if (queues.size === 0) for (const onIdle of idleListeners) onIdle();
  };

  return {
    run: async (key, work) => {
      await enter(key);
      try {
        return await work(always);
      } finally {
        leave(key);
      }
    },

    idle: (graceMs) => {
      if (queues.size === 0) return Promise.resolve(true);
      const { promise, resolve } = Promise.withResolvers<true>();
      const onIdle = () => resolve(true);
      idleListeners.add(onIdle);
      return withTimeout(promise, graceMs, () => false).finally(() => idleListeners.delete(onIdle));
    },

    get size() {
      return queues.size;
    },
  };
};
