// How many turns one user may start (security: resource exhaustion).
import type { Activity } from 'botbuilder';
import { limitRate, type Rate } from '../platform/rate-limit.ts';

/** Lets an activity in or throws. Asked only after its sender is known, so that nobody can use up another's turns. */
export type Admission = (activity: Activity) => Promise<void>;

/** Who sent an activity, and over which channel. */
type Sender = Pick<Activity, 'channelId'> & { readonly from: { readonly id: string } };

/** Admission by user: so many turns (10) in so many seconds (10), then 429 with Retry-After. */
export const limitTurns = (rate: Rate = { points: 10, seconds: 10 }) => {
  const take = limitRate(rate, 'too_many_turns', 'Too many messages at once. Please wait a moment.');
  return ({ channelId, from }: Sender): Promise<void> => take(JSON.stringify([channelId, from.id]));
};
