// Migrations that add to the table of interactions: each a column, and what finds it. Their order is that of index.ts.
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The place of an interaction in a trace, so that work after a restart joins it. */
export const traceparent: Migration = {
  up: async (db) => {
    await db.schema.alterTable('interaction').addColumn('traceparent', 'text').execute();
  },
};

/** The subject of an interaction, for an outcome that comes after everything else about it is forgotten. */
export const subject: Migration = {
  up: async (db) => {
    await db.schema.alterTable('interaction').addColumn('subject', 'text').execute();
  },
};

/** Whether the chat of an interaction may see how it stands (docs/decisions/0017). */
export const alike: Migration = {
  up: async (db) => {
    await db.schema
      .alterTable('interaction')
      .addColumn('alike', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};

/** Finds recent requests for a phone number where hit and miss must look alike (docs/decisions/0169). */
export const numbers: Migration = {
  up: async (db) => {
    await sql`create index interaction_of_number on interaction (phone_number, created_at) where alike = 1`.execute(db);
  },
};

/** Whether a chat that may not see how an interaction stands has called it off (docs/decisions/0169). */
export const cancelRequests: Migration = {
  up: async (db) => {
    await db.schema
      .alterTable('interaction')
      .addColumn('cancel_requested', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};

/** What the customer thought of an outcome: one word, once they have said it. */
export const ratings: Migration = {
  up: async (db) => {
    await db.schema.alterTable('interaction').addColumn('rating', 'text').execute();
  },
};

/** Outcomes that a caller has not heard because they had hung up, and whether they were mentioned in a later call. */
export const unheard: Migration = {
  up: async (db) => {
    await db.schema
      .alterTable('interaction')
      .addColumn('mentioned', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await sql`create index interaction_unheard on interaction (phone_number) where state = 'undeliverable' and mentioned = 0`.execute(db);
  },
};
