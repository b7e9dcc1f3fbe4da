// The outbox: messages are stored instead of sent, sealed, and read with the state of their request.
import type { ServiceContext } from '../../core/context.ts';
import type { Delivery } from '../../core/messages/message.ts';
import { reachedBy } from '../../core/store/notes.ts';

/** A message in the outbox, still sealed. */
export type OutboxRow = Awaited<ReturnType<typeof newestMessages>>[number];

export const newestMessages = async ({ storage }: Pick<ServiceContext, 'storage'>, limit: number) => {
  const { db } = storage.database;
  const rows = await db
    .selectFrom('outbox')
    .innerJoin('requests', 'requests.id', 'outbox.request_id')
    .select(['outbox.id', 'outbox.sealed', 'outbox.created_at', 'requests.account_id', 'requests.state', 'requests.sent_at'])
    .orderBy('outbox.created_at', 'desc')
    .orderBy('outbox.id', 'desc')
    .limit(limit)
    .execute();
  const ids = rows.map(({ id }) => id);
  const reached = await reachedBy(db, ids);
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
};

/** The context that a message in the outbox is sealed with. */
export const outboxContext = (id: string) => `outbox ${id}`;

export const makeOutboxDelivery = ({ storage, seal }: Pick<ServiceContext, 'seal' | 'storage'>): Delivery => ({
  deliver: async (message) => {
    const { id, requestId, sentAt } = message;
    const row = { id, request_id: requestId, sealed: seal.seal(message, outboxContext(id)), created_at: sentAt };
    await storage.database.db
      .insertInto('outbox')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
    return { accepted: true };
  },
});
