// The databases that the bot's storage runs on: whatever holds on one must hold on the other.
import type { DatabaseKind } from '../../src/platform/database.ts';
import { openStorage, type Storage, type StorageOptions } from '../../src/storage/index.ts';
import { emptyDatabase, newDatabase } from './postgres.ts';

export interface Backend {
  readonly kind: DatabaseKind;
  /** Opens the bot's storage on a database of its own, empty. */
  open(options?: Omit<StorageOptions, 'url'>): Promise<Storage>;
}

/** Databases whose storage is closed: emptying one costs a tenth of making one. */
const spare: string[] = [];

const openOnPostgres: Backend['open'] = async (options) => {
  const url = spare.pop() ?? (await newDatabase());
  const storage = await openStorage(undefined, { ...options, url });
  return {
    ...storage,
    close: async () => {
      await storage.close();
      // Its one row that a migration made.
      await emptyDatabase(url, { replica: "id <> ''" });
      spare.push(url);
    },
  };
};

export const backends: readonly Backend[] = [
  { kind: 'sqlite', open: (options) => openStorage(undefined, options) },
  { kind: 'postgres', open: (options) => openOnPostgres(options) },
];
