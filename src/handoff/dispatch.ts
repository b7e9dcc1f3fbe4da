// Delivers letters to a hub: those of one handoff in order, with retries until they arrive or nobody needs them any
// more.
import type { Alarm } from '../platform/alarm.ts';
import type { Clock } from '../platform/clock.ts';
import { faultFields, type Log } from '../platform/log.ts';
import { makeScheduler, type Scheduler } from '../platform/scheduler.ts';
import { postPatienceMs } from '../platform/webhook-post.ts';
import type { HandoffRecord, HandoffStore, PendingLetter } from '../storage/index.ts';
import type { VerificationState } from '../verification/index.ts';
import type { Line } from './case.ts';
import type { Brought, Hub } from './hub.ts';
import type { AgentSide } from './sides.ts';

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
/** How long (ms) to wait before telling the customer again that a message is lost, and how often. */
const tellAgainMs = 30 * second;
const tellings = 5;

/** Whether something that the customer has said would be lost with the letter. */
const holdsWords = ({ data, type }: PendingLetter): boolean =>
  type === 'message' || (type === 'waited' && (data as { readonly lines: readonly Line[] }).lines.some(({ from }) => from === 'customer'));

export interface DispatchOptions {
  readonly hub: Hub;
  readonly store: HandoffStore;
  readonly prove: AgentSide['prove'];
  /** The hub will never accept this handoff. */
  readonly fail: (handoff: HandoffRecord) => void;
  /** Tells the customer that a message will not reach the hub. */
  readonly undelivered: (handoff: HandoffRecord, letter: PendingLetter) => Promise<void>;
  /** Counts an event that is given up. */
  readonly givenUp?: ((event: { readonly hub: string; readonly event: string }) => void) | undefined;
  /** The hub has given the handoff a place, where the messages up to `seen` are from before. */
  readonly placed: (handoff: HandoffRecord, place: string, seen?: number) => Promise<void>;
  readonly shared: boolean;
  readonly clock: Clock;
  readonly alarm: Alarm;
  readonly log: Log;
  /** A random number from 0 up to 1. */
  readonly random?: () => number;
}

export const makeDispatch = (options: DispatchOptions): Pick<Scheduler, 'stop' | 'wake'> => {
  const { hub, store, prove, fail, undelivered, givenUp, placed, shared, clock, alarm, log, random = Math.random } = options;
  const stopped = new AbortController();

  /** Whether the customer has been told that a message did not reach the hub. */
  const told = async (handoff: HandoffRecord, letter: PendingLetter) => {
    try {
      await undelivered(handoff, letter);
      return true;
    } catch (fault) {
      log.warn({ ...faultFields(fault), component: 'handoff' }, 'that a message did not reach its hub could not be told yet');
      return false;
    }
  };

  const bring = async (letter: PendingLetter) => {
    const handoff = await store.get(letter.handoffId);
    if (!handoff || !hub.bring) return store.settleLetter(letter, { givenUp: 'handoff_gone' });
    const { verification } = letter.data as { verification?: VerificationState };
    let posted: Brought;
    try {
      const assertion = await prove(handoff, verification);
      posted = await hub.bring(letter, handoff, assertion, stopped.signal);
    } catch (fault) {
      // Counted like any other failure, so that it is tried less and less often, and given up at last.
      log.error(
        { ...faultFields(fault), component: 'handoff', event: letter.type },
        'a letter could not be delivered, for an unknown reason',
      );
      posted = { arrived: false, code: 'unexpected', gone: false, retryAfterMs: 0 };
    }
    // Before the letter is settled: another attempt then finds the place again.
    if (posted.place !== undefined) await placed(handoff, posted.place, posted.seen);
    if (posted.arrived) return store.settleLetter(letter, { arrived: true });
    // Our own stop cut it off, which says nothing about the hub.
    if (stopped.signal.aborted) return store.settleLetter(letter, { givenBack: true });
    const { code, gone, retryAfterMs } = posted;
    log.warn({ component: 'handoff', code, attempt: letter.attempts + 1, event: letter.type }, 'a letter did not reach its hub');
    const wait = waits[letter.attempts];
    if (!gone && wait !== undefined)
      return store.settleLetter(letter, { again: Math.round(Math.max(retryAfterMs, wait * (1 + jitter * random()))) });
    // Before it is settled: a process that dies in between tells the customer again.
    if (holdsWords(letter) && !(await told(handoff, letter)) && letter.attempts < waits.length + tellings)
      return store.settleLetter(letter, { again: tellAgainMs });
    await store.settleLetter(letter, { givenUp: code });
    log.error({ component: 'handoff', code, event: letter.type }, 'a letter to a hub is given up');
    givenUp?.({ hub: hub.name, event: letter.type });
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
