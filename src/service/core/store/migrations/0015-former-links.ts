// The former links of messages that were sent again: they open nothing, but their page says that there is a newer
// message.
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const up = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('former_links')
    .addColumn('link_hash', 'text', (column) => column.primaryKey())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('former_links_of_request').on('former_links').column('request_id').execute();
};

export const formerLinks: Migration = { up };
