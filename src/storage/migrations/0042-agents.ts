// The agent who asked for an interaction on the customer's behalf. Only versions in which handoffs were part of the core
// have added it before.
import type { Migration } from 'kysely/migration';
import type { DatabaseKind } from '../../platform/database/database.ts';
import { addMissingColumn } from '../../platform/database/migrate.ts';

export const agents = (kind: DatabaseKind): Migration => ({ up: (db) => addMissingColumn(db, kind, 'interaction', 'agent_id') });
