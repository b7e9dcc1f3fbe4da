// Migrations that add to what is stored of requests.
import type { Migration } from 'kysely/migration';
import { createIndex, createTable, primaryKey, text } from './tables.ts';

/** The index that finds requests past their retention time; emptied requests are not in it. */
export const retention: Migration = {
  up: (db) => createIndex(db, 'requests_kept', 'requests', ['finished_at'], "finished_at is not null and session_ref <> ''"),
};

/**
 * The former links of messages that were sent again: they open nothing, but their page says that there is a newer
 * message.
 */
export const formerLinks: Migration = {
  up: async (db) => {
    await createTable(db, 'former_links', { link_hash: primaryKey, request_id: text });
    await createIndex(db, 'former_links_of_request', 'former_links', ['request_id']);
  },
};
