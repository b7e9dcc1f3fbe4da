// The outbox: messages are stored and shown instead of sent.

import type { Delivery } from '../../core/messages/message.ts';
import type { Seal } from '../../core/secrets/seal.ts';
import type { OutboxStore } from './store.ts';

/** The context that a message in the outbox is sealed with. */
export const outboxContext = (id: string) => `outbox ${id}`;

export const makeOutboxDelivery = (store: OutboxStore, seal: Seal): Delivery => ({
  deliver: async (message) => {
    const { id, requestId, sentAt } = message;
    await store.add({ id, request_id: requestId, sealed: seal.seal(message, outboxContext(id)), created_at: sentAt });
    return { accepted: true };
  },
});
