// Limits on how often something may be done under one name. Counted in this process.
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { HttpProblem } from './http-problem.ts';

export interface Rate {
  readonly points: number;
  readonly seconds: number;
}

/** A rate with further points: for customers who completed something lately, and for the chats in which they did. */
export interface KeptRate extends Rate {
  readonly kept: { readonly customer: number; readonly session: number };
}

/** How often one chat may ask who a number belongs to. */
export interface LookupRate {
  readonly perTenMinutes: number;
  readonly perDay: number;
}

/** Takes one of a name's points, or several. @throws {HttpProblem} 429 with Retry-After when none is left. */
export type TakePoint = (name: string, points?: number) => Promise<void>;

/** Takes one of a name's points; `false` when none is left. */
export const countRate = ({ points, seconds }: Rate): ((name: string) => Promise<boolean>) => {
  const limiter = new RateLimiterMemory({ points, duration: seconds });
  return async (name) => {
    try {
      await limiter.consume(name);
      return true;
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return false;
    }
  };
};

/** Counts under several rates at once. */
export interface RateCounter {
  /** Takes a point of each rate, or none. Returns the milliseconds until each has one; 0 if they were taken. */
  take(name: string): Promise<number>;
  /** Gives back what was taken. */
  giveBack(name: string): Promise<void>;
}

export const countRates = (rates: readonly Rate[]): RateCounter => {
  const limiters = rates.map(({ points, seconds }) => new RateLimiterMemory({ points, duration: seconds }));
  return {
    take: async (name) => {
      const counted = await Promise.all(limiters.map((limiter) => limiter.get(name)));
      const waits = counted.map((state) => (state !== null && state.remainingPoints <= 0 ? state.msBeforeNext : 0));
      const wait = Math.max(0, ...waits);
      // Two at once may exceed a limit by one.
      if (wait === 0) await Promise.all(limiters.map((limiter) => limiter.penalty(name)));
      return wait;
    },
    giveBack: async (name) => {
      await Promise.all(limiters.map((limiter) => limiter.reward(name)));
    },
  };
};

/** `code` and `detail` are those of the 429. */
export const limitRate = ({ points, seconds }: Rate, code: string, detail: string): TakePoint => {
  const limiter = new RateLimiterMemory({ points, duration: seconds });
  return async (name, taken = 1) => {
    try {
      await limiter.consume(name, taken);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw tooMany(code, detail, refusal.msBeforeNext);
    }
  };
};

const tooMany = (code: string, detail: string, msBeforeNext: number) =>
  new HttpProblem(429, code, detail, { headers: { 'Retry-After': String(Math.max(1, Math.ceil(msBeforeNext / 1000))) } });

export interface FailureLimit {
  /** @throws {HttpProblem} 429 with Retry-After once the name has failed too often. */
  readonly refuseFailing: TakePoint;
  readonly countFailure: (name: string) => Promise<void>;
}

/** A limit on failures only: who succeeds is never counted. */
export const limitFailures = ({ points, seconds }: Rate, code: string, detail: string): FailureLimit => {
  const limiter = new RateLimiterMemory({ points, duration: seconds });
  return {
    refuseFailing: async (name) => {
      const known = await limiter.get(name);
      if (known && known.consumedPoints >= points) throw tooMany(code, detail, known.msBeforeNext);
    },
    countFailure: async (name) => {
      await limiter.penalty(name, 1);
    },
  };
};
