// The changes of a pending request, each an atomic step. The first ending wins, and nothing follows it.
import type { Transaction } from 'kysely';
import { type EventType, finalEvents, type ResultStatus, settles } from '../../../contract/index.ts';
import type { Database } from '../../../platform/database/database.ts';
import { prepareStatement } from '../../../platform/database/prepared-statement.ts';
import type { By, Facts } from '../audit/actions.ts';
import { resultDigest } from '../audit/chain.ts';
import { system } from '../audit/origin.ts';
import { headColumns, type Trail } from '../audit/trail.ts';
import { makeQuotas, sessionColumns } from '../limits/stored-quotas.ts';
import type { DueRow } from './due-rows.ts';
import { makeLease } from './lease.ts';
import { type Announce, keepReceipt, type Receipt } from './notes.ts';
import type { Request } from './request.ts';
import { type Acceptance, asDeliveries, withdraw } from './requests.ts';
import type { EventTable, RequestTable, Schema } from './schema.ts';
import type { SealedColumns } from './sealed-columns.ts';
import { type Effect, undoable } from './undoable.ts';

/** What the audit trail records of a change besides its events: who made it, and what they saw. */
export interface Recorded {
  readonly by: By;
  /** What the page shows; recorded when it is opened. */
  readonly shown?: Facts | undefined;
}

/** How a request ends. */
export interface Ending extends Recorded {
  readonly status: ResultStatus;
  /** The result record, as it is read later. */
  readonly result: object;
  readonly at: number;
  /** Events that must precede the ending; missing ones are added. */
  readonly preceding?: readonly EventType[] | undefined;
  /** Whether the request must not have expired: true for customers' actions, false for the scheduler's. */
  readonly beforeExpiry: boolean;
  /** A change to store together with the ending. */
  readonly effect?: Effect | undefined;
}

/**
 * Sends a request's message again, with a new link or code. If the number of earlier resends has changed since it was
 * decided, it is void.
 */
type Resending = Pick<Request, 'expiresAt' | 'id' | 'resends'> &
  Pick<Acceptance, 'by' | 'messages' | 'quotas'> &
  Pick<RequestTable, 'code_hash' | 'link_hash'> & { readonly at: number };

/** Read from the row that a change has locked: the account, the positions for its events, and the end of the trail. */
const locked = ['account_id', 'last_seq', ...headColumns] as const;
type Locked = Pick<RequestTable, (typeof locked)[number]>;

export const makeChanges = (
  { db, kind }: Database<Schema>,
  trail: Trail,
  newId: (now: number) => string,
  announce: Announce,
  results: SealedColumns['results'],
) => {
  const hold = makeLease(kind);
  const { takePoints } = makeQuotas(db);
  const addEvent = prepareStatement(db, (to, row: EventTable) => to.insertInto('events').values(row));
  /** Reserves positions for events of a pending request, and locks its row. */
  const reserve = prepareStatement(db, (to, { id, count }: { readonly id: string; readonly count: number }) => {
    const pending = to.updateTable('requests').where('id', '=', id).where('state', '=', 'pending');
    return pending.set((eb) => ({ last_seq: eb('last_seq', '+', count) })).returning(locked);
  });
  /**
   * Adds events at the positions reserved in the request's locked row, and adds them to the audit trail and to
   * webhooks.
   */
  const append = async (
    transaction: Transaction<Schema>,
    id: string,
    types: readonly EventType[],
    { account_id: accountId, last_seq, ...head }: Locked,
    at: number,
    { by, shown, facts }: Recorded & { readonly facts?: Facts },
  ) => {
    if (types.length === 0) return;
    const start = last_seq - types.length;
    const event = (type: EventType, index: number) => ({ request_id: id, seq: start + index + 1, id: newId(at), type, created_at: at });
    for (const row of types.map(event)) await addEvent(transaction, row);
    const factsOf = (type: EventType) => (type === 'task.bootstrapped' ? shown : settles(type) ? facts : undefined);
    const acts = types.map((action) => ({ by, action, facts: factsOf(action) }));
    await trail.append(transaction, id, head, acts, at);
    await announce(transaction, { accountId, requestId: id, types, at });
  };

  const missing = async (transaction: Transaction<Schema>, id: string, types: readonly EventType[]) => {
    if (types.length === 0) return types;
    const known = await transaction.selectFrom('events').select('type').where('request_id', '=', id).execute();
    return types.filter((type) => !known.some((event) => event.type === type));
  };

  const note = async (
    transaction: Transaction<Schema>,
    id: string,
    types: readonly EventType[],
    at: number,
    repeat: 'again' | 'once',
    recorded: Recorded,
  ) => {
    const [row] = (await reserve(transaction, { id, count: types.length })).rows;
    if (!row) return false;
    const added = repeat === 'again' ? types : await missing(transaction, id, types);
    await append(transaction, id, added, row, at, recorded);
    return added.length > 0;
  };

  return {
    /** Adds events to a pending request. Resolves to whether any were added. */
    note: (id: string, types: readonly EventType[], at: number, repeat: 'again' | 'once', recorded: Recorded): Promise<boolean> =>
      db.transaction().execute((transaction) => note(transaction, id, types, at, repeat, recorded)),

    /** Ends a pending request with its result and final event. `false`: it was already over, or the effect refused. */
    finish: (id: string, { status, result, at, preceding = [], beforeExpiry, effect, ...recorded }: Ending): Promise<boolean> =>
      undoable(db, async (transaction) => {
        const stored = JSON.stringify(result);
        let pending = transaction.updateTable('requests').where('id', '=', id).where('state', '=', 'pending');
        if (beforeExpiry) pending = pending.where('expires_at', '>', at);
        const row = await pending
          .set((eb) => ({
            state: status,
            result: results.seal(stored, id),
            finished_at: at,
            code_hash: null,
            last_seq: eb('last_seq', '+', preceding.length + 1),
          }))
          .returning(locked)
          .executeTakeFirst();
        const done = row && (effect ? await effect(transaction) : true);
        if (!row || !done) return false;
        const facts = { ...(done !== true && done), result: resultDigest(stored) };
        const types = [...(await missing(transaction, id, preceding)), finalEvent[status]];
        await append(transaction, id, types, row, at, { ...recorded, facts });
        await transaction.deleteFrom('deliveries').where('request_id', '=', id).execute();
        return true;
      }),

    /** Withdraws a pending request, without a result or an event. `false`: it was already over. */
    cancel: (id: string, at: number, by: By): Promise<boolean> =>
      db
        .transaction()
        .execute(async (transaction) => (await withdraw(transaction, (eb) => eb('id', '=', id), { by, at }, trail, announce)).length > 0),

    /** Advances a behaviour by one step and adds its event. `false`: another process did, or the request is over. */
    advance: (
      { id, step }: Pick<Request, 'id' | 'step'>,
      event: EventType,
      at: number,
      dueAt: number,
      recorded: Recorded,
    ): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        const pending = transaction.updateTable('requests').where('id', '=', id).where('state', '=', 'pending').where('step', '=', step);
        const row = await pending
          .set((eb) => ({ step: step + 1, due_at: dueAt, last_seq: eb('last_seq', '+', 1) }))
          .returning(locked)
          .executeTakeFirst();
        if (!row) return false;
        await append(transaction, id, await missing(transaction, id, [event]), row, at, recorded);
        return true;
      }),

    /** `false`: the request is over, or was resent meanwhile. @throws {QuotaUsedUp} with nothing changed. */
    resend: ({ id, resends, at, expiresAt, messages, quotas, by, ...hashes }: Resending): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        const before = await transaction.selectFrom('requests').select('link_hash').where('id', '=', id).executeTakeFirst();
        const row = await transaction
          .updateTable('requests')
          .set((eb) => ({
            resends: resends + 1,
            sent_at: at,
            expires_at: expiresAt,
            // A request without steps is due when it expires; one with steps takes up the new expiry after its last
            // step.
            due_at: eb.case().when('due_at', '=', eb.ref('expires_at')).then(expiresAt).else(eb.ref('due_at')).end(),
            ...hashes,
            checks: 0,
          }))
          .where('id', '=', id)
          .where('state', '=', 'pending')
          .where('expires_at', '>', at)
          .where('resends', '=', resends)
          .returning([...headColumns, ...sessionColumns])
          .executeTakeFirst();
        if (!row) return false;
        const former = before?.link_hash;
        if (former) await transaction.insertInto('former_links').values({ link_hash: former, request_id: id }).execute();
        await trail.append(
          transaction,
          id,
          row,
          [{ by, action: 'message.resent', facts: { messages: messages.length, resends: resends + 1 } }],
          at,
        );
        await takePoints(transaction, quotas, row, at);
        // Pending messages carry the link or code that has just become void.
        await transaction.deleteFrom('deliveries').where('request_id', '=', id).execute();
        await transaction
          .insertInto('deliveries')
          .values(asDeliveries({ id, sentAt: at }, messages))
          .execute();
        return true;
      }),

    /**
     * Removes a message that was handed over, stores the gateway's receipt, if any, and adds the sent event if it was
     * the request's own message. Resolves to whether the event was added.
     */
    delivered: ({ id, claim, request_id: requestId }: DueRow<'deliveries'>, at: number, receipt?: Receipt): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        // A single replica needs no lock, and this runs for every message.
        if (kind === 'postgres') await hold(transaction, requestId);
        const taken = transaction.deleteFrom('deliveries').where('id', '=', id).where('due_at', '=', claim);
        const row = await taken.returning('announced').executeTakeFirst();
        if (row && receipt) await keepReceipt(transaction, announce, receipt);
        return row?.announced === 1 && note(transaction, requestId, ['task.sent'], at, 'again', { by: system });
      }),
  };
};

const finalEvent = Object.fromEntries(Object.entries(finalEvents).map(([event, status]) => [status, event])) as {
  [Status in ResultStatus]: EventType;
};
