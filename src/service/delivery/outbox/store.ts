// The outbox: messages are stored instead of sent, sealed, and read with the state of their request.
import type { Delivery } from '../../core/messages/message.ts';
import type { Seal } from '../../core/secrets/seal.ts';
import type { Storage } from '../../core/store/index.ts';
import { reachedBy } from '../../core/store/notes.ts';
import type { OutboxTable } from './tables.ts';

export type OutboxStore = ReturnType<typeof makeOutboxStore>;

/** A message in the outbox, still sealed. */
export type OutboxRow = Awaited<ReturnType<OutboxStore['newest']>>[number];

export const makeOutboxStore = ({ database: { db } }: Pick<Storage, 'database'>) => ({
  /** Adds a message, with `created_at` as the time of sending; an existing one stays unchanged. */
  add: async (message: OutboxTable) => {
    await db
      .insertInto('outbox')
      .values(message)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  },
  newest: async (limit: number) => {
    const rows = await db
      .selectFrom('outbox')
      .innerJoin('requests', 'requests.id', 'outbox.request_id')
      .select(['outbox.id', 'outbox.sealed', 'outbox.created_at', 'requests.account_id', 'requests.state', 'requests.sent_at'])
      .orderBy('outbox.created_at', 'desc')
      .orderBy('outbox.id', 'desc')
      .limit(limit)
      .execute();
    const reached = await reachedBy(
      db,
      rows.map(({ id }) => id),
    );
    return rows.map(({ id, sealed, created_at, account_id, state, sent_at }) => ({
      id,
      sealed,
      accountId: account_id,
      state,
      /** Whether a newer message has made this one's link or code void. */
      replaced: created_at < sent_at,
      /** Its delivery state, if a gateway accepted it too. */
      reached: reached.get(id),
    }));
  },
});

/** The context that a message in the outbox is sealed with. */
export const outboxContext = (id: string) => `outbox ${id}`;

export const makeOutboxDelivery = (store: OutboxStore, seal: Seal): Delivery => ({
  deliver: async (message) => {
    const { id, requestId, sentAt } = message;
    await store.add({ id, request_id: requestId, sealed: seal.seal(message, outboxContext(id)), created_at: sentAt });
    return { accepted: true };
  },
});
