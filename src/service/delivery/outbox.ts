// The outbox: messages are kept for looking at instead of being sent.

import type { Delivery } from '../core/outbox/message.ts';
import type { Seal } from '../core/seal.ts';
import type { OutboxStore } from '../core/store/outbox.ts';

/** What a message in the outbox is sealed under. */
export const outboxContext = (id: string) => `outbox ${id}`;

export const makeOutboxDelivery = (store: OutboxStore, seal: Seal): Delivery => ({
  deliver: async (message) => {
    const { id, requestId, sentAt } = message;
    await store.add({ id, request_id: requestId, sealed: seal.seal(message, outboxContext(id)), created_at: sentAt });
    return { accepted: true };
  },
});
