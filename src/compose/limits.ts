// How long the bot waits, and how much one user may do.
import type { LookupRate } from '../../dialogs/lookup-limit.ts';
import type { AppId } from '../contract/index.ts';
import type { Rate } from '../platform/rate-limit.ts';

const minute = 60_000;

/**
 * In milliseconds. A minute longer than the reference service lets its requests live, so that the service's own word comes first; where a service
 * gives them longer, they are withdrawn at the end of this.
 */
export const usualPatience: Readonly<Record<AppId, number>> = {
  passkeys: 11 * minute,
  'one-time-passcode': 11 * minute,
  'document-signature': 61 * minute,
  payments: 31 * minute,
  'e-form': 31 * minute,
};

interface Limits {
  /** Who asks for more numbers than this is looking for something (security: lookup). */
  readonly lookups: LookupRate;
  /** Turns of one user (security: resource exhaustion). */
  readonly turns: Rate;
  /**
   * New web chats of one address. Every new chat is a new user, with turns and lookups of their own: those limits hold only as long as new chats are few. Many
   * people may sit behind one address.
   */
  readonly chats: Rate;
}

export const publicLimits: Limits = {
  lookups: { perTenMinutes: 3, perDay: 20 },
  turns: { points: 10, seconds: 10 },
  chats: { points: 30, seconds: 600 },
};

/** Without an app id only this machine's own user can chat: the public's limits would trip over nothing but fast hands and scripts. */
export const localLimits: Limits = {
  lookups: { perTenMinutes: 100, perDay: 200 },
  turns: { points: 100, seconds: 10 },
  chats: { points: 1000, seconds: 600 },
};
