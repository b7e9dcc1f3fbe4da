// Quotas as the interface tells them: API calls counted in memory, messages and guesses in the database.
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { HttpProblem } from '../platform/http-problem.ts';
import type { Quota, ServiceLimits } from './limits.ts';
import { QuotaUsedUp, type StoredQuota } from './store/quotas.ts';

/**
 * Takes one point of a key's quota, and answers the headers that tell how many are left (draft-ietf-httpapi-ratelimit-headers).
 * @throws {HttpProblem} 429 with them and Retry-After when none is.
 */
export type Take = (key: string) => Promise<Readonly<Record<string, string>>>;

/** `name` is what the RateLimit headers call the quota (draft-ietf-httpapi-ratelimit-headers), `detail` the sentence of the answer. */
export const makeTake = (name: string, quota: Quota, detail: string): Take => {
  const limiter = new RateLimiterMemory({ points: quota.points, duration: quota.seconds, keyPrefix: name });
  return async (key) => {
    try {
      const { msBeforeNext, remainingPoints } = await limiter.consume(key);
      return standing(name, quota, remainingPoints, seconds(msBeforeNext));
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw tooMany('rate_limited', detail, name, quota, refusal.msBeforeNext);
    }
  };
};

/** One message to a phone number or an e-mail address, whoever sends it, and however the address is capitalised. */
export const messageQuota = (limits: ServiceLimits, destination: string): StoredQuota => ({
  name: 'messages',
  key: destination.toLowerCase(),
  ...limits.messagesPerDestination,
});

/** One guess at a passcode of a phone, over all its codes: some an hour, and some until one was right (security: passcode rules). */
export const guessQuotas = ({ passcodeFailures }: ServiceLimits, accountId: string, phoneNumber: string): readonly StoredQuota[] => {
  const key = `${accountId} ${phoneNumber}`;
  return [
    { name: 'guesses-in-an-hour', key, points: passcodeFailures.anHour, seconds: 3600 },
    { name: 'guesses', key, points: passcodeFailures.untilLocked, seconds: Number.POSITIVE_INFINITY },
  ];
};

/** Does what takes points of stored quotas. @throws {HttpProblem} 429 with Retry-After where one has none left. */
export const withinQuotas = async <Done>(work: () => Promise<Done>): Promise<Done> => {
  try {
    return await work();
  } catch (fault) {
    if (!(fault instanceof QuotaUsedUp)) throw fault;
    const { quota, waitMs } = fault;
    throw tooMany('rate_limited', 'Too many messages went to this customer. Wait before sending another.', quota.name, quota, waitMs);
  }
};

/** @throws {HttpProblem} 429 or 409 when no code of a phone can be compared for now, or none at all any more: sending one would help nobody. */
export const refuseBlocked = (blockedForMs: number | undefined, limits: ServiceLimits) => {
  if (blockedForMs === undefined) return;
  const { anHour } = limits.passcodeFailures;
  if (blockedForMs <= 3_600_000) {
    const detail = 'Too many wrong passcodes were tried for this phone. Wait before sending another.';
    throw tooMany('too_many_failures', detail, 'guesses', { points: anHour, seconds: 3600 }, blockedForMs);
  }
  throw new HttpProblem(409, 'phone_locked', 'So many wrong passcodes were tried for this phone that none is sent to it any more.');
};

const seconds = (milliseconds: number) => Math.max(1, Math.ceil(milliseconds / 1000));

/** A quota and how much of it is left: sections 3 and 4 of the draft. */
const standing = (name: string, { points, seconds }: Quota, left: number, wait: number) => ({
  'RateLimit-Policy': `"${name}";q=${points};w=${seconds}`,
  RateLimit: `"${name}";r=${left};t=${wait}`,
});

/** The 429 of a quota that is used up. */
export const tooMany = (code: string, detail: string, name: string, quota: Quota, waitMs: number) => {
  const wait = seconds(waitMs);
  return new HttpProblem(429, code, detail, {
    headers: {
      'Retry-After': String(wait),
      ...standing(name, quota, 0, wait),
      // The earlier draft's names, which most clients still read.
      'RateLimit-Limit': String(quota.points),
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': String(wait),
    },
  });
};
