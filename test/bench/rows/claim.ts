// Claiming what nobody holds, from a table in which a million are finished.
import { performance } from 'node:perf_hooks';
import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import { Pool, types } from 'pg';
import { makeBus } from '../../../src/platform/database/bus.ts';
import type { SharedDatabase } from '../../../src/platform/database/database.ts';
import { openPostgres, postgresNow } from '../../../src/platform/database/postgres.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { systemClock } from '../../../src/platform/time/clock.ts';
import { makeInteractionStore } from '../../../src/storage/interactions/interactions.ts';
import { migrations } from '../../../src/storage/migrations/index.ts';
import type { Replica } from '../../../src/storage/replica.ts';
import type { Schema } from '../../../src/storage/schema.ts';
import { startPostgres } from '../../support/postgres.ts';
import type { Bench } from '../line.ts';
import { median } from '../numbers.ts';

const finished = 1_000_000;
const batch = 500;
/** Claims that find nothing, measured in one go. */
const idleTimes = 100;

const claimant: Replica = {
  id: 'claimant',
  clock: systemClock,
  sendGrace: 15_000,
  follow: () => () => {},
  hasLease: () => true,
  leave: async () => {},
};

const fill = async (db: Kysely<Schema>) => {
  await sql`insert into replica (id, lease_until, lock_key) values (${claimant.id}, 9007199254740991, 1), ('dead', 0, 2)`.execute(db);
  const rows = (from: number, to: number, told: 0 | 1, state: string, owner: string) => sql`
    insert into interaction (id, app, state, conversation, address, session_ref, customer_ref, phone_number, request, request_id, progress, mistyped,
      outcome, told, created_at, deadline, owner, epoch)
    select lpad(n::text, 26, '0'), 'payments', ${state}, 'conversation-' || n, '{}', 'session-0001', 'customer-0001', '+12025550147', '{}',
      lpad(n::text, 26, 'R'), '{}', 0, null, ${told}::int, n, n, ${owner}, 1 from generate_series(${from}::int, ${to}::int) as n`;
  await rows(1, finished, 1, 'delivered', '').execute(db);
  await sql`vacuum analyze interaction`.execute(db);
  return (round: number) => rows(finished + round * batch + 1, finished + (round + 1) * batch, 0, 'waiting', 'dead').execute(db);
};

/** The pool that a bot would have, which also notes what is asked of it. */
const connect = (url: string, note: (query: CompiledQuery) => void) => {
  const pool = new Pool({
    connectionString: url,
    types: {
      getTypeParser: ((oid: number) => (oid === types.builtins.INT8 ? Number : types.getTypeParser(oid))) as typeof types.getTypeParser,
    },
  });
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), log: ({ query }) => note(query) });
};

export const claim: Bench = async ({ rounds, say }) => {
  const postgres = await startPostgres();
  try {
    const url = await postgres.createDatabase();
    await (await openPostgres(url, migrations('postgres'), { log: makeLog('warn') })).close();
    let last: CompiledQuery | undefined;
    const db = connect(url, (query) => {
      last = query;
    });
    const database: SharedDatabase<Schema> = {
      kind: 'postgres',
      db,
      now: postgresNow,
      session: () => Promise.reject(),
      close: () => db.destroy(),
    };
    const store = makeInteractionStore(database, claimant, {
      bus: makeBus(),
      log: makeLog('silent'),
      turns: { inConversation: () => undefined },
    });
    try {
      say(`${finished} rows are written`);
      const free = await fill(db);
      const busy: number[] = [];
      for (let round = 0; round <= rounds; round += 1) {
        await free(round);
        const began = performance.now();
        const claimed = await store.claim();
        busy.push(performance.now() - began);
        if (claimed.length !== batch) throw new Error(`${claimed.length} were claimed instead of ${batch}`);
      }
      const began = performance.now();
      for (let time = 0; time < idleTimes; time += 1) await store.claim();
      const roundTrip = (performance.now() - began) / idleTimes;
      const { sql: text, parameters } = last as unknown as CompiledQuery;
      const explained: number[] = [];
      for (let time = 0; time < 20; time += 1) {
        const { rows } = await db.executeQuery<{ 'QUERY PLAN': readonly { 'Execution Time': number }[] }>({
          ...(last as unknown as CompiledQuery),
          sql: `explain (analyze, timing off, format json) ${text}`,
          parameters,
        } as never);
        explained.push(rows[0]?.['QUERY PLAN'][0]?.['Execution Time'] ?? Number.NaN);
      }
      return [
        { what: `claiming ${batch} beside ${finished} finished`, unit: 'ms', ours: median(busy.slice(1)), reach: { most: 15 } },
        { what: 'the same with nothing to claim, in the database', unit: 'ms', ours: median(explained), reach: { most: 0.1 } },
        { what: 'the same with nothing to claim, there and back', unit: 'ms', ours: roundTrip },
      ];
    } finally {
      await db.destroy();
    }
  } finally {
    await postgres.stop();
  }
};
