// How often one chat may ask who a number belongs to (security: lookup discloses who owns a number).
import type { Activity } from 'botbuilder';
import type { Clock } from '../src/platform/clock.ts';
import type { Memory } from './memory.ts';

export interface LookupRate {
  readonly perTenMinutes: number;
  readonly perDay: number;
}

/** What counting needs of a turn. */
interface Asking {
  readonly context: { readonly activity: Activity };
  readonly memory: Memory;
  readonly services: {
    readonly lookupRate: LookupRate;
    readonly admitLookup: (activity: Partial<Activity>) => Promise<boolean>;
    readonly clock: Clock;
  };
}

const tenMinutes = 600_000;
const day = 86_400_000;

/** Counts a lookup of this turn, by its user and by where it came from. Asking for the number that was asked for last is free. */
export const admitsLookup = async ({ context, memory, services }: Asking, phoneNumber: string): Promise<boolean> => {
  if (memory.lookedUp === phoneNumber) return true;
  if (!mayLookUp(memory, phoneNumber, services.lookupRate, services.clock.now())) return false;
  if (await services.admitLookup(context.activity)) return true;
  // It was not asked for after all.
  delete memory.lookedUp;
  return false;
};

/**
 * Counts a lookup at `now` (epoch ms); `false` when it is one too many, and then it is not counted. Asking for the number that was asked for last tells
 * nothing new and is free, so that a customer who tries again is not taken for one who searches. Counted in the chat's own memory: on every replica, and over
 * every restart. Chats are for one person, and new ones are counted by address.
 */
export const mayLookUp = (memory: Memory, phoneNumber: string, { perTenMinutes, perDay }: LookupRate, now: number): boolean => {
  if (memory.lookedUp === phoneNumber) return true;
  const today = (memory.lookups ?? []).filter((at) => at > now - day);
  const recent = today.filter((at) => at > now - tenMinutes);
  if (today.length >= perDay || recent.length >= perTenMinutes) return false;
  memory.lookups = [...today, now];
  memory.lookedUp = phoneNumber;
  return true;
};
