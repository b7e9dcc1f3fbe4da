// Runs one of the service's migrations again, on rows in the form of an earlier version.
import { join } from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import type { Migration } from 'kysely/migration';
import { Pool } from 'pg';
import { openSqlite } from '../../src/platform/database/sqlite.ts';
import type { Seal } from '../../src/service/core/secrets/seal.ts';
import type { TestService } from './running-service.ts';
import { sealOf } from './service-seal.ts';

const connect = (databaseUrl: string | undefined, dataDir: string): Kysely<unknown> => {
  if (databaseUrl === undefined) return openSqlite(join(dataDir, 'service.db'));
  const pool = new Pool({ connectionString: databaseUrl, options: '-c search_path=countersign_service' });
  return new Kysely({ dialect: new PostgresDialect({ pool }) });
};

/** Stops the service, runs the migration with the service's own seal, and starts it again. */
export const migrateAgain = async (service: TestService, migration: (seal: Seal) => Migration): Promise<void> => {
  const { databaseUrl, dataDir, running } = service;
  await running.close();
  const db = connect(databaseUrl, dataDir);
  try {
    await migration(sealOf(service)).up(db);
  } finally {
    await db.destroy();
  }
  await service.restart();
};
