// The outbox: messages are stored instead of sent, sealed, and read with the state of their request.
import type { Delivery } from '../../core/messages/message.ts';
import type { Seal } from '../../core/secrets/seal.ts';
import type { Storage } from '../../core/store/index.ts';
import { type DeliveryState, reachedBy } from '../../core/store/notes.ts';
import type { OutboxTable } from './tables.ts';

/** A message in the outbox, still sealed. */
export interface OutboxRow {
  readonly id: string;
  readonly sealed: string;
  readonly at: number;
  readonly accountId: string;
  readonly app: string;
  readonly state: string;
  /** Whether a newer message has made this one's link or code void. */
  readonly replaced: boolean;
  /** Its delivery state, if a gateway accepted it too. */
  readonly reached: DeliveryState | undefined;
}

export type OutboxStore = ReturnType<typeof makeOutboxStore>;

export const makeOutboxStore = ({ database: { db } }: Pick<Storage, 'database'>) => ({
  /** Adds a message, with `created_at` as the time of sending; an existing one stays unchanged. */
  add: async (message: OutboxTable) => {
    await db
      .insertInto('outbox')
      .values(message)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  },
  newest: async (limit: number): Promise<OutboxRow[]> => {
    const rows = await db
      .selectFrom('outbox')
      .innerJoin('requests', 'requests.id', 'outbox.request_id')
      .select([
        'outbox.id',
        'outbox.sealed',
        'outbox.created_at',
        'requests.account_id',
        'requests.app',
        'requests.state',
        'requests.sent_at',
      ])
      .orderBy('outbox.created_at', 'desc')
      .orderBy('outbox.id', 'desc')
      .limit(limit)
      .execute();
    const reached = await reachedBy(
      db,
      rows.map(({ id }) => id),
    );
    return rows.map(({ id, sealed, created_at, account_id, app, state, sent_at }) => ({
      reached: reached.get(id),
      id,
      sealed,
      at: created_at,
      accountId: account_id,
      app,
      state,
      replaced: created_at < sent_at,
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
