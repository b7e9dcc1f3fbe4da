// Delivers stored messages: after each send, and again after a refusal, a fault or a restart.
import { makeRetryQueue, type QueueParts } from '../../../platform/retry-queue.ts';
import type { Scheduler } from '../../../platform/time/scheduler.ts';
import type { Listeners } from '../listeners.ts';
import type { GivenUp } from '../observe.ts';
import type { Seal } from '../secrets/seal.ts';
import type { DueDelivery } from '../store/deliveries.ts';
import type { Storage } from '../store/index.ts';
import { type Delivery, message } from './message.ts';

export interface DispatchOptions extends Omit<QueueParts, 'shared'> {
  readonly storage: Storage;
  readonly delivery: Delivery;
  readonly seal: Seal;
  readonly listeners: Listeners;
  readonly givenUp: GivenUp;
  /** Does what follows from a message that can never be delivered. */
  giveUp(due: DueDelivery, code: string): Promise<void>;
}

/** The context that a stored message is sealed with. */
export const deliveryContext = (id: string) => `delivery ${id}`;

export const makeDispatch = (options: DispatchOptions): Scheduler => {
  const { storage, delivery, seal, clock, listeners, givenUp, giveUp } = options;
  const { changes, deliveries, shared } = storage;
  return makeRetryQueue<DueDelivery>(
    { ...options, shared },
    {
      ...{ component: 'dispatch', waits: [1000, 2000, 4000, 8000, 16_000], patienceMs: 10_000, concurrency: 16 },
      messages: { failed: 'a message was not delivered', givenUp: 'a message is given up' },
      claim: (ms, limit) => deliveries.claimDue(clock.now(), clock.now() + ms, limit),
      nextDue: deliveries.nextDue,
      attempt: async (due, signal) => {
        const read = message.parse(seal.open(due.sealed, deliveryContext(due.id)));
        const { channel } = read;
        // Recorded before calling: if the process dies meanwhile, it is known that the message may have arrived.
        if (!due.begun && delivery.doubles?.(channel)) await deliveries.begin(due);
        const handover = await delivery.deliver(read, signal, due.begun);
        if (!handover.accepted) return { ...handover, refused: !handover.unknown };
        const { id: messageId, createdAt: sentAt, requestId } = due;
        const { reached: state, reference } = handover;
        const at = clock.now();
        const receipt = state && { requestId, messageId, channel, sentAt, state, at, reference };
        if (await changes.delivered(due, at, receipt)) listeners.tell(requestId);
        return { done: true };
      },
      // What was delivered is gone already.
      settle: async (due, fate, failure) => {
        if (!('done' in fate)) await deliveries.settle(due, fate, clock.now(), failure);
      },
      giveUp: (due, { code }) => giveUp(due, code),
      givenUp: () => givenUp('messages'),
      describe: ({ requestId }) => ({ interaction: requestId }),
    },
  );
};
