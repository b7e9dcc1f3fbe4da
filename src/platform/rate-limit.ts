// Limits on how often something may be done under one name. Counted in this process.
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { HttpProblem } from './http-problem.ts';

export interface Rate {
  readonly points: number;
  readonly seconds: number;
}

/** How often one chat may ask who a number belongs to. */
export interface LookupRate {
  readonly perTenMinutes: number;
  readonly perDay: number;
}

/** Takes one of a name's points. @throws {HttpProblem} 429 with Retry-After when none is left. */
export type TakePoint = (name: string) => Promise<void>;

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

/** `code` and `detail` are those of the 429. */
export const limitRate = ({ points, seconds }: Rate, code: string, detail: string): TakePoint => {
  const limiter = new RateLimiterMemory({ points, duration: seconds });
  return async (name) => {
    try {
      await limiter.consume(name);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw new HttpProblem(429, code, detail, { headers: { 'Retry-After': String(Math.max(1, Math.ceil(refusal.msBeforeNext / 1000))) } });
    }
  };
};
