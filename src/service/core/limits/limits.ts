// All limits of the service, with the defaults of production and demo mode.
import { type AppId, appIds, apps } from '../../../contract/index.ts';
import type { Rate } from '../../../platform/limits.ts';

/** The same, for quotas of a customer that strangers could use up (docs/decisions/0080). */
export interface SharedQuota extends Rate {
  /** Points return one by one, spread evenly over the seconds, instead of all at once. */
  readonly steady?: boolean;
  /** Points reserved for customers who completed a request recently, and for the sessions in which they did. */
  readonly kept?: { readonly customer: number; readonly session: number; readonly seconds: number };
}

export interface ServiceLimits {
  /** How long a request waits for its customer, in milliseconds. */
  readonly expiryMs: Readonly<Record<AppId, number>>;
  /**
   * Whether a session has at most one pending request per app and customer, which a newer one replaces
   * (docs/decisions/0043).
   */
  readonly oneActive: boolean;
  /** How often one passcode may be checked. */
  readonly passcodeChecks: number;
  /**
   * Wrong codes for a phone from one session or network, within an hour and within a day. After that nothing is
   * compared until the period ends.
   */
  readonly passcodeFailures: { readonly anHour: number; readonly untilLocked: number };
  /** Wrong codes per phone in all. */
  readonly passcodeFailuresInAll: SharedQuota;
  /** How a passkey is set up or used. */
  readonly passkeys: {
    /** How long the device may take over one ceremony, in milliseconds. */
    readonly ceremonyMs: number;
    /** Ceremonies that one request may begin. */
    readonly ceremonies: number;
    /** How long a proof of the phone counts, in milliseconds. */
    readonly proofMs: number;
  };
  /** Milliseconds from a message to its first, second, third resend; the last one holds for all that follow. */
  readonly resendCooldownsMs: readonly number[];
  /** Days that a link to a signed document works at least, from the moment that its record was read. */
  readonly documentLinkDays: number;
  /** API calls per account. */
  readonly callsPerAccount: Rate;
  /** Messages of one session per phone number or e-mail address. */
  readonly messagesPerDestination: Rate;
  /** Messages of one account per phone number or e-mail address, whatever the session: at a time, and over a day. */
  readonly messagesPerCustomer: SharedQuota;
  readonly messagesPerCustomerDaily: SharedQuota;
  /**
   * Messages of all accounts together to one phone number or e-mail address, as the sender makes no difference to the
   * recipient.
   */
  readonly messagesInAll: Rate;
  readonly messagesInAllDaily: Rate;
  readonly socket: {
    /** How long a socket may stay without a CONNECT whose token is known, in milliseconds. */
    readonly connectMs: number;
    /** Concurrent sockets without one per network. */
    readonly newcomers: number;
    /** Milliseconds between pings; a peer that answers none until the next is dropped. */
    readonly pingMs: number;
    /** Requests that one multiplexed socket may follow at a time. */
    readonly requests: number;
    /**
     * CONNECTs per second and socket: as many as a client follows on one, so that it can reconnect at once.
     */
    readonly framesASecond: number;
  };
}

const minutes = 60_000;
const hours = 60 * 60;
const day = 24 * hours;

/** Production's limits: against guessing, message bombing and exhaustion. */
export const productionLimits: ServiceLimits = {
  expiryMs: Object.fromEntries(appIds.map((app) => [app, apps[app].lifetimeMinutes * minutes])) as Record<AppId, number>,
  oneActive: true,
  passcodeChecks: apps['one-time-passcode'].operations.check.tries,
  passcodeFailures: { anHour: 20, untilLocked: 50 },
  // Less than a hundred a day in all (NIST SP 800-63B-4, 3.2.2): 15, 60 that return over the day, and 20 reserved.
  passcodeFailuresInAll: { points: 15, seconds: 6 * hours, steady: true, kept: { customer: 10, session: 10, seconds: day } },
  passkeys: { ceremonyMs: 2 * minutes, ceremonies: 10, proofMs: 10 * minutes },
  resendCooldownsMs: [30_000, 60_000, 120_000],
  documentLinkDays: 7,
  callsPerAccount: { points: 1000, seconds: 10 },
  messagesPerDestination: { points: 5, seconds: 600 },
  // More than one session may send, so that no single session blocks the others.
  messagesPerCustomer: { points: 6, seconds: 600, kept: { customer: 1, session: 1, seconds: 600 } },
  // Twenty: 8, and 12 that return over the day. And ten reserved.
  messagesPerCustomerDaily: { points: 8, seconds: 16 * hours, steady: true, kept: { customer: 5, session: 5, seconds: day } },
  // Twice the limit of one account, so that no single account blocks the others.
  messagesInAll: { points: 16, seconds: 600 },
  messagesInAllDaily: { points: 60, seconds: day },
  socket: { connectMs: 5000, newcomers: 500, pingMs: 20_000, requests: 10_000, framesASecond: 1000 },
};

/** Demo mode: everybody shares the test numbers, so people who try things out must not meet quotas or each other. */
export const demoLimits: ServiceLimits = {
  ...productionLimits,
  oneActive: false,
  callsPerAccount: { points: 1_000_000, seconds: 10 },
  messagesPerDestination: { points: 1_000_000, seconds: 600 },
  messagesPerCustomer: { points: 1_000_000, seconds: 600 },
  messagesPerCustomerDaily: { points: 1_000_000, seconds: day },
  messagesInAll: { points: 1_000_000, seconds: 600 },
  messagesInAllDaily: { points: 1_000_000, seconds: day },
  passcodeFailures: { anHour: 1_000_000, untilLocked: 1_000_000 },
  passcodeFailuresInAll: { points: 1_000_000, seconds: day },
};

/** How long a request of an app waits for its customer, in milliseconds: its account's setting, or the default. */
export const expiryOf = (
  { expiryMs }: Pick<ServiceLimits, 'expiryMs'>,
  { expiryMinutes }: { readonly expiryMinutes: Readonly<Partial<Record<AppId, number | undefined>>> },
  app: AppId,
): number => {
  const own = expiryMinutes[app];
  return own === undefined ? expiryMs[app] : own * minutes;
};
