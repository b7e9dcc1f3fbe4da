// Finds recent requests for a phone number where hit and miss must look alike (docs/decisions/0169).
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const up = async (db: Kysely<unknown>) => {
  await sql`create index interaction_of_number on interaction (phone_number, created_at) where alike = 1`.execute(db);
};

export const numbers: Migration = { up };
