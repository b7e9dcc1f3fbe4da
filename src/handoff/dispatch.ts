// Delivers letters to a hub: those of one handoff in order, with retries until they arrive or nobody needs them any
// more.
import type { Alarm } from '../platform/alarm.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { makeScheduler, type Scheduler } from '../platform/scheduler.ts';
import { postPatienceMs } from '../platform/webhook-post.ts';
import type { HandoffRecord, HandoffStore, PendingLetter } from '../storage/index.ts';
import type { VerificationState } from '../verification/index.ts';
import type { Hub } from './hub.ts';

const second = 1000;
const minute = 60 * second;

/**
 * The waits between attempts, in milliseconds: short at first, because a customer is waiting. After a day the letter is
 * abandoned.
 */
const waits: readonly number[] = [
  second,
  2 * second,
  5 * second,
  15 * second,
  minute,
  5 * minute,
  30 * minute,
  ...[2, 6, 16].map((hours) => hours * 60 * minute),
];
/** The random part of a wait, added on top. */
const jitter = 0.2;
/** Letters delivered at a time. */
const together = 16;
/** How long (ms) a replica keeps the letters that it has claimed. */
const claimMs = postPatienceMs + 5 * second;

export interface DispatchOptions {
  readonly hub: Hub;
  readonly store: HandoffStore;
  readonly prove: (hub: string, verification: VerificationState) => Promise<string | undefined>;
  /** The hub will never accept this handoff. */
  readonly fail: (handoff: HandoffRecord) => void;
  /** The hub has given the handoff a place. */
  readonly placed: (handoff: HandoffRecord, place: string) => Promise<void>;
  readonly shared: boolean;
  readonly clock: Clock;
  readonly alarm: Alarm;
  readonly log: Log;
  /** A random number from 0 up to 1. */
  readonly random?: () => number;
}

export const makeDispatch = (options: DispatchOptions): Pick<Scheduler, 'stop' | 'wake'> => {
  const { hub, store, prove, fail, placed, shared, clock, alarm, log, random = Math.random } = options;
  const stopped = new AbortController();

  const bring = async (letter: PendingLetter) => {
    const handoff = await store.get(letter.handoffId);
    if (!handoff || !hub.bring) return store.settleLetter(letter, { givenUp: 'handoff_gone' });
    const { verification } = letter.data as { verification?: VerificationState };
    const assertion = verification && (await prove(hub.name, verification));
    const posted = await hub.bring(letter, handoff, assertion, stopped.signal);
    // Before the letter is settled: another attempt then finds the place again.
    if (posted.place !== undefined) await placed(handoff, posted.place);
    if (posted.arrived) return store.settleLetter(letter, { arrived: true });
    // Our own stop cut it off, which says nothing about the hub.
    if (stopped.signal.aborted) return store.settleLetter(letter, { again: 0 });
    const { code, gone, retryAfterMs } = posted;
    log.warn({ component: 'handoff', code, attempt: letter.attempts + 1, event: letter.type }, 'a letter did not reach its hub');
    const wait = waits[letter.attempts];
    if (!gone && wait !== undefined)
      return store.settleLetter(letter, { again: Math.round(Math.max(retryAfterMs, wait * (1 + jitter * random()))) });
    await store.settleLetter(letter, { givenUp: code });
    log.error({ component: 'handoff', code, event: letter.type }, 'a letter to a hub is given up');
    // Nobody will come, so the customer need not wait for the timeout.
    if (letter.type === 'requested') fail(handoff);
  };

  const scheduler = makeScheduler({
    ...{ component: 'handoff', clock, alarm, log, shared },
    run: async () => {
      if (stopped.signal.aborted) return 0;
      const letters = await store.claimLetters(hub.name, claimMs, together);
      await Promise.all(letters.map(bring));
      return letters.length;
    },
    nextDue: () => store.nextLetter(hub.name),
  });
  return {
    wake: scheduler.wake,
    stop: async () => {
      stopped.abort();
      await scheduler.stop();
    },
  };
};
