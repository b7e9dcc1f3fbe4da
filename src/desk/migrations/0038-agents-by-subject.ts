// People at the desk are identified by their provider and its subject; their verified e-mail address is beside it.
// Sessions that name people by an address end: anybody may have claimed it.
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const up = async (db: Kysely<unknown>) => {
  await db.deleteFrom('desk_sessions' as never).execute();
  await db.schema.alterTable('desk_sessions').addColumn('email', 'text').execute();
};

export const agentsBySubject: Migration = { up };
