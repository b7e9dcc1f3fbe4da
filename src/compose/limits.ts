// How long the bot waits, and how much one user may do.
import type { LookupRate } from '../../dialogs/index.ts';
import { type AppId, appIds } from '../contract/index.ts';
import { type DirectLineLimits, usualLimits } from '../directline/index.ts';
import { margin } from '../interactions/interaction.ts';
import type { Rate } from '../platform/rate-limit.ts';
import type { Settings } from './settings.ts';

const minute = 60_000;

/** How long requests are good, in minutes, where the service does not tell. */
const usualMinutes: Readonly<Record<AppId, number>> = {
  passkeys: 10,
  'one-time-passcode': 10,
  'document-signature': 60,
  payments: 30,
  'e-form': 30,
};

/** How long interactions are waited for, in milliseconds, where the service does not tell how long its requests are good. */
export const patienceOf = (minutes: Partial<Readonly<Record<AppId, number>>> = {}): Readonly<Record<AppId, number>> => {
  const wait = (app: AppId) => (minutes[app] ?? usualMinutes[app]) * minute + margin;
  return Object.fromEntries(appIds.map((app) => [app, wait(app)])) as Record<AppId, number>;
};

/** One call in so long (ms) finds out whether the service is back: what ended meanwhile is to be told within 10 s of its return. */
export const breaker = { openFor: 2_000 };

interface Limits {
  /** Who asks for more numbers than this is looking for something (security: lookup). */
  readonly lookups: LookupRate;
  /** Lookups from one network, over all its chats: a new chat is quickly begun. */
  readonly lookupsOfNetwork: Rate;
  /** Turns of one user (security: resource exhaustion). */
  readonly turns: Rate;
  /**
   * New web chats of one address. Every new chat is a new user, with turns and lookups of their own: those limits hold only as long as new chats are few. Many
   * people may sit behind one address.
   */
  readonly chats: Rate;
  readonly directLine: DirectLineLimits;
}

const publicLimits: Limits = {
  lookups: { perTenMinutes: 3, perDay: 20 },
  lookupsOfNetwork: { points: 30, seconds: 3600 },
  turns: { points: 10, seconds: 10 },
  chats: { points: 30, seconds: 600 },
  directLine: usualLimits,
};

/** Without an app id only this machine's own user can chat: the public's limits would trip over nothing but fast hands and scripts. */
const localLimits: Limits = {
  lookups: { perTenMinutes: 100, perDay: 200 },
  lookupsOfNetwork: { points: 1000, seconds: 3600 },
  turns: { points: 100, seconds: 10 },
  chats: { points: 1000, seconds: 600 },
  directLine: { ...usualLimits, requests: { points: 600, seconds: 10 } },
};

/** With an app id the public's limits, else this machine's; in either, what the settings say comes first. */
export const limitsOf = ({ CHATS_PER_ADDRESS, CHAT_MEGABYTES, CHAT_MESSAGES, CHAT_REQUESTS, MicrosoftAppId }: Settings): Limits => {
  const { lookups, lookupsOfNetwork, turns, chats, directLine } = MicrosoftAppId ? publicLimits : localLimits;
  const { requests, reads, chat } = directLine;
  return {
    lookups,
    lookupsOfNetwork,
    turns: { ...turns, points: CHAT_MESSAGES ?? turns.points },
    chats: { ...chats, points: CHATS_PER_ADDRESS ?? chats.points },
    directLine: {
      requests: { ...requests, points: CHAT_REQUESTS ?? requests.points },
      reads,
      chat: { ...chat, bytes: CHAT_MEGABYTES === undefined ? chat.bytes : CHAT_MEGABYTES * 1024 * 1024 },
    },
  };
};
