// Delivers stored messages: after each send, and again after a refusal, a fault or a restart.

import { makeRetryQueue } from '../../../platform/retry-queue.ts';
import type { Scheduler } from '../../../platform/time/scheduler.ts';
import type { ServiceContext } from '../context.ts';
import { type DueRow, makeDueRows } from '../store/due-rows.ts';
import type { Storage } from '../store/index.ts';
import { type Delivery, message } from './message.ts';
import type { Receipts } from './receipts.ts';

/** The context that a stored message is sealed with. */
export const deliveryContext = (id: string) => `delivery ${id}`;

/** Messages to hand over, sealed. A row is deleted once it is. */
export const dueDeliveries = (storage: Pick<Storage, 'database'>) => makeDueRows(storage, 'deliveries', 'id');

/** @param receipts - do what follows from a message that can never be delivered */
export const makeDispatch = (context: ServiceContext, delivery: Delivery, receipts: Pick<Receipts, 'giveUp'>): Scheduler => {
  const { storage, seal, clock, listeners, givenUp } = context;
  const deliveries = dueDeliveries(storage);
  return makeRetryQueue<DueRow<'deliveries'>>(context, {
    ...{ component: 'dispatch', waits: [1000, 2000, 4000, 8000, 16_000], patienceMs: 10_000, concurrency: 16 },
    messages: { failed: 'a message was not delivered', givenUp: 'a message is given up' },
    claim: (ms, limit) => deliveries.claim(clock.now(), ms, limit),
    nextDue: deliveries.nextDue,
    attempt: async (due, signal) => {
      const read = message.parse(seal.open(due.sealed, deliveryContext(due.id)));
      const { channel } = read;
      const begun = due.begun === 1;
      // Recorded before calling: if the process dies meanwhile, it is known that the message may have arrived.
      if (!begun && delivery.doubles?.(channel)) await deliveries.change(due, { begun: 1 });
      const handover = await delivery.deliver(read, signal, begun);
      if (!handover.accepted) return { ...handover, refused: !handover.unknown };
      const { id: messageId, created_at: sentAt, request_id: requestId } = due;
      const { reached: state, reference } = handover;
      const at = clock.now();
      const receipt = state && { requestId, messageId, channel, sentAt, state, at, reference };
      if (await storage.changes.delivered(due, at, receipt)) listeners.notify(requestId);
      return { done: true };
    },
    // What was delivered is gone already. After a failure that was no clear refusal, the message may have arrived.
    settle: async (due, fate, failure) => {
      if ('givenUp' in fate) await deliveries.remove(due);
      if (!('again' in fate)) return;
      const begun = failure && { begun: failure.refused ? 0 : 1 };
      await deliveries.change(due, { attempts: fate.attempts, due_at: clock.now() + fate.again, ...begun });
    },
    giveUp: (due, { code }) => receipts.giveUp(due, code),
    givenUp: () => givenUp('messages'),
    describe: ({ request_id: interaction }) => ({ interaction }),
  });
};
