// Delivers events to a hub: those of one handoff in order, with retries until they arrive or nobody needs them any more.

import type { Line } from '../../dialogs/index.ts';
import { postPatienceMs } from '../platform/outgoing/webhook-post.ts';
import { makeRetryQueue, type QueueParts } from '../platform/retry-queue.ts';
import type { VerificationState } from '../verification/index.ts';
import type { Hub } from './hub.ts';
import type { HandoffRecord, PendingHubEvent } from './record.ts';
import type { HandoffStore } from './store/handoff-statements.ts';

/** What a hub's deliveries and polls share. */
export interface HubQueue extends QueueParts {
  readonly hub: Hub;
  readonly store: HandoffStore;
  /** Called when an event will never reach its hub. */
  readonly givenUp?: ((event: { readonly hub: string; readonly event: string }) => void) | undefined;
  /** Called when what agents did after the end of a handoff could not be read. */
  readonly pollGivenUp?: ((hub: string) => void) | undefined;
}

const second = 1000;
const minute = 60 * second;

/** Short at first, because a customer is waiting. After a day the event is given up. */
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

/** Whether something that the customer has said would be lost with the event. */
const holdsWords = ({ data, type }: PendingHubEvent): boolean =>
  type === 'message' || (type === 'waited' && (data as { readonly lines: readonly Line[] }).lines.some(({ from }) => from === 'customer'));

export const makeHubDelivery = (
  options: HubQueue & {
    readonly prove: (handoff: HandoffRecord, told: VerificationState | undefined) => Promise<string | undefined>;
    /** The hub will never accept this handoff. */
    readonly fail: (handoffId: string) => void;
    /** Tells the customer that a message will not reach the hub. */
    readonly undelivered: (event: PendingHubEvent) => Promise<void>;
    /** The hub has given the handoff a place, where the messages up to `seen` are from before. */
    readonly placed: (handoff: HandoffRecord, place: string, seen?: number) => Promise<void>;
  },
) => {
  const { hub, store, prove, fail, undelivered, givenUp, placed } = options;
  return makeRetryQueue<PendingHubEvent>(options, {
    ...{ component: 'handoff', waits, patienceMs: postPatienceMs, concurrency: 16 },
    messages: { failed: 'an event did not reach its hub', givenUp: 'an event to a hub is given up' },
    claim: (ms, limit) => store.claimEvents(hub.name, ms, limit),
    nextDue: () => store.nextEvent(hub.name),
    attempt: async (event, signal) => {
      const handoff = await store.get(event.handoffId);
      // Erased meanwhile.
      if (!handoff || !hub.deliver) return { done: true };
      const { verification } = event.data as { verification?: VerificationState };
      const result = await hub.deliver(event, handoff, await prove(handoff, verification), signal);
      // Before the event is settled: another attempt then finds the place again.
      if (result.place !== undefined) await placed(handoff, result.place, result.seen);
      return result;
    },
    settle: store.settleEvent,
    // A process that dies before the event is settled tells the customer again.
    giveUp: async (event) => {
      if (holdsWords(event)) await undelivered(event);
    },
    givenUp: ({ handoffId, type }) => {
      givenUp?.({ hub: hub.name, event: type });
      // Nobody will come, so the customer need not wait for the timeout.
      if (type === 'requested') fail(handoffId);
    },
    describe: ({ type }) => ({ event: type }),
  });
};
