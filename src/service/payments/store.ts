// Stores the payments of requests: one row per request, written before the gateway is called.

import { claimRows } from '../../platform/database/claim-rows.ts';
import type { ClaimedRow, Settlement } from '../../platform/retry-queue.ts';
import type { By, Facts } from '../core/audit/actions.ts';
import { decimalOf, decimalsOf } from '../core/money.ts';
import type { Storage } from '../core/store/index.ts';
import { makeLease } from '../core/store/lease.ts';
import type { Effect } from '../core/store/undoable.ts';
import type { CheckoutTable } from './tables.ts';

/** The state of a checkout: being created, open for payment, paid, or closed for good. */
type StoredState = 'closed' | 'creating' | 'open' | 'paid';

/** The payment of a request. */
export type Checkout = ReturnType<typeof asCheckout>;

/** A checkout that its ended request has left open. */
export type LeftOpenCheckout = Checkout & ClaimedRow;

export type Checkouts = ReturnType<typeof makeCheckouts>;

/** Records a payment together with the ending that it causes; `facts` are for the audit trail. */
export const markPaid =
  (requestId: string, facts: Facts): Effect =>
  async (transaction) => {
    await transaction.updateTable('checkouts').set({ state: 'paid' }).where('request_id', '=', requestId).execute();
    return facts;
  };

export const makeCheckouts = ({ database, trail }: Pick<Storage, 'database' | 'trail'>) => {
  const { db, kind } = database;
  const of = async (requestId: string) => {
    const row = await db.selectFrom('checkouts').selectAll().where('request_id', '=', requestId).executeTakeFirst();
    return row && asCheckout(row);
  };
  const leftOpen = () =>
    db
      .selectFrom('checkouts')
      .innerJoin('requests', 'requests.id', 'checkouts.request_id')
      .where('checkouts.state', '=', 'open')
      .where('requests.state', '<>', 'pending')
      .orderBy('checkouts.due_at');
  return {
    of,
    byGatewayId: async (gateway: string, gatewayId: string): Promise<Checkout | undefined> => {
      const rows = db.selectFrom('checkouts').selectAll().where('gateway', '=', gateway).where('gateway_id', '=', gatewayId);
      const row = await rows.executeTakeFirst();
      return row && asCheckout(row);
    },
    /** Records that a checkout is about to be created, unless there is one. Resolves to the stored one. */
    reserve: async ({
      requestId,
      gateway,
      amount,
      currency,
      at,
    }: Pick<Checkout, 'amount' | 'currency' | 'gateway' | 'requestId'> & { readonly at: number }): Promise<Checkout> => {
      await db
        .insertInto('checkouts')
        .values({ ...blank(gateway, at), request_id: requestId, attempt: 1, amount: String(amount), currency })
        .onConflict((conflict) => conflict.column('request_id').doNothing())
        .execute();
      return asCheckout(await db.selectFrom('checkouts').selectAll().where('request_id', '=', requestId).executeTakeFirstOrThrow());
    },
    /** Replaces a checkout that can no longer be paid. Does nothing if another process has done so. */
    replace: async ({ requestId, attempt }: Checkout, gateway: string, at: number): Promise<void> => {
      await db
        .updateTable('checkouts')
        .set({ ...blank(gateway, at), attempt: attempt + 1 })
        .where('request_id', '=', requestId)
        .where('attempt', '=', attempt)
        .where('state', '<>', 'paid')
        .execute();
    },
    /** Stores what the gateway created. Resolves to `false` if the checkout was replaced or closed meanwhile. */
    opened: (checkout: Checkout, { id, url }: { id: string; url: string }, by: By, at: number): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        const { requestId, attempt, gateway, amount, currency } = checkout;
        const request = await makeLease(kind)(transaction, requestId);
        const row = await transaction
          .updateTable('checkouts')
          .set({ gateway_id: id, url, state: 'open' })
          .where('request_id', '=', requestId)
          .where('attempt', '=', attempt)
          .where('state', 'in', ['creating', 'open'])
          .returning('request_id')
          .executeTakeFirst();
        if (!row || !request) return false;
        const facts = { gateway, attempt, amount: decimalOf(amount, decimalsOf(currency) ?? 2), currency };
        await trail.append(transaction, requestId, request, [{ by, action: 'checkout.opened', facts }], at);
        return true;
      }),
    /** Records that the checkout can no longer be paid. */
    closed: async (requestId: string): Promise<void> => {
      const unpaid = db.updateTable('checkouts').where('request_id', '=', requestId).where('state', '<>', 'paid');
      await unpaid.set({ state: 'closed' }).execute();
    },
    /**
     * Open checkouts of requests that are over, which must not be paid any more. Other replicas do not get them before
     * `until`.
     */
    claimLeftOpen: async (now: number, until: number, limit: number): Promise<LeftOpenCheckout[]> => {
      const due = leftOpen().select('checkouts.request_id').where('checkouts.due_at', '<=', now).limit(limit);
      const rows = await claimRows(database, 'checkouts', 'request_id', due, { due_at: until });
      return rows.map((row) => ({ ...asCheckout(row), attempts: row.tries, claim: row.due_at }));
    },
    /** Records what becomes of one that was left open. Does nothing if the claim has ended. */
    settleLeftOpen: async ({ requestId, claim }: LeftOpenCheckout, fate: Settlement, at: number): Promise<void> => {
      if ('done' in fate) return;
      const settled = 'again' in fate ? { due_at: at + fate.again } : { state: 'closed' };
      const ours = db.updateTable('checkouts').where('request_id', '=', requestId).where('due_at', '=', claim);
      await ours
        .set({ ...settled, tries: fate.attempts })
        .where('state', '<>', 'paid')
        .execute();
    },
    nextLeftOpen: async (): Promise<number | undefined> =>
      (await leftOpen().limit(1).select('checkouts.due_at').executeTakeFirst())?.due_at,
    /** Whether a gateway's event was already processed. */
    knowsEvent: async (gateway: string, id: string): Promise<boolean> => {
      const known = db.selectFrom('gateway_events').select('id').where('gateway', '=', gateway).where('id', '=', id);
      return (await known.executeTakeFirst()) !== undefined;
    },
    /** Records that a gateway's event was processed. */
    tookEvent: async (gateway: string, id: string, at: number): Promise<void> => {
      await db
        .insertInto('gateway_events')
        .values({ gateway, id, created_at: at })
        .onConflict((conflict) => conflict.columns(['gateway', 'id']).doNothing())
        .execute();
    },
  };
};

const blank = (gateway: string, at: number) => ({
  gateway,
  gateway_id: null,
  url: null,
  state: 'creating',
  tries: 0,
  due_at: at,
  created_at: at,
});

const asCheckout = (row: CheckoutTable) => ({
  requestId: row.request_id,
  gateway: row.gateway,
  attempt: row.attempt,
  /** The gateway's identifier and the payment page's address; set once the checkout is open. */
  gatewayId: row.gateway_id ?? undefined,
  url: row.url ?? undefined,
  state: row.state as StoredState,
  /** The amount to pay, in minor units by ISO 4217. */
  amount: BigInt(row.amount),
  currency: row.currency,
  createdAt: row.created_at,
});
