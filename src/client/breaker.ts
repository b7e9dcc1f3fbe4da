// Circuit breakers: while an operation of the service is down, its calls fail at once instead of each waiting for its
// own deadline.
import type { Clock } from '../platform/time/clock.ts';

export interface BreakerLimits {
  /** Failed attempts in a row, over all of the client's calls of one operation, that open it. */
  readonly failures: number;
  /** How long it stays open, in milliseconds. */
  readonly openFor: number;
}

export type Breaker = ReturnType<typeof makeBreaker>;

/** One breaker per operation, such as `payments.send`: failures of one say little about the others (decision 0067). */
export const makeBreakers = (limits: BreakerLimits, clock: Clock): ((operation: string) => Breaker) => {
  const breakers = new Map<string, Breaker>();
  return (operation) => {
    const breaker = breakers.get(operation) ?? makeBreaker(limits, clock);
    breakers.set(operation, breaker);
    return breaker;
  };
};

/** A closed breaker. */
const makeBreaker = ({ failures: limit, openFor }: BreakerLimits, clock: Clock) => {
  let failures = 0;
  let opened = 0;
  return {
    /**
     * Whether an attempt may be made now. While open, it lets one through every `openFor`: the probe that decides
     * whether to close.
     */
    admits: (): boolean => {
      if (failures < limit) return true;
      const passed = clock.now() - opened;
      // A clock that was set back must not keep it open for longer than that.
      if (passed >= 0 && passed < openFor) return false;
      opened = clock.now();
      return true;
    },
    /** The service answered: it closes, whatever came before. */
    succeeded: (): void => {
      failures = 0;
    },
    /** No answer, or a 5xx. */
    failed: (): void => {
      failures += 1;
      if (failures >= limit) opened = clock.now();
    },
  };
};
