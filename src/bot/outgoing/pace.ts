// Keeps the bot within a channel's limits on posts into one conversation before the channel refuses them, and obeys its
// Retry-After. Each refused post costs the customer a wait, and counts against the bot. Counted per process: where several
// post into one chat at once, the refusal decides.
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { channelOf } from '../../platform/channels.ts';
import { roomAt } from '../../platform/limits.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Activity } from '../sdk.ts';
import { ConnectorError } from './connector.ts';
import type { ConnectorStep } from './outgoing.ts';

export interface PaceOptions {
  readonly clock: Clock;
  /** Resolves after that many milliseconds. */
  readonly pause?: (ms: number) => Promise<unknown>;
  /** How long (ms) a post waits for its turn; one that would wait longer fails as `busy`, with the time. */
  readonly patience?: number;
}

interface Thread {
  /** The times of past and planned posts, epoch milliseconds, oldest first. */
  readonly times: number[];
  /** The channel's Retry-After. */
  notBefore: number;
}

/** The number of conversations whose posts are counted; the one that has been quiet for longest is forgotten first. */
const mostThreads = 20_000;

/**
 * A step for every connector of a process: each post into a conversation waits until the channel's limits have room for it,
 * and until a Retry-After of that conversation is over. Counted per process: posts of several processes into one
 * conversation are counted by the channel, which answers 429.
 */
export const makePace = ({ clock, pause = sleep, patience = 3000 }: PaceOptions) => {
  const threads = new LRUCache<string, Thread>({ max: mostThreads });

  const threadOf = (key: string): Thread => {
    const known = threads.get(key);
    if (known) return known;
    const thread: Thread = { times: [], notBefore: 0 };
    threads.set(key, thread);
    return thread;
  };

  const inTurn = async <Result>(key: string, activity: Partial<Activity>, post: () => Promise<Result>): Promise<Result> => {
    const { limits } = channelOf(activity);
    if (limits.length === 0) return post();
    const thread = threadOf(key);
    const { times, notBefore } = thread;
    const at = Math.max(clock.now(), notBefore, times.at(-1) ?? 0, roomAt(times, limits));
    const wait = at - clock.now();
    if (wait > patience) throw new ConnectorError('busy', { retryAfter: wait });
    times.push(at);
    const longest = Math.max(...limits.map(({ points }) => points));
    if (times.length > longest) times.splice(0, times.length - longest);
    if (wait > 0) await pause(wait);
    try {
      return await post();
    } catch (fault) {
      if (fault instanceof ConnectorError && fault.retryAfter !== undefined) thread.notBefore = clock.now() + fault.retryAfter;
      throw fault;
    }
  };

  return (serviceUrl: string): ConnectorStep =>
    (outgoing, next) =>
      outgoing.kind === 'remove'
        ? next(outgoing)
        : inTurn(JSON.stringify([serviceUrl, outgoing.conversation]), outgoing.activity, () => next(outgoing));
};
