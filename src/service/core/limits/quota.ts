// Quotas as the interface reports them, counted in the database.
import { networkOf } from '../../../platform/http/client-address.ts';
import { HttpProblem } from '../../../platform/http/http-problem.ts';
import type { Rate } from '../../../platform/limits.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { allAccounts, type Seal } from '../secrets/seal.ts';
import type { Storage } from '../store/index.ts';
import type { Request } from '../store/request.ts';
import type { ServiceLimits } from './limits.ts';
import { guesses, QuotaUsedUp, type Share, type StoredQuota } from './stored-quotas.ts';

export type TakeCall = ReturnType<typeof makeTakeCall>;

/**
 * Counts the calls of accounts, whichever replica they reach. A replica takes a hundredth of the points at a time and
 * spends them locally, so most calls need no statement. No more points are spent than exist; a replica's unspent points
 * expire with the period.
 */
export const makeTakeCall = ({ takeShare }: Pick<Storage, 'takeShare'>, { callsPerAccount: quota }: ServiceLimits, clock: Clock) => {
  const name = 'calls';
  /** This replica's shares by account, with the points left for all replicas when each was taken. */
  const shares = new Map<string, Share>();
  const shareSize = Math.max(1, Math.floor(quota.points / 100));
  const spend = (key: string, at: number) => {
    const share = shares.get(key);
    if (!share || share.points < 1 || share.until <= at) return undefined;
    const spent = { ...share, points: share.points - 1 };
    shares.set(key, spent);
    return rateLimitHeaders(name, quota, spent.points + spent.left, seconds(spent.until - at));
  };
  /** Takes the next share, or returns how long none will be left. */
  const take = async (key: string, at: number): Promise<number | undefined> => {
    const stored = { name, key, ...quota };
    const several = await takeShare(stored, shareSize, at);
    const taken = 'waitMs' in several && shareSize > 1 ? await takeShare(stored, 1, at) : several;
    if ('waitMs' in taken) return taken.waitMs;
    shares.set(key, taken);
    return undefined;
  };
  /** One at a time for each account: concurrent calls must not take more than they need from the other replicas. */
  const taking = new Map<string, Promise<number | undefined>>();
  /**
   * Takes a point of an account, and returns the headers with the number left (draft-ietf-httpapi-ratelimit-headers).
   * @throws {HttpProblem} 429 with them and Retry-After if none is left.
   */
  return async (key: string): Promise<Readonly<Record<string, string>>> => {
    for (let at = clock.now(); ; at = clock.now()) {
      const spent = spend(key, at);
      if (spent) return spent;
      const running = taking.get(key) ?? take(key, at).finally(() => taking.delete(key));
      taking.set(key, running);
      const waitMs = await running;
      if (waitMs !== undefined)
        throw tooMany('rate_limited', 'Too many requests of this account. Wait before sending another.', name, quota, waitMs);
    }
  };
};

/** The sender of the message, or the source of the guess. */
type Holder = Pick<Request, 'accountId' | 'sessionRef'>;

/**
 * The quotas for one message to a phone number or an e-mail address, ignoring case: of the session, of the account,
 * and of all accounts together, so that several accounts cannot jointly bomb somebody.
 */
export const messageQuotas = (
  limits: ServiceLimits,
  { hashAddress }: Pick<Seal, 'hashAddress'>,
  { accountId, sessionRef }: Holder,
  destination: string,
): readonly StoredQuota[] => {
  const key = hashAddress(accountId, destination.toLowerCase());
  const inAll = hashAddress(allAccounts, destination.toLowerCase());
  return [
    { name: 'messages', key: `${accountId} ${key} ${sessionRef}`, ...limits.messagesPerDestination },
    { name: 'messages-of-account', key: `${accountId} ${key}`, ...limits.messagesPerCustomer },
    { name: 'messages-of-account-daily', key: `${accountId} ${key}`, ...limits.messagesPerCustomerDaily },
    { name: 'messages-in-all', key: inAll, ...limits.messagesInAll },
    { name: 'messages-in-all-daily', key: inAll, ...limits.messagesInAllDaily },
  ];
};

/**
 * The quotas for one guess at a phone's passcodes: of the session, of the network if known, and of all
 * together (docs/decisions/0032). The first two start afresh a day after the first guess, the shared one refills
 * steadily, and a right code resets them all.
 */
export const guessQuotas = (
  { passcodeFailures, passcodeFailuresInAll }: ServiceLimits,
  { hashAddress }: Pick<Seal, 'hashAddress'>,
  { accountId, sessionRef }: Holder,
  phoneNumber: string,
  address?: string,
): readonly StoredQuota[] => {
  const phone = `${accountId} ${hashAddress(accountId, phoneNumber)}`;
  const from = [sessionRef, ...(address === undefined ? [] : [`net:${hashAddress(accountId, networkOf(address))}`])];
  return [
    ...from.flatMap((one) => [
      { name: guesses.hour, key: `${phone} ${one}`, points: passcodeFailures.anHour, seconds: 3600 },
      { name: guesses.day, key: `${phone} ${one}`, points: passcodeFailures.untilLocked, seconds: 24 * 3600 },
    ]),
    { name: guesses.all, key: phone, ...passcodeFailuresInAll },
  ];
};

/**
 * Runs work that takes points from stored quotas. @throws {HttpProblem} 429 with Retry-After if one has none left.
 */
export const withinQuotas = async <Done>(work: () => Promise<Done>): Promise<Done> => {
  try {
    return await work();
  } catch (fault) {
    if (!(fault instanceof QuotaUsedUp)) throw fault;
    const { quota, waitMs } = fault;
    throw tooMany('rate_limited', 'Too many messages went to this customer. Wait before sending another.', quota.name, quota, waitMs);
  }
};

/**
 * @throws {HttpProblem} 429 or 409 if no code of a phone can be compared within the hour, or for longer: sending one
 * would be useless.
 */
export const refuseBlocked = (blockedForMs: number | undefined, limits: ServiceLimits) => {
  if (blockedForMs === undefined) return;
  const { anHour } = limits.passcodeFailures;
  if (blockedForMs <= 3_600_000) {
    const detail = 'Too many wrong passcodes were tried for this phone. Wait before sending another.';
    throw tooMany('too_many_failures', detail, 'guesses', { points: anHour, seconds: 3600 }, blockedForMs);
  }
  throw new HttpProblem(409, 'phone_locked', 'So many wrong passcodes were tried for this phone that none is sent to it for now.');
};

const seconds = (milliseconds: number) => Math.max(1, Math.ceil(milliseconds / 1000));

/** A quota and its remaining points: sections 3 and 4 of the draft. */
const rateLimitHeaders = (name: string, { points, seconds }: Rate, left: number, wait: number) => ({
  'RateLimit-Policy': `"${name}";q=${points};w=${seconds}`,
  RateLimit: `"${name}";r=${left};t=${wait}`,
});

/** The 429 of an exhausted quota. */
export const tooMany = (code: string, detail: string, name: string, quota: Rate, waitMs: number) => {
  const wait = seconds(waitMs);
  return new HttpProblem(429, code, detail, {
    headers: {
      'Retry-After': String(wait),
      ...rateLimitHeaders(name, quota, 0, wait),
      // Header names of the earlier draft, which most clients still read.
      'RateLimit-Limit': String(quota.points),
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': String(wait),
    },
  });
};
