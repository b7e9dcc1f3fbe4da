// One turn at a time in each conversation, in the order they came, within this process.

/**
 * A turn did not get its turn: too many wait already, it waited too long, or it cannot be known who has it (`unavailable`). Or it lost it (`lost`):
 * the process stalled for so long that another may have taken it meanwhile.
 */
export class TurnLockError extends Error {
  override readonly name = 'TurnLockError';
  readonly code: 'lost' | 'queue_full' | 'unavailable' | 'wait_too_long';
  constructor(code: TurnLockError['code'], options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}

/** A turn's lease of its conversation. */
export interface TurnLease {
  /**
   * Resolves while the lease lasts. Ask it before whatever must not happen beside another turn.
   * @throws {TurnLockError} `lost`, or `unavailable` where that cannot be known.
   */
  confirm(): Promise<void>;
}

export interface TurnLock {
  /**
   * Runs the work when every earlier work under the same key is over, however that ended. Not to be called from inside work under the same key.
   * @throws {TurnLockError} without running the work; otherwise whatever the work throws.
   */
  run<Result>(key: string, work: (lease: TurnLease) => Promise<Result>): Promise<Result>;
  /** Resolves when no work runs or waits, or after `graceMs`, saying whether all is over. */
  idle(graceMs: number): Promise<boolean>;
  /** Keys with work at the moment. */
  readonly size: number;
}

export interface TurnLockOptions {
  /** How many may wait behind the one that runs. */
  readonly mostWaiting?: number;
  /** For how long, in milliseconds. */
  readonly longestWait?: number;
}

/** Within one process a turn can only end, never be lost. */
const always: TurnLease = { confirm: async () => {} };

/** A turn lock for the turns of this process. */
export const makeTurnLock = ({ mostWaiting = 32, longestWait = 30_000 }: TurnLockOptions = {}): TurnLock => {
  /** Who waits, per key in use; the one that runs has left the queue. */
  const queues = new Map<string, (() => void)[]>();
  const watchers = new Set<() => void>();

  const enter = (key: string): Promise<void> => {
    const queue = queues.get(key);
    if (!queue) {
      queues.set(key, []);
      return Promise.resolve();
    }
    if (queue.length >= mostWaiting) return Promise.reject(new TurnLockError('queue_full'));
    return new Promise((resolve, reject) => {
      const admit = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(admit), 1);
        reject(new TurnLockError('wait_too_long'));
      }, longestWait);
      queue.push(admit);
    });
  };

  const leave = (key: string) => {
    const next = queues.get(key)?.shift();
    if (next) return next();
    queues.delete(key);
    if (queues.size === 0) for (const over of watchers) over();
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
      return new Promise((resolve) => {
        const end = (over: boolean) => () => {
          clearTimeout(timer);
          watchers.delete(done);
          resolve(over);
        };
        const done = end(true);
        const timer = setTimeout(end(false), graceMs);
        watchers.add(done);
      });
    },

    get size() {
      return queues.size;
    },
  };
};
