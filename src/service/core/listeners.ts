// Tells the followers of a request that it changed, on every replica. Only a hint: what changed is read from the
// database.
import type { Bus } from '../../platform/database/bus.ts';
import { faultFields, type Log } from '../../platform/log.ts';
import { sleep } from '../../platform/time/waits.ts';
import type { Requests } from './store/requests.ts';

/** Follows a request: it changed, or may have. `position`: the sequence number of the last event that it received. */
type Follower = { changed(): void; position(): number };

const topic = 'request';
/** The interval (ms) at which followed requests are polled, all in one statement. */
const pollEvery = 5_000;

/**
 * @param requests - the store in which followed requests are polled, in case a notification between replicas is lost.
 * Unset: a single replica
 */
export const makeListeners = (bus: Bus, log: Log, requests?: Pick<Requests, 'states'>) => {
  const following = new Map<string, Set<Follower>>();
  /** The state of each followed request at the last poll. */
  const seen = new Map<string, string>();
  const stop = new AbortController();

  const ring = (requestId: string) => {
    for (const { changed } of [...(following.get(requestId) ?? [])]) changed();
  };

  const poll = async ({ states }: Pick<Requests, 'states'>) => {
    for (const { id, state, lastSeq } of await states([...following.keys()])) {
      const followers = following.get(id);
      const before = seen.get(id);
      const now = `${state} ${lastSeq}`;
      if (!followers || before === now) continue;
      seen.set(id, now);
      // At the first poll, most followers have just read everything.
      if (before !== undefined || state !== 'pending' || [...followers].some((follower) => follower.position() < lastSeq)) ring(id);
    }
  };
  let polling: Promise<void> | undefined;
  const pollSafely = () => {
    if (!requests || stop.signal.aborted) return;
    polling ??= poll(requests)
      .catch((fault: unknown) => log.warn({ ...faultFields(fault), component: 'listeners' }, 'what is followed could not be looked at'))
      .finally(() => {
        polling = undefined;
      });
  };

  const unsubscribe = bus.subscribe(topic, (requestId) => (requestId === undefined ? pollSafely() : ring(requestId)));
  const watch = async () => {
    while (await sleep(pollEvery, stop.signal)) pollSafely();
  };
  let watching: Promise<void> | undefined;

  return {
    /** Tells a follower about each change of a request, until the returned function is called. */
    on: (requestId: string, follower: Follower): (() => void) => {
      if (requests) watching ??= watch();
      const here = following.get(requestId) ?? new Set();
      following.set(requestId, here.add(follower));
      return () => {
        here.delete(follower);
        if (here.size > 0 || following.get(requestId) !== here) return;
        following.delete(requestId);
        seen.delete(requestId);
      };
    },
    /** Calls `changed` after each change of any request, on whichever replica, until the bus closes. */
    onAny: (changed: () => void): void => {
      bus.subscribe(topic, changed);
    },
    notify: (requestId: string): void => bus.publish(topic, requestId),
    close: async (): Promise<void> => {
      unsubscribe();
      stop.abort();
      await Promise.all([watching, polling]);
    },
  };
};
