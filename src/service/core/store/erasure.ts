// Erases a customer of an account: their identity is removed; what was done remains and can be proven (decision 0072).
import { type Expression, type ExpressionBuilder, type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { type CustomerRows, contains, countRows, erase, removeRows } from '../../../platform/database/erasure.ts';
import type { RetentionRule, RetentionStep } from '../../../platform/database/retention.ts';
import { system } from '../audit/origin.ts';
import type { Trail } from '../audit/trail.ts';
import { allAccounts } from '../secrets/seal.ts';
import { erasedRef } from './request.ts';
import type { Schema } from './schema.ts';
import type { SealedColumns } from './sealed-columns.ts';

/** A customer, with the phone numbers and e-mail addresses that only they use. */
export interface ErasedCustomer {
  readonly accountId: string;
  readonly customerRef: string;
  readonly destinations: readonly string[];
}

/** What is stored about a customer, as numbers of rows by table. */
export interface Holdings {
  readonly rows: Readonly<Record<string, number>>;
  /** Requests that are not over, or that can still be paid at the gateway: nothing is erased while there are any. */
  readonly open: number;
}

/** What a part of the service stores about customers, as far as erasure and retention have to know it. */
export interface OwnRows {
  /** Tables whose rows belong to a request by `request_id`: they are deleted when it is emptied. */
  readonly ofRequests?: readonly (keyof Schema)[];
  /** Tables whose rows belong to a customer by `account_id` and `customer_ref`. */
  readonly ofCustomers?: readonly (keyof Schema)[];
  /** A condition on `requests`: while it holds for one that has ended, the request is neither erased nor emptied. */
  readonly unfinished?: (eb: ExpressionBuilder<Schema, 'requests'>) => Expression<SqlBool>;
  /** A column that may contain these texts about a customer, each of which ends with `end`. It is emptied. */
  readonly quoted?: {
    readonly table: keyof Schema;
    readonly column: string;
    readonly end: string;
    readonly texts: (customer: ErasedCustomer) => readonly string[];
  };
  /** Rows that no request refers to, and that are removed `after` milliseconds without use. */
  readonly retention?: (database: Database<Schema>, at: number, after: number) => readonly (RetentionRule | RetentionStep)[];
}

/** The tables whose rows belong to a request. */
export const requestTables = (parts: readonly OwnRows[]) =>
  ['deliveries', 'former_links', 'idempotency', ...parts.flatMap(({ ofRequests = [] }) => ofRequests)].sort() as 'deliveries'[];

/** Whether one of these conditions holds. */
const anyOf = (conditions: readonly RawBuilder<SqlBool>[]) => sql<SqlBool>`(${sql.join([sql`1 = 0`, ...conditions], sql` or `)})`;

/** Whether a request can still change although it has ended. */
export const isUnfinished = (parts: readonly OwnRows[], eb: ExpressionBuilder<Schema, 'requests'>) =>
  eb.or(parts.flatMap(({ unfinished }) => unfinished?.(eb) ?? []));

/** Removes from requests whom they were for and what their results were. */
export const emptyRequest = (transaction: Transaction<Schema>) =>
  transaction
    .updateTable('requests')
    .set({ session_ref: '', details: null, addresses: '', result: null })
    .set({ customer_ref: erasedRef, ws_token_hash: null, link_hash: null, code_hash: null });

export const makeErasure = (
  database: Database<Schema>,
  trail: Pick<Trail, 'erase'>,
  details: SealedColumns['details'],
  parts: readonly OwnRows[],
) => {
  const { db, kind } = database;
  const own = parts.flatMap(({ ofCustomers = [] }) => ofCustomers) as 'requests'[];
  const has = (column: string, end: string, text: string) => contains(kind, sql`${sql.ref(column)} || ${sql.lit(end)}`, text);

  const requestsOf = (from: Kysely<Schema>, { accountId, customerRef }: Omit<ErasedCustomer, 'destinations'>) =>
    from.selectFrom('requests').where('account_id', '=', accountId).where('customer_ref', '=', customerRef);
  /** The quotas counted for the customer's addresses. */
  const isQuota = ({ accountId, destinations }: ErasedCustomer) =>
    anyOf([
      ...destinations.map((one) => has('key', ' ', ` ${accountId} ${details.digest(one.toLowerCase(), accountId)} `)),
      // Messages sent to them by all accounts within the last minutes.
      ...destinations.map(
        (one) => sql<SqlBool>`${sql.ref('key')} = ${`messages-in-all ${details.digest(one.toLowerCase(), allAccounts)}`}`,
      ),
    ]);

  const rowsOf = (customer: ErasedCustomer): readonly CustomerRows[] => {
    const isTheirs = sql<SqlBool>`account_id = ${customer.accountId} and customer_ref = ${customer.customerRef}`;
    const ofRequests = sql<SqlBool>`request_id in ${requestsOf(db, customer).select('id')}`;
    return [
      { table: 'requests', where: isTheirs, kept: true },
      ...requestTables(parts).map((table) => ({ table, where: ofRequests })),
      ...['notes', 'audit'].map((table) => ({ table, where: ofRequests, kept: true as const })),
      ...own.map((table) => ({ table, where: isTheirs })),
      { table: 'quotas', where: isQuota(customer) },
      ...parts.flatMap(({ quoted }) => {
        if (!quoted) return [];
        const { table, column, end, texts } = quoted;
        return [{ table, where: anyOf(texts(customer).map((text) => has(column, end, text))), kept: column }];
      }),
    ];
  };

  const holdings = async (from: Kysely<Schema>, customer: ErasedCustomer): Promise<Holdings> => {
    const open = requestsOf(from, customer)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where((eb) => eb.or([eb('state', '=', 'pending'), isUnfinished(parts, eb)]));
    return { rows: await countRows(from, rowsOf(customer)), open: Number((await open.executeTakeFirstOrThrow()).count) };
  };

  /** Empties their requests and trails, except for what is needed for statistics and as proof. */
  const empty = async (transaction: Transaction<Schema>, customer: ErasedCustomer, at: number) => {
    for (const { id } of await requestsOf(transaction, customer).select('id').execute()) await trail.erase(transaction, id, system, at);
    const ids = requestsOf(transaction, customer).select('id');
    await transaction.updateTable('notes').set({ reference: null }).where('request_id', 'in', ids).execute();
    await emptyRequest(transaction).where('account_id', '=', customer.accountId).where('customer_ref', '=', customer.customerRef).execute();
  };

  return {
    /** The accounts that store anything about a customer. */
    accountsWith: async (customerRef: string): Promise<string[]> => {
      const tables = ['requests' as const, ...own];
      const found = tables.map((table) => db.selectFrom(table).select('account_id').distinct().where('customer_ref', '=', customerRef));
      const rows = await Promise.all(found.map((query) => query.execute()));
      return [...new Set(rows.flat().map(({ account_id }) => account_id))].sort();
    },

    /** The customer's phone numbers and e-mail addresses that appear in no other customer's requests of the account. */
    destinationsOf: async (customer: Omit<ErasedCustomer, 'destinations'>): Promise<string[]> => {
      const sent = await requestsOf(db, customer).select(['id', 'details']).execute();
      const known = sent.flatMap(({ id, details: sealed }) => (sealed === null ? [] : [details.open(sealed, id)]));
      const all = new Set(known.flatMap(({ phoneNumber, recipients }) => [phoneNumber ?? [], ...recipients.map(({ to }) => to)].flat()));
      const alone: string[] = [];
      for (const one of all) {
        const others = db.selectFrom('requests').select('id').where('account_id', '=', customer.accountId);
        const theirs = others.where('customer_ref', '<>', customer.customerRef);
        const shared = theirs.where(has('addresses', '', details.digest(one, customer.accountId)));
        if (!(await shared.limit(1).executeTakeFirst())) alone.push(one);
      }
      return alone;
    },

    /** Counts what `erase` would remove or empty. */
    count: (customer: ErasedCustomer): Promise<Holdings> => holdings(db, customer),

    /**
     * Removes or empties those rows in one step, and reports how many; does nothing if `open` is not 0. Repeating it
     * removes nothing more.
     */
    erase: (customer: ErasedCustomer, at: number): Promise<Holdings> =>
      erase(database, async (transaction) => {
        // Locked, so that others see the requests either before or after the erasure, never in between.
        const held = requestsOf(transaction, customer).select('id').orderBy('id');
        await (kind === 'postgres' ? held.forUpdate() : held).execute();
        const counted = await holdings(transaction, customer);
        if (counted.open > 0) return { rows: {}, open: counted.open };
        await removeRows(transaction, rowsOf(customer));
        await empty(transaction, customer, at);
        return counted;
      }),
  };
};
