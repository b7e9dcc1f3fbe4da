// Erases a customer of an account: their identity is removed; what was done remains and can be proven (decision 0072).
import { type Expression, type ExpressionBuilder, type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
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
  /** Removes rows that no request refers to and that were not used since an instant. Resolves to their number. */
  readonly forget?: (db: Kysely<Schema>, before: number) => Promise<number>;
}

/** The tables whose rows belong to a request. */
export const requestTables = (parts: readonly OwnRows[]) =>
  ['deliveries', 'former_links', 'idempotency', ...parts.flatMap(({ ofRequests = [] }) => ofRequests)].sort() as 'deliveries'[];

/** Whether one of these conditions holds. */
const anyOf = (conditions: readonly RawBuilder<boolean>[]) => sql<boolean>`(${sql.join([sql`1 = 0`, ...conditions], sql` or `)})`;

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
  { db, ...database }: Database<Schema>,
  trail: Pick<Trail, 'erase'>,
  details: SealedColumns['details'],
  parts: readonly OwnRows[],
) => {
  const { kind } = database;
  const whole = requestTables(parts);
  const own = parts.flatMap(({ ofCustomers = [] }) => ofCustomers) as 'requests'[];
  const quoted = parts.flatMap((part) => part.quoted ?? []);
  /** Whether a column contains a text. Not LIKE: references and addresses may contain its wildcards. */
  const has = (column: string, end: string, text: string) =>
    sql<boolean>`${sql.raw(kind === 'postgres' ? 'strpos' : 'instr')}(${sql.ref(column)} || ${sql.lit(end)}, ${text}) > 0`;

  const requestsOf = (from: Kysely<Schema>, { accountId, customerRef }: Omit<ErasedCustomer, 'destinations'>) =>
    from.selectFrom('requests').where('account_id', '=', accountId).where('customer_ref', '=', customerRef);
  /** The quotas counted for the customer's addresses. */
  const isQuota = ({ accountId, destinations }: ErasedCustomer) =>
    anyOf([
      ...destinations.map((one) => has('key', ' ', ` ${accountId} ${details.digest(one.toLowerCase(), accountId)} `)),
      // Messages sent to them by all accounts within the last minutes.
      ...destinations.map(
        (one) => sql<boolean>`${sql.ref('key')} = ${`messages-in-all ${details.digest(one.toLowerCase(), allAccounts)}`}`,
      ),
    ]);
  /** Rows that contain one of the texts about this customer. */
  const isQuoted = ({ column, end, texts }: (typeof quoted)[number], customer: ErasedCustomer) =>
    anyOf(texts(customer).map((text) => has(column, end, text)));

  const holdings = async (from: Kysely<Schema>, customer: ErasedCustomer): Promise<Holdings> => {
    const counted = async (query: { executeTakeFirstOrThrow(): Promise<{ count: number }> }) =>
      Number((await query.executeTakeFirstOrThrow()).count);
    const ids = requestsOf(from, customer).select('id');
    const rows: Record<string, number> = {
      requests: await counted(requestsOf(from, customer).select((eb) => eb.fn.countAll<number>().as('count'))),
    };
    for (const table of [...whole, 'notes', 'audit'] as typeof whole) {
      const some = from.selectFrom(table).select((eb) => eb.fn.countAll<number>().as('count'));
      rows[table] = await counted(some.where('request_id', 'in', ids));
    }
    for (const table of own) {
      const some = from.selectFrom(table).select((eb) => eb.fn.countAll<number>().as('count'));
      rows[table] = await counted(some.where('account_id', '=', customer.accountId).where('customer_ref', '=', customer.customerRef));
    }
    const quotas = from.selectFrom('quotas').select((eb) => eb.fn.countAll<number>().as('count'));
    rows.quotas = await counted(quotas.where(isQuota(customer)));
    for (const one of quoted) {
      const some = from.selectFrom(one.table as 'quotas').select((eb) => eb.fn.countAll<number>().as('count'));
      rows[one.table] = await counted(some.where(isQuoted(one, customer)));
    }
    const open = requestsOf(from, customer).where((eb) => eb.or([eb('state', '=', 'pending'), isUnfinished(parts, eb)]));
    return { rows, open: await counted(open.select((eb) => eb.fn.countAll<number>().as('count'))) };
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
    erase: async (customer: ErasedCustomer, at: number): Promise<Holdings> => {
      const erased = await db.transaction().execute(async (transaction) => {
        // Locked, so that others see the requests either before or after the erasure, never in between.
        const held = requestsOf(transaction, customer).select('id').orderBy('id');
        await (kind === 'postgres' ? held.forUpdate() : held).execute();
        const counted = await holdings(transaction, customer);
        if (counted.open > 0) return { rows: {}, open: counted.open };
        const ids = requestsOf(transaction, customer).select('id');
        for (const table of whole) await transaction.deleteFrom(table).where('request_id', 'in', ids).execute();
        for (const table of own) {
          const theirs = transaction.deleteFrom(table).where('account_id', '=', customer.accountId);
          await theirs.where('customer_ref', '=', customer.customerRef).execute();
        }
        await transaction.deleteFrom('quotas').where(isQuota(customer)).execute();
        for (const one of quoted) {
          const naming = transaction.updateTable(one.table as 'quotas').where(isQuoted(one, customer));
          await naming.set({ [one.column]: '' }).execute();
        }
        await empty(transaction, customer, at);
        return counted;
      });
      // In SQLite's file, deleted rows remain readable until they are overwritten. In Postgres, vacuum sees to that.
      if (kind === 'sqlite' && 'scrub' in database) await database.scrub();
      return erased;
    },
  };
};
