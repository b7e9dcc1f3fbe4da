// The verification status of the chat's user beside the handoff, so that a queue of hundreds is one read. Where there is
// a desk, its migrations have added it before.
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { DatabaseKind } from '../../../platform/database/database.ts';
import { addMissingColumn } from '../../../platform/database/migrate.ts';

const up = async (db: Kysely<unknown>, kind: DatabaseKind) => {
  await addMissingColumn(db, kind, 'handoff', 'verification');
  await db.schema.createIndex('handoff_hub').ifNotExists().on('handoff').columns(['hub', 'created_at']).execute();
};

export const verifications = (kind: DatabaseKind): Migration => ({ up: (db) => up(db, kind) });
