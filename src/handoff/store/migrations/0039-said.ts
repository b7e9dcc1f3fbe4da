// What a waiting customer has said, so that agents see in the list what each wants.
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const up = async (db: Kysely<unknown>) => {
  await db.schema.alterTable('handoff').addColumn('said', 'text').execute();
};

export const said: Migration = { up };
