// The deadline of one call, over all its attempts and pauses, joined with the caller's own signal.
import type { Clock } from '../platform/clock.ts';
import type { TransportCode } from './errors.ts';

export interface Deadline {
  /** Aborts when the call must end, for any reason. */
  readonly signal: AbortSignal;
  /** Runs one attempt, whose signal aborts after `milliseconds`, or when the call must end. */
  attempt<Result>(milliseconds: number, work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
  /** Why it did, or that the attempt's own time was up. */
  reason(): Extract<TransportCode, 'aborted' | 'closed' | 'timeout'>;
  /** Whether time is left after a pause of `pause` milliseconds. */
  allows(pause: number): boolean;
  /** Ends the call early, because the client closes. */
  stop(): void;
  /** Clears its timer; the call is over. */
  clear(): void;
}

/** Starts the clock. `milliseconds` is for the whole call. */
export const startDeadline = (milliseconds: number, clock: Clock, caller: AbortSignal | undefined): Deadline => {
  const own = new AbortController();
  // Rather than AbortSignal.timeout, whose timers would outlive finished calls and pile up.
  const timer = setTimeout(() => own.abort('timeout'), milliseconds);
  const end = clock.now() + milliseconds;
  const signal = caller ? AbortSignal.any([caller, own.signal]) : own.signal;
  return {
    signal,
    attempt: async (most, work) => {
      if (most >= milliseconds) return work(signal);
      const late = new AbortController();
      const ending = setTimeout(() => late.abort(), most);
      try {
        return await work(AbortSignal.any([signal, late.signal]));
      } finally {
        clearTimeout(ending);
      }
    },
    reason: () => (own.signal.aborted ? own.signal.reason : caller?.aborted ? 'aborted' : 'timeout'),
    allows: (pause) => clock.now() + pause < end,
    stop: () => own.abort('closed'),
    clear: () => clearTimeout(timer),
  };
};
