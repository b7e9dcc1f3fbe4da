// Counting against a quota, in this process's memory.
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { HttpProblem } from '../platform/http-problem.ts';
import type { Quota } from './limits.ts';

/** Takes one point of a key's quota. @throws {HttpProblem} 429 with Retry-After and the RateLimit headers when none is left. */
export type Take = (key: string) => Promise<void>;

/** `name` is what the RateLimit headers call the quota (draft-ietf-httpapi-ratelimit-headers), `detail` the sentence of the answer. */
export const makeTake = (name: string, quota: Quota, detail: string): Take => {
  const limiter = new RateLimiterMemory({ points: quota.points, duration: quota.seconds, keyPrefix: name });
  return async (key) => {
    try {
      await limiter.consume(key);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw tooMany('rate_limited', detail, name, quota, refusal.msBeforeNext);
    }
  };
};

/** The 429 of a quota that is used up. */
export const tooMany = (code: string, detail: string, name: string, { points, seconds }: Quota, waitMs: number) => {
  const wait = Math.max(1, Math.ceil(waitMs / 1000));
  return new HttpProblem(429, code, detail, {
    headers: {
      'Retry-After': String(wait),
      'RateLimit-Policy': `"${name}";q=${points};w=${seconds}`,
      RateLimit: `"${name}";r=0;t=${wait}`,
      // The earlier draft's names, which most clients still read.
      'RateLimit-Limit': String(points),
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': String(wait),
    },
  });
};
