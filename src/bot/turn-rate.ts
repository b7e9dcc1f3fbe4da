// How many turns one user may start (security: resource exhaustion).
import type { Activity } from 'botbuilder';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { HttpProblem } from '../platform/http-problem.ts';

export interface TurnRate {
  readonly turns: number;
  readonly seconds: number;
}

/** Lets an activity in or throws. Asked only after its sender is known, so that nobody can use up another's turns. */
export type Admission = (activity: Activity) => Promise<void>;

/** Admission by user: so many turns in so many seconds, then 429 with Retry-After. Kept in this process. */
export const limitTurns = ({ turns, seconds }: TurnRate = { turns: 10, seconds: 10 }): Admission => {
  const limiter = new RateLimiterMemory({ points: turns, duration: seconds });
  return async ({ channelId, from }) => {
    try {
      await limiter.consume(JSON.stringify([channelId, from.id]));
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw new HttpProblem(429, 'too_many_turns', 'Too many messages at once. Please wait a moment.', {
        headers: { 'Retry-After': String(Math.max(1, Math.ceil(refusal.msBeforeNext / 1000))) },
      });
    }
  };
};
