// Queries over many requests, for the console. They cost the same for a thousand requests and for a million: SQLite's
// queries are synchronous, and would block the process that also serves customers. More indexes would make every send
// slower for a page that is seldom opened, so a filter reads 10,000 requests and then offers to continue.
import type { Database } from '../../platform/database/database.ts';
import type { Schema } from '../core/store/schema.ts';

export interface RequestFilter {
  readonly accountId?: string | undefined;
  readonly app?: string | undefined;
  readonly state?: string | undefined;
  readonly customerRef?: string | undefined;
}

/** A range of the list, by identifiers, which sort by time: from `from` on, before `before`. */
export interface Stretch {
  readonly from?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

/** The number of an app's requests that ended in a state. */
export type EndingCount = Awaited<ReturnType<Reports['endings']>>[number];

export type Reports = ReturnType<typeof makeReports>;

/** How many requests one query examines, which takes some tens of milliseconds. */
export const window = 10_000;

const columns = ['id', 'account_id', 'app', 'state', 'customer_ref', 'created_at'] as const;

export const makeReports = ({ db }: Pick<Database<Schema>, 'db'>) => {
  const stretchOf = ({ from, before }: Stretch) => {
    let requests = db.selectFrom('requests').orderBy('id', 'desc');
    if (from !== undefined) requests = requests.where('id', '>=', from);
    if (before !== undefined) requests = requests.where('id', '<', before);
    return requests;
  };

  const rowsOf = ({ accountId, customerRef, app, state }: RequestFilter, stretch: Stretch) => {
    const some = stretch.limit + 1;
    if (accountId !== undefined && customerRef !== undefined) {
      // A customer has few requests, and an index finds them.
      let own = stretchOf(stretch).select(columns).where('account_id', '=', accountId).where('customer_ref', '=', customerRef);
      if (app !== undefined) own = own.where('app', '=', app);
      if (state !== undefined) own = own.where('state', '=', state);
      return own.limit(some);
    }
    if (accountId === undefined && app === undefined && state === undefined) return stretchOf(stretch).select(columns).limit(some);
    let found = db.selectFrom(stretchOf(stretch).select(columns).limit(window).as('looked')).selectAll();
    if (accountId !== undefined) found = found.where('account_id', '=', accountId);
    if (app !== undefined) found = found.where('app', '=', app);
    if (state !== undefined) found = found.where('state', '=', state);
    return found.orderBy('id', 'desc').limit(some);
  };

  return {
    /**
     * Requests, newest first. A filter examines at most {@link window} requests; `next` is the identifier before which the
     * list continues, `undefined` at its end.
     */
    list: async (filter: RequestFilter, stretch: Stretch) => {
      const rows = await rowsOf(filter, stretch).execute();
      const shown = rows.slice(0, stretch.limit);
      if (rows.length > shown.length) return { lines: shown, next: shown.at(-1)?.id };
      if (filter.customerRef !== undefined) return { lines: shown, next: undefined };
      const last = await stretchOf(stretch)
        .select('id')
        .limit(1)
        .offset(window - 1)
        .executeTakeFirst();
      return { lines: shown, next: last?.id };
    },

    /** Counts the endings from one instant until before another. */
    endings: async (from: number, until: number) => {
      const counted = await db
        .selectFrom('requests')
        .select(({ fn }) => ['account_id', 'app', 'state', fn.countAll<number | string>().as('count')])
        .where('finished_at', '>=', from)
        .where('finished_at', '<', until)
        .groupBy(['account_id', 'app', 'state'])
        .execute();
      return counted.map(({ account_id: accountId, app, state, count }) => ({ accountId, app, state, count: Number(count) }));
    },

    /**
     * How many requests there are since `from`, at most `limit` and without those of one app, and how many of them had each
     * event.
     */
    progress: async (from: string, limit: number, without: string) => {
      const newest = db
        .selectFrom('requests')
        .select('id')
        .where('id', '>=', from)
        .where('app', '!=', without)
        .orderBy('id', 'desc')
        .limit(limit);
      const rows = await db
        .with('newest', () => newest)
        .selectFrom('newest')
        .leftJoin('events', 'events.request_id', 'newest.id')
        .select(({ fn }) => ['events.type', fn.count<number | string>('newest.id').distinct().as('count')])
        .groupBy('events.type')
        .execute();
      const { count } = await db
        .selectFrom(newest.as('newest'))
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .executeTakeFirstOrThrow();
      const had = rows.flatMap(({ type, count: many }) => (type === null ? [] : [[type, Number(many)] as const]));
      return { requests: Number(count), had: Object.fromEntries(had) as Readonly<Record<string, number>> };
    },

    /** The number of pending requests, counted up to `limit`. */
    waiting: async (limit: number) => {
      const pending = db.selectFrom('requests').select('due_at').where('state', '=', 'pending').limit(limit);
      const { count } = await db
        .selectFrom(pending.as('waiting'))
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    /** A request's messages that are not yet delivered. */
    underWay: async (requestId: string) => {
      const rows = db.selectFrom('deliveries').select(['attempts', 'due_at']).where('request_id', '=', requestId).orderBy('due_at');
      return (await rows.execute()).map(({ attempts, due_at: dueAt }) => ({ attempts, dueAt }));
    },
  };
};
