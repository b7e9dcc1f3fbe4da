// Trying again within a user's turn, where the channel says that it did not take the activity.
import { setTimeout as sleep } from 'node:timers/promises';
import { fullJitter } from '../platform/backoff.ts';
import type { Clock } from '../platform/clock.ts';
import type { Connector } from './connector.ts';
import { ConnectorError } from './connector-error.ts';

export interface RetryOptions {
  readonly clock: Clock;
  readonly random?: () => number;
  /** Resolves after so many milliseconds. */
  readonly pause?: (ms: number) => Promise<unknown>;
  /** Tries after the first. */
  readonly more?: number;
  /** From the first try to the start of the last, in milliseconds. */
  readonly budget?: number;
}

/**
 * The connector with up to two more tries, and only for `busy` answers (412, 429, 502, 504: Teams asks for them to be retried with jitter).
 * What is in doubt or final surfaces at once, and so does a `busy` whose Retry-After does not fit into what is left of the budget.
 */
export const retryingWhenBusy = (
  connector: Connector,
  { clock, random = Math.random, pause = sleep, more = 2, budget = 3000 }: RetryOptions,
): Connector => {
  const persistently = async <Result>(attempt: () => Promise<Result>): Promise<Result> => {
    const end = clock.now() + budget;
    for (let tries = 0; ; tries++) {
      try {
        return await attempt();
      } catch (fault) {
        if (!(fault instanceof ConnectorError) || fault.code !== 'busy' || tries >= more) throw fault;
        const wait = (fault.retryAfter ?? 0) + fullJitter({ base: 400, cap: 1500 }, tries, random);
        if (clock.now() + wait > end) throw fault;
        await pause(wait);
      }
    }
  };
  return {
    post: (conversationId, activity, replyToId) => persistently(() => connector.post(conversationId, activity, replyToId)),
    update: (conversationId, activityId, activity) => persistently(() => connector.update(conversationId, activityId, activity)),
    remove: (conversationId, activityId) => persistently(() => connector.remove(conversationId, activityId)),
  };
};
