// How often one user may ask who a number belongs to (security: lookup discloses who owns a number).
import { RateLimiterMemory, RateLimiterRes, RateLimiterUnion } from 'rate-limiter-flexible';

/** Counts a lookup of a user; `false` when it is one too many. */
export type LookupLimit = (user: string) => Promise<boolean>;

export interface LookupRate {
  readonly perTenMinutes: number;
  readonly perDay: number;
}

/** A limit kept in this process. */
export const makeLookupLimit = ({ perTenMinutes, perDay }: LookupRate): LookupLimit => {
  const limiter = new RateLimiterUnion(
    new RateLimiterMemory({ keyPrefix: 'ten-minutes', points: perTenMinutes, duration: 600 }),
    new RateLimiterMemory({ keyPrefix: 'day', points: perDay, duration: 86_400 }),
  );
  return async (user) => {
    try {
      await limiter.consume(user);
      return true;
    } catch (refusal) {
      if (refusal instanceof Error) throw refusal;
      const refused = Object.values(refusal as Record<string, unknown>).some((limit) => limit instanceof RateLimiterRes);
      if (!refused) throw refusal;
      return false;
    }
  };
};
