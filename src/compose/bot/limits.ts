// How long the bot waits, and the limits of one user.

import type { BotIdentitySettings } from '../../bot/index.ts';
import { type AppId, appIds, apps } from '../../contract/index.ts';
import { usualLimits } from '../../directline/index.ts';
import { margin } from '../../interactions/index.ts';
import type { KeptRate, LookupRate, Rate } from '../../platform/limits.ts';
import { rates } from '../../platform/rates.ts';

const minute = 60_000;

/**
 * How long the bot waits for an interaction of each app (ms) if the service does not say how long requests are valid.
 */
export const outcomeTimeoutsOf = (minutes: Partial<Readonly<Record<AppId, number>>> = {}): Readonly<Record<AppId, number>> => {
  const wait = (app: AppId) => (minutes[app] ?? apps[app].lifetimeMinutes) * minute + margin;
  return Object.fromEntries(appIds.map((app) => [app, wait(app)])) as Record<AppId, number>;
};

/**
 * One call in this time (ms) probes whether the service is back. Interactions that ended in the meantime must be
 * delivered within 10 s of its return.
 */
export const breaker = { openFor: 2_000 };

/** Limits of one user, network or chat. */
export interface Limits {
  /** Anybody who asks for more numbers is searching (docs/security.md#a-look-up-reveals-who-owns-a-number). */
  readonly lookups: LookupRate;
  /** Lookups from one network, over all its chats, since a new chat is quickly begun. */
  readonly lookupsOfNetwork: Rate;
  /** Turns of one user (docs/security.md#resources-are-exhausted). */
  readonly turns: Rate;
  /**
   * New web chats from one address. Every new chat is a new user with limits of their own, so new chats must be few.
   * Many people may share one address.
   */
  readonly chats: Rate;
  /**
   * Requests for one number that anybody can type, from one network, or one user of a channel that names none: at a
   * time, and a day. Fewer than a number gets in all, so that the bot can say so before nothing more is sent.
   */
  readonly sendsFromOrigin: readonly Rate[];
  /** Requests that are sent to one such number, over all chats. */
  readonly sendsToNumber: readonly KeptRate[];
  /**
   * Limits of one web chat: requests, reads whose answers it has yet to receive, and stored activities; and of one
   * network, bytes of messages.
   */
  readonly directLine: {
    readonly requests: Rate;
    readonly bytes: Rate;
    readonly reads: number;
    readonly chat: { readonly bytes: number; readonly revisions: number };
  };
  /** Calls and starts of one program, and calls from one address without a key. */
  readonly programs: { readonly calls: Rate; readonly starts: Rate; readonly strangers: Rate };
}

export const publicLimits: Limits = {
  lookups: { perTenMinutes: 3, perDay: 20 },
  lookupsOfNetwork: rates.lookupsOfNetwork,
  turns: rates.turns,
  chats: rates.chats,
  sendsFromOrigin: [
    { points: 4, seconds: 600 },
    { points: 12, seconds: 86_400 },
  ],
  sendsToNumber: [
    { points: 6, seconds: 600, kept: { customer: 2, session: 2 } },
    { points: 20, seconds: 86_400, kept: { customer: 5, session: 5 } },
  ],
  directLine: usualLimits,
  programs: { calls: rates.calls, starts: rates.starts, strangers: rates.strangers },
};

/**
 * Without an app id only this machine's user can chat. The public's limits would only get in the way of fast hands and
 * scripts.
 */
const localLimits: Limits = {
  lookups: { perTenMinutes: 100, perDay: 200 },
  lookupsOfNetwork: { points: 1000, seconds: 3600 },
  turns: { points: 100, seconds: 10 },
  chats: { points: 1000, seconds: 600 },
  sendsFromOrigin: [],
  sendsToNumber: [],
  directLine: { ...usualLimits, requests: { points: 600, seconds: 10 }, bytes: { points: 1024 ** 3, seconds: 3600 } },
  programs: publicLimits.programs,
};

/** The public's limits for a bot with an identity, else this machine's. */
export const limitsFor = ({ MicrosoftAppId }: BotIdentitySettings): Limits => (MicrosoftAppId ? publicLimits : localLimits);
