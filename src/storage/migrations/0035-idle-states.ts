// Each state is in one index by its age instead of two, since every turn moves it there: those that are listed have one
// of their own already.
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const up = async (db: Kysely<unknown>) => {
  await db.schema.dropIndex('bot_state_age').execute();
  await db.schema.createIndex('bot_state_idle').on('bot_state').column('saved_at').where(sql.ref('running'), 'is', null).execute();
};

export const idleStates: Migration = { up };
