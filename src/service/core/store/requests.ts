// Stores requests: accepts them with everything that belongs to them, and finds them again.
import { type Expression, type ExpressionBuilder, type Insertable, type SqlBool, sql, type Transaction } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { prepareStatement } from '../../../platform/database/prepared-statement.ts';
import type { By, Facts } from '../audit/actions.ts';
import { headColumns, type Trail } from '../audit/trail.ts';
import { makeQuotas, type StoredQuota, sessionOf } from '../limits/stored-quotas.ts';
import type { Announce } from './notes.ts';
import { asRequest, asRow, type Request, type RequestSecrets } from './request.ts';
import type { DeliveryTable, IdempotencyTable, RequestTable, Schema } from './schema.ts';
import type { SealedColumns } from './sealed-columns.ts';
import { undoable } from './undoable.ts';

/** An event of a request. `seq` orders the events of one request; it may skip numbers. */
export type RequestEvent = Awaited<ReturnType<Requests['events']>>[number];

/** The answer to a send with an idempotency key, sealed, and the digest of its body. */
export type StoredAnswer = Pick<IdempotencyTable, 'answer' | 'digest'>;

/** Everything a send stores, all of it or nothing. */
export interface Acceptance {
  readonly request: Request;
  readonly secrets: RequestSecrets;
  /** Its messages, sealed. */
  readonly messages: readonly { readonly id: string; readonly sealed: string }[];
  readonly idempotency: (StoredAnswer & { readonly key: string }) | undefined;
  /** The quotas of which it takes a point. */
  readonly quotas: readonly StoredQuota[];
  /** Who sent it, and what the customer will see. */
  readonly by: By;
  readonly shown: Facts;
  /** Whether the account also gets the link. */
  readonly returnsLink?: boolean;
  /** Whether it replaces the customer's pending requests of the same app in the same session. */
  readonly supersedes?: boolean;
}

/** The columns that must match for one request to replace another. */
type SessionKey = Pick<Request, 'accountId' | 'app' | 'customerRef' | 'sessionRef'>;

export type Requests = ReturnType<typeof makeRequests>;

export const makeRequests = (database: Database<Schema>, trail: Trail, announce: Announce, sealed: SealedColumns) => {
  const { db, kind } = database;
  const one = async (where: 'id' | 'link_hash' | 'ws_token_hash', value: string) => {
    const row = await db.selectFrom('requests').selectAll().where(where, '=', value).executeTakeFirst();
    return row && asRequest(row, sealed);
  };
  const { takePoints } = makeQuotas(db);
  const addRequest = prepareStatement(db, (to, row: RequestTable) => to.insertInto('requests').values(row));
  const addDelivery = prepareStatement(db, (to, row: Insertable<DeliveryTable>) => to.insertInto('deliveries').values(row));
  /** Adds nothing if the key is taken. */
  const addKey = prepareStatement(db, (to, row: IdempotencyTable) =>
    to
      .insertInto('idempotency')
      .values(row)
      .onConflict((conflict) => conflict.columns(['account_id', 'key']).doNothing()),
  );
  const answerOf = prepareStatement(db, (from, { accountId, key }: { readonly accountId: string; readonly key: string }) =>
    from.selectFrom('idempotency').select(['digest', 'answer']).where('account_id', '=', accountId).where('key', '=', key),
  );
  return {
    /**
     * Stores a send in one transaction, and resolves to the requests withdrawn for it. `duplicate`: another send stored
     * the idempotency key meanwhile, and nothing was done. @throws {QuotaUsedUp} with nothing done either.
     */
    accept: async ({
      request,
      secrets,
      messages,
      idempotency,
      quotas,
      by,
      shown,
      returnsLink = false,
      supersedes = false,
    }: Acceptance): Promise<readonly string[] | 'duplicate'> => {
      const { id, app, customerRef, sessionRef, channel, createdAt } = request;
      const facts = { ...shown, app, customerRef, sessionRef, channel, messages: messages.length };
      const returned = returnsLink ? [{ by, action: 'link.returned' } as const] : [];
      const { head, add: addEntries } = trail.begin(id, [{ by, action: 'request.accepted', facts }, ...returned], createdAt);
      const key = idempotency && { ...idempotency, account_id: request.accountId, ...stamps(request) };
      let superseded: readonly string[] = [];
      const accepted = await undoable(db, async (transaction) => {
        // Before anything else is locked: of two concurrent sends, the second sees the first. SQLite runs one
        // transaction at a time.
        if (supersedes && kind === 'postgres') await queue(transaction, request);
        // The key refers to the request, so the request is added first; a taken key undoes that.
        await addRequest(transaction, asRow(request, secrets, head, sealed.details));
        if (key && (await addKey(transaction, key)).numAffectedRows !== 1n) return false;
        await addEntries(transaction);
        for (const row of asDeliveries(request, messages)) await addDelivery(transaction, row);
        if (supersedes) superseded = await supersede(transaction, request, by, trail, announce);
        await takePoints(transaction, quotas, sessionOf(request), createdAt);
        return true;
      });
      return accepted ? superseded : 'duplicate';
    },

    answerOf: async (accountId: string, key: string): Promise<StoredAnswer | undefined> => (await answerOf(db, { accountId, key })).rows[0],

    find: async (accountId: string, id: string): Promise<Request | undefined> => {
      const request = await one('id', id);
      return request?.accountId === accountId ? request : undefined;
    },
    /** A request as it was read. */
    from: (row: RequestTable): Request => asRequest(row, sealed),
    /** For internal use, where no account makes the call. */
    get: (id: string): Promise<Request | undefined> => one('id', id),
    /** A session's pending requests of an app for a customer. */
    pendingOf: async ({ accountId, customerRef, app, sessionRef }: SessionKey): Promise<Request[]> => {
      const ofCustomer = db.selectFrom('requests').selectAll().where('account_id', '=', accountId).where('customer_ref', '=', customerRef);
      const pending = ofCustomer.where('app', '=', app).where('state', '=', 'pending').where('session_ref', '=', sessionRef);
      return (await pending.execute()).map((row) => asRequest(row, sealed));
    },
    byWsToken: (hash: string): Promise<Request | undefined> => one('ws_token_hash', hash),
    byLink: (hash: string): Promise<Request | undefined> => one('link_hash', hash),
    /** The request of a link that became void when the message was sent again. */
    byFormerLink: async (hash: string): Promise<Request | undefined> => {
      const former = await db.selectFrom('former_links').select('request_id').where('link_hash', '=', hash).executeTakeFirst();
      return former && one('id', former.request_id);
    },

    /** A request's events after the given position, in order. */
    events: async (id: string, after = 0) => {
      const rows = await db.selectFrom('events').selectAll().where('request_id', '=', id).where('seq', '>', after).orderBy('seq').execute();
      return rows.map(({ seq, id, type, created_at }) => ({ seq, id, type, at: created_at }));
    },

    /** The states of those requests that exist, in no order. */
    states: (ids: readonly string[]) => {
      // One parameter, however many they are. Only replicas poll, so SQLite's way is there for completeness.
      const among =
        kind === 'postgres' ? sql<boolean>`id = any(${ids})` : sql<boolean>`id in (select value from json_each(${JSON.stringify(ids)}))`;
      return db.selectFrom('requests').select(['id', 'state', 'last_seq as lastSeq']).where(among).execute();
    },
  };
};

const stamps = ({ id, createdAt }: Request) => ({ request_id: id, created_at: createdAt });

/** Withdraws pending requests, which end without a result or an event. Resolves to their ids. */
export const withdraw = async (
  transaction: Transaction<Schema>,
  which: (eb: ExpressionBuilder<Schema, 'requests'>) => Expression<SqlBool>,
  { by, at, facts, code }: { readonly by: By; readonly at: number; readonly facts?: Facts; readonly code?: string },
  trail: Trail,
  announce: Announce,
): Promise<string[]> => {
  const pending = transaction.updateTable('requests').where('state', '=', 'pending').where(which);
  const over = pending.set({ state: 'cancelled', finished_at: at, code_hash: null });
  const rows = await over.returning(['id', 'account_id', ...headColumns]).execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await transaction.deleteFrom('deliveries').where('request_id', 'in', ids).execute();
  for (const { id, account_id: accountId, ...head } of rows) {
    await trail.append(transaction, id, head, [{ by, action: 'request.cancelled', facts }], at);
    await announce(transaction, { accountId, requestId: id, types: ['request.cancelled'], at, code });
  }
  return ids;
};

/** Makes concurrent sends of one app and session to one customer wait for each other. */
const queue = async (transaction: Transaction<Schema>, { accountId, app, customerRef, sessionRef }: SessionKey) => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${accountId} ${app} ${customerRef} ${sessionRef}`}, 0))`.execute(transaction);
};

/**
 * Withdraws the session's pending requests of the same app for the same customer, and records which request replaces
 * them.
 */
const supersede = async (transaction: Transaction<Schema>, request: Request, by: By, trail: Trail, announce: Announce) => {
  const { id: newer, app, createdAt: at } = request;
  const how = { by, at, facts: { supersededBy: newer }, code: 'superseded' };
  const older = { ...sessionOf(request), app };
  const ids = await withdraw(transaction, (eb) => eb.and(older).and('id', '<>', newer), how, trail, announce);
  const none = { message_id: '', channel: null, reference: null, message_at: null };
  const note = (id: string) => ({ ...none, request_id: id, type: 'request.superseded', code: newer, created_at: at });
  if (ids.length > 0) await transaction.insertInto('notes').values(ids.map(note)).execute();
  return ids;
};

/** The rows of a request's messages, due at once. */
export const asDeliveries = (
  { id, sentAt }: Pick<Request, 'id' | 'sentAt'>,
  messages: Acceptance['messages'],
): Insertable<DeliveryTable>[] =>
  messages.map((message) => ({ ...message, request_id: id, attempts: 0, due_at: sentAt, created_at: sentAt }));
