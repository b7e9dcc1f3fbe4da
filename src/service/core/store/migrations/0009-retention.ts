// The index that finds requests past their retention time; emptied requests are not in it.
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const up = async (db: Kysely<unknown>) => {
  await db.schema
    .createIndex('requests_kept')
    .on('requests')
    .column('finished_at')
    .where(sql<boolean>`finished_at is not null and session_ref <> ''`)
    .execute();
};

export const retention: Migration = { up };
