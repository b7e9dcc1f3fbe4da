// Finding what was asked for a phone number lately, where hit and miss are told alike (docs/decisions/0096).
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const up = async (db: Kysely<unknown>) => {
  await sql`create index interaction_of_number on interaction (phone_number, created_at) where alike = 1`.execute(db);
};

export const numbers: Migration = { up };
