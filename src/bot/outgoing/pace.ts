// Keeps the bot within a channel's limits on posts into one conversation before the channel refuses them, and obeys its
// Retry-After. Each refused post costs the customer a wait, and counts against the bot. Counted per process: where several
// post into one chat at once, the refusal decides.
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { channelOf } from '../../platform/channels.ts';
import { roomAt } from '../../platform/limits.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { ConnectorError } from './connector.ts';
import type { ConnectorStep } from './outgoing.ts';

/** The times (epoch ms) of past and planned posts, oldest first, and the channel's Retry-After. */
type Thread = { readonly times: number[]; notBefore: number };

/** The number of conversations whose posts are counted; the one that has been quiet for longest is forgotten first. */
const maxThreads = 20_000;

/**
 * A step for every connector of a process: each post into a conversation waits until the channel's limits have room for it,
 * and until a Retry-After of that conversation is over. Counted per process: posts of several processes into one
 * conversation are counted by the channel, which answers 429.
 * @param patience - how long (ms) a post waits for its turn; one that would wait longer fails as `busy`, with the time
 * @param pause - resolves after that many milliseconds
 */
export const makePace = (clock: Clock, patience = 3000, pause: (ms: number) => Promise<unknown> = sleep) => {
  const threads = new LRUCache<string, Thread>({ max: maxThreads, memoMethod: () => ({ times: [], notBefore: 0 }) });

  return (serviceUrl: string): ConnectorStep =>
    async (outgoing, next) => {
      const limits = outgoing.kind === 'remove' ? [] : channelOf(outgoing.activity).limits;
      if (limits.length === 0) return next(outgoing);
      const thread = threads.memo(JSON.stringify([serviceUrl, outgoing.conversation]));
      const { times, notBefore } = thread;
      const at = Math.max(clock.now(), notBefore, times.at(-1) ?? 0, roomAt(times, limits));
      const wait = at - clock.now();
      if (wait > patience) throw new ConnectorError('busy', { retryAfter: wait });
      times.push(at);
      const longest = Math.max(...limits.map(({ points }) => points));
      if (times.length > longest) times.splice(0, times.length - longest);
      if (wait > 0) await pause(wait);
      try {
        return await next(outgoing);
      } catch (fault) {
        if (fault instanceof ConnectorError && fault.retryAfter !== undefined) thread.notBefore = clock.now() + fault.retryAfter;
        throw fault;
      }
    };
};
