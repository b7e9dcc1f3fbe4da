// All limits of the service, with the defaults of production and demo mode.
import { type AppId, appIds, apps } from '../../../contract/index.ts';
import type { Rate } from '../../../platform/limits.ts';

/** A rate for quotas of a customer that strangers could use up (docs/decisions/0080). */
export interface SharedQuota extends Rate {
  /** Points return one by one, spread evenly over the seconds, instead of all at once. */
  readonly steady?: boolean;
  /** Points reserved for customers who completed a request recently, and for the sessions in which they did. */
  readonly kept?: { readonly customer: number; readonly session: number; readonly seconds: number };
}

export type ServiceLimits = typeof productionLimits;

const minutes = 60_000;
const hours = 60 * 60;
const day = 24 * hours;

const shared = (quota: SharedQuota) => quota;

/** Production's limits: against guessing, message bombing and exhaustion. */
export const productionLimits = {
  /** How long a request waits for its customer, in milliseconds. */
  expiryMs: Object.fromEntries(appIds.map((app) => [app, apps[app].lifetimeMinutes * minutes])) as Readonly<Record<AppId, number>>,
  /**
   * Whether a session has at most one pending request per app and customer, which a newer one replaces
   * (docs/decisions/0043).
   */
  oneActive: true as boolean,
  /** How often one passcode may be checked. */
  passcodeChecks: apps['one-time-passcode'].operations.check.tries as number,
  /**
   * Wrong codes for a phone from one session or network, within an hour and within a day. After that nothing is
   * compared until the period ends.
   */
  passcodeFailures: { anHour: 20, untilLocked: 50 },
  /**
   * Wrong codes per phone in all: less than a hundred a day (NIST SP 800-63B-4, 3.2.2): 15, 60 that return over the day,
   * and 20 reserved.
   */
  passcodeFailuresInAll: shared({ points: 15, seconds: 6 * hours, steady: true, kept: { customer: 10, session: 10, seconds: day } }),
  /**
   * How a passkey is set up or used: how long the device may take over one ceremony (ms), how many ceremonies one
   * request may begin, and how long a proof of the phone counts (ms).
   */
  passkeys: { ceremonyMs: 2 * minutes, ceremonies: 10, proofMs: 10 * minutes },
  /** Milliseconds from a message to its first, second, third resend; the last one holds for all that follow. */
  resendCooldownsMs: [30_000, 60_000, 120_000] as readonly number[],
  /** Days that a link to a signed document works at least, from the moment that its record was read. */
  documentLinkDays: 7,
  /** API calls per account. */
  callsPerAccount: { points: 1000, seconds: 10 },
  /** Messages of one session per phone number or e-mail address. */
  messagesPerDestination: { points: 5, seconds: 600 },
  /**
   * Messages of one account per phone number or e-mail address, whatever the session. More than one session may send, so
   * that no single session blocks the others.
   */
  messagesPerCustomer: shared({ points: 6, seconds: 600, kept: { customer: 1, session: 1, seconds: 600 } }),
  /** The same over a day. Twenty: 8, and 12 that return over the day. And ten reserved. */
  messagesPerCustomerDaily: shared({ points: 8, seconds: 16 * hours, steady: true, kept: { customer: 5, session: 5, seconds: day } }),
  /**
   * Messages of all accounts together to one phone number or e-mail address, as the sender makes no difference to the
   * recipient. Twice the limit of one account, so that no single account blocks the others.
   */
  messagesInAll: { points: 16, seconds: 600 },
  messagesInAllDaily: { points: 60, seconds: day },
  socket: {
    /** How long a socket may stay without a CONNECT whose token is known, in milliseconds. */
    connectMs: 5000,
    /** Concurrent sockets without one per network. */
    newcomers: 500,
    /** Milliseconds between pings; a peer that answers none until the next is dropped. */
    pingMs: 20_000,
    /** Requests that one multiplexed socket may follow at a time. */
    requests: 10_000,
    /** CONNECTs per second and socket: as many as a client follows on one, so that it can reconnect at once. */
    framesASecond: 1000,
  },
};

const inDemo = { points: 1_000_000, seconds: 600 };

/** Demo mode: everybody shares the test numbers, so people who try things out must not meet quotas or each other. */
export const demoLimits: ServiceLimits = {
  ...productionLimits,
  oneActive: false,
  callsPerAccount: { ...inDemo, seconds: 10 },
  messagesPerDestination: inDemo,
  messagesPerCustomer: inDemo,
  messagesPerCustomerDaily: { ...inDemo, seconds: day },
  messagesInAll: inDemo,
  messagesInAllDaily: { ...inDemo, seconds: day },
  passcodeFailures: { anHour: 1_000_000, untilLocked: 1_000_000 },
  passcodeFailuresInAll: { ...inDemo, seconds: day },
};
