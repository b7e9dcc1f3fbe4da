// The end of one call's patience: a deadline over all its attempts and pauses, joined with the caller's own signal.
import type { Clock } from '../platform/clock.ts';
import type { TransportCode } from './errors.ts';

export interface Deadline {
  /** Aborts when the call must end, for whichever reason. */
  readonly signal: AbortSignal;
  /** Why it did. */
  reason(): Extract<TransportCode, 'aborted' | 'closed' | 'timeout'>;
  /** Whether a pause of so many milliseconds still leaves time. */
  allows(pause: number): boolean;
  /** Ends the call early, because the client closes. */
  stop(): void;
  /** Forgets it; the call is over. */
  clear(): void;
}

/** Starts the clock. `milliseconds` is for the whole call. */
export const startDeadline = (milliseconds: number, clock: Clock, caller: AbortSignal | undefined): Deadline => {
  const own = new AbortController();
  // A timer that is cleared, rather than AbortSignal.timeout: those of finished calls would pile up for as long as a deadline lasts.
  const timer = setTimeout(() => own.abort('timeout'), milliseconds);
  const end = clock.now() + milliseconds;
  return {
    signal: caller ? AbortSignal.any([caller, own.signal]) : own.signal,
    reason: () => (own.signal.aborted ? own.signal.reason : 'aborted'),
    allows: (pause) => clock.now() + pause < end,
    stop: () => own.abort('closed'),
    clear: () => clearTimeout(timer),
  };
};
