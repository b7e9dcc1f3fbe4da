// Postgres for Kysely: a bounded pool, a deadline for everything, and words for the operator when it cannot be reached.
import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { Client, type ClientBase, type ClientConfig, Pool, types } from 'pg';
import { faultFields, type Log } from '../log.ts';
import { exitTemporary, SettingsError } from '../settings/settings-error.ts';
import { ownValue } from '../text/own-value.ts';
import { type DatabaseSession, DatabaseUnavailable, type SharedDatabase } from './database.ts';
import { type DatabaseOptions, type DatabaseSetting, isNewer, migrate } from './migrate.ts';

const seconds = 1000;
const connecting = 5 * seconds;
/**
 * The server ends a turn's statement after this long; the client gives up a little later, in case the connection is
 * half open.
 */
const statement = 10 * seconds;
/** A separate session shows that this process is alive, so a silent one is soon given up. */
const ofSession = 2 * seconds;
/** A migration may rewrite a large table, or wait for another replica that does. */
const migrating = 600 * seconds;

/**
 * Eight-byte integers are instants and counts here, all far below 2^53. Set on our own connections only: other users of
 * `pg` see no change.
 */
const parsers: NonNullable<ClientConfig['types']> = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
};

/**
 * The options of every connection to this address. TLS is set in the address itself: `?sslmode=verify-full`,
 * `&sslrootcert=…`.
 */
const connectionTo = (url: string, deadline = statement): ClientConfig => ({
  connectionString: url,
  // Lets an operator see whose connections these are.
  application_name: `countersign ${process.pid}`,
  connectionTimeoutMillis: connecting,
  statement_timeout: deadline,
  query_timeout: deadline + 2 * seconds,
  idle_in_transaction_session_timeout: deadline + 2 * seconds,
  keepAlive: true,
  types: parsers,
});

/** The server ends the connection, or could not keep it (SQLSTATE classes 08 and 57P). */
const isLoss = (fault: unknown) => /^(?:08|57P)/.test(String(Object(fault).code));

/** A statement whose connection was lost fails as one for which there is none: it may be tried again. */
const markLoss = (client: ClientBase): void => {
  let lost = false;
  for (const event of ['error', 'end'] as const)
    client.on(event, () => {
      lost = true;
    });
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  const lostOr = (fault: unknown) => {
    throw lost || isLoss(fault) ? new DatabaseUnavailable(fault) : fault;
  };
  Object.assign(client, {
    query: (...given: unknown[]) => {
      const answer = query(...given);
      return answer instanceof Promise ? answer.catch(lostOr) : answer;
    },
  });
};

/**
 * A pool uses one timeout both for connecting and for waiting for a free connection. This class sets the former
 * separately.
 */
class PooledClient extends Client {
  constructor(config?: ClientConfig) {
    super({ ...config, connectionTimeoutMillis: connecting });
    markLoss(this);
  }
}

const connect = <Schema>(url: string, size: number, deadline: number, log: Log): Kysely<Schema> => {
  const pool = new Pool({
    ...connectionTo(url, deadline),
    Client: PooledClient,
    // Waiting for others in the queue may take that long.
    connectionTimeoutMillis: deadline,
    max: size,
    idleTimeoutMillis: 30 * seconds,
  });
  // The pool replaces a connection that breaks, and the statement on it fails. Without these listeners the process
  // would end: the pool's for an idle connection, the connection's for one in use.
  const note = (fault: unknown) => log.warn({ ...faultFields(fault), component: 'postgres' }, 'a connection broke');
  pool.on('error', note);
  pool.on('connect', (client) => client.on('error', note));
  const lent = () =>
    pool.connect().catch((fault: unknown) => {
      throw new DatabaseUnavailable(fault);
    });
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: { connect: lent, end: () => pool.end(), options: {} } as never }) });
};

/**
 * Opens a connection beside the pool, for session locks and LISTEN.
 * @throws when the database cannot be reached now.
 */
const openSession = async <Schema>(config: ClientConfig): Promise<DatabaseSession<Schema>> => {
  const client = new Client(config);
  const gone = new AbortController();
  const hearers = new Map<string, (payload: string) => void>();
  // Without a listener the process would end. `end` follows, and is handled.
  client.on('error', () => gone.abort());
  client.on('end', () => gone.abort());
  client.on('notification', ({ channel, payload }) => hearers.get(channel)?.(payload ?? ''));
  await client.connect();
  // Kysely asks a pool for connections. This one has a single connection, which is never returned.
  const lent = Object.assign(client, { release: () => {} });
  const pool = { connect: async () => lent, end: () => client.end(), options: {} };
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: pool as never }) });
  return {
    db,
    lost: gone.signal,
    listen: async (channel, hear) => {
      hearers.set(channel, hear);
      await sql`listen ${sql.id(channel)}`.execute(db);
    },
    close: () => client.end().catch(() => {}),
  };
};

/**
 * Opens a pool to the database, of `size` connections at most, and brings its tables up to date.
 * @throws {SettingsError} when there is no such database, it refuses us, or it was made by a newer version. The message
 * never contains the password.
 */
export const openPostgres = async <Schema>(
  url: string,
  migrations: Readonly<Record<string, Migration>>,
  { setting = 'DATABASE_URL', log, ...looking }: Omit<DatabaseOptions, 'file' | 'url'>,
  size = 10,
): Promise<SharedDatabase<Schema>> => {
  const within = (db: Kysely<Schema>) => (looking.schema === undefined ? db : db.withSchema(looking.schema));
  const first = within(connect<Schema>(url, 1, migrating, log));
  try {
    await sql`select 1`.execute(first).catch((fault: unknown) => {
      throw unreachable(setting, url, fault);
    });
    await migrate(first, migrations, setting, looking);
  } finally {
    await first.destroy();
  }
  const db = within(connect<Schema>(url, size, statement, log));
  return {
    kind: 'postgres',
    db,
    now: postgresNow,
    session: async () => {
      const session = await openSession<Schema>(connectionTo(url, ofSession));
      return { ...session, db: within(session.db) };
    },
    close: () => db.destroy(),
  };
};

/**
 * Inspects the database without changing it: how many migrations it has not seen yet, whether it has seen one of a newer
 * version, and whether the user may create tables.
 * @throws {SettingsError} when there is no such database or it refuses us. The message never contains the password.
 */
export const lookAtPostgres = (url: string, known: readonly string[], newest: number, log: Log) =>
  askPostgres(url, log, async (db: Kysely<{ kysely_migration: { name: string } }>) => {
    const { rows } = await sql<{ seen: boolean; may_create: boolean }>`
      select to_regclass('kysely_migration') is not null as seen, has_schema_privilege(current_schema(), 'CREATE') as may_create`.execute(
      db,
    );
    const seen = rows[0]?.seen ? await db.selectFrom('kysely_migration').select('name').execute() : [];
    const names = seen.map(({ name }) => name);
    return {
      pending: known.filter((name) => !names.includes(name)).length,
      newer: isNewer(names, known, newest),
      mayCreate: rows[0]?.may_create ?? false,
    };
  });

/**
 * Runs a query over a separate connection.
 * @throws {SettingsError} when there is no such database or it refuses us.
 */
export const askPostgres = async <Schema, Answer>(
  url: string,
  log: Log,
  ask: (db: Kysely<Schema>) => Promise<Answer>,
  setting: DatabaseSetting = 'DATABASE_URL',
): Promise<Answer> => {
  const db = connect<Schema>(url, 1, connecting, log);
  try {
    return await ask(db);
  } catch (fault) {
    throw unreachable(setting, url, fault);
  } finally {
    await db.destroy();
  }
};

// The statement's instant rather than the transaction's, which may have begun long before; stable within the statement,
// so that an index can be used.
export const postgresNow = sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint`;

/** Reasons for a refusal, by SQLSTATE (postgresql.org/docs/current/errcodes-appendix.html). */
const refusals: Readonly<Record<string, string>> = {
  '28P01': 'refuses the user or the password',
  '28000': 'refuses the user or the password, or wants the connection encrypted in another way',
  '3D000': 'has no database of that name',
  '53300': 'takes no more connections',
  '57P03': 'is still starting',
};

const unreachable = (setting: DatabaseSetting, url: string, fault: unknown) => {
  const { hostname, port } = new URL(url);
  const cause = fault instanceof DatabaseUnavailable ? fault.cause : fault;
  const code = (cause as { code?: unknown }).code;
  const reason =
    typeof code !== 'string'
      ? 'does not answer as the address wants it'
      : (ownValue(refusals, code) ?? (/^E[A-Z_]{5,}$/.test(code) ? `cannot be reached (${code})` : `does not let us in (${code})`));
  // It may be starting, or its name not known yet: a later start may find it.
  const isTemporary = typeof code === 'string' && (/^E[A-Z_]{5,}$/.test(code) || code === '57P03' || code === '53300');
  return new SettingsError([`${setting}: the Postgres at ${hostname || 'localhost'}:${port || 5432} ${reason}.`], {
    cause,
    ...(isTemporary && { exitCode: exitTemporary }),
  });
};
