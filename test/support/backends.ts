// The databases that the bot's storage supports. Every test of it must pass on each.
import type { DatabaseKind } from '../../src/platform/database/database.ts';
import { openStorage, type Storage, type StorageOptions } from '../../src/storage/index.ts';
import { allTables } from './all-tables.ts';
import { openNewStorage } from './data-dir.ts';
import { emptyDatabase, newDatabase } from './postgres.ts';
import { databaseKinds } from './tier.ts';

export interface Backend {
  readonly kind: DatabaseKind;
  /** Opens the bot's storage on an empty database of its own. */
  open(options?: Omit<StorageOptions, 'url'>): Promise<Storage>;
}

/** Databases whose storage is closed: emptying one takes a tenth of the time of creating one. */
const spare: string[] = [];

const openOnPostgres: Backend['open'] = async (options) => {
  const url = spare.pop() ?? (await newDatabase());
  const storage = await openStorage(undefined, { tables: allTables, ...options, url });
  return {
    ...storage,
    close: async () => {
      await storage.close();
      // Its one row that a migration inserted.
      await emptyDatabase(url, { replica: "id <> ''" });
      spare.push(url);
    },
  };
};

const opening: Readonly<Record<DatabaseKind, Backend['open']>> = {
  sqlite: openNewStorage,
  postgres: openOnPostgres,
};

export const backends: readonly Backend[] = databaseKinds.map((kind) => ({ kind, open: opening[kind] }));
