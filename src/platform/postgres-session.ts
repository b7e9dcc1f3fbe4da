// One connection to Postgres beside the pool, for what belongs to a connection: session locks and LISTEN.
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Client, type ClientConfig } from 'pg';
import type { Session } from './database.ts';

/** Opens a session. @throws when the database cannot be reached now. */
export const openSession = async <Schema>(config: ClientConfig): Promise<Session<Schema>> => {
  const client = new Client(config);
  const gone = new AbortController();
  const hearers = new Map<string, (payload: string) => void>();
  // Without a listener the process would end; `end` follows, and says all there is to say.
  client.on('error', () => gone.abort());
  client.on('end', () => gone.abort());
  client.on('notification', ({ channel, payload }) => hearers.get(channel)?.(payload ?? ''));
  await client.connect();
  // Kysely asks a pool for connections; this one has one, which is never given back.
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
