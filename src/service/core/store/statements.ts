// The prepared statements of every send, and of the messages and steps that follow it.
import type { Insertable, Kysely } from 'kysely';
import { statement } from '../../../platform/statement.ts';
import type { DueDelivery } from './deliveries.ts';
import type { DeliveryTable, EventTable, IdempotencyTable, RequestTable, Schema } from './schema.ts';
import { headColumns } from './trail.ts';

export const addRequest = statement((db: Kysely<Schema>, row: RequestTable) => db.insertInto('requests').values(row));

export const addDelivery = statement((db: Kysely<Schema>, row: Insertable<DeliveryTable>) => db.insertInto('deliveries').values(row));

/** Adds nothing if the key is taken. */
export const addKey = statement((db: Kysely<Schema>, row: IdempotencyTable) =>
  db
    .insertInto('idempotency')
    .values(row)
    .onConflict((conflict) => conflict.columns(['account_id', 'key']).doNothing()),
);

export const answerOf = statement((db: Kysely<Schema>, { accountId, key }: { readonly accountId: string; readonly key: string }) =>
  db.selectFrom('idempotency').select(['digest', 'answer']).where('account_id', '=', accountId).where('key', '=', key),
);

/**
 * The columns that a change reads from the row it has locked, which keeps replicas apart: the account, the positions
 * for its events, and the end of the trail.
 */
export const locked = ['account_id', 'last_seq', ...headColumns] as const;

/** Reserves positions for events of a pending request, and locks its row. */
export const reserve = statement((db: Kysely<Schema>, { id, count }: { readonly id: string; readonly count: number }) =>
  db
    .updateTable('requests')
    .set((eb) => ({ last_seq: eb('last_seq', '+', count) }))
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .returning(locked),
);

export const addEvent = statement((db: Kysely<Schema>, row: EventTable) => db.insertInto('events').values(row));

/** Deletes a message that was handed over under this claim. */
export const takeAway = statement((db: Kysely<Schema>, { id, claim }: Pick<DueDelivery, 'claim' | 'id'>) =>
  db.deleteFrom('deliveries').where('id', '=', id).where('due_at', '=', claim).returning('announced'),
);
