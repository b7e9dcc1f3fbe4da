// The databases that the bot's storage runs on: whatever holds on one must hold on the other.
import type { DatabaseKind } from '../../src/platform/database.ts';
import { openStorage, type Storage, type StorageOptions } from '../../src/storage/index.ts';
import { newDatabase } from './postgres.ts';

export interface Backend {
  readonly kind: DatabaseKind;
  /** Opens the bot's storage on a database of its own, new and empty. */
  open(options?: Omit<StorageOptions, 'url'>): Promise<Storage>;
}

export const backends: readonly Backend[] = [
  { kind: 'sqlite', open: (options) => openStorage(undefined, options) },
  { kind: 'postgres', open: async (options) => openStorage(undefined, { ...options, url: await newDatabase() }) },
];
