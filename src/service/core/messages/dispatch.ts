// Delivers stored messages: after each send, and again after a refusal, a fault or a restart.

import { makeRetryQueue } from '../../../platform/retry-queue.ts';
import type { Scheduler } from '../../../platform/time/scheduler.ts';
import type { ServiceContext } from '../context.ts';
import type { DueDelivery } from '../store/deliveries.ts';
import { type Delivery, message } from './message.ts';
import type { Receipts } from './receipts.ts';

/** The context that a stored message is sealed with. */
export const deliveryContext = (id: string) => `delivery ${id}`;

/** @param receipts - do what follows from a message that can never be delivered */
export const makeDispatch = (context: ServiceContext, delivery: Delivery, receipts: Pick<Receipts, 'giveUp'>): Scheduler => {
  const { storage, seal, clock, listeners, givenUp } = context;
  const { changes, deliveries } = storage;
  return makeRetryQueue<DueDelivery>(context, {
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
      if (await changes.delivered(due, at, receipt)) listeners.notify(requestId);
      return { done: true };
    },
    // What was delivered is gone already.
    settle: async (due, fate, failure) => {
      if (!('done' in fate)) await deliveries.settle(due, fate, clock.now(), failure);
    },
    giveUp: (due, { code }) => receipts.giveUp(due, code),
    givenUp: () => givenUp('messages'),
    describe: ({ requestId }) => ({ interaction: requestId }),
  });
};
