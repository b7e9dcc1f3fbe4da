// Folders of data for bots and services that are started by the hundred. Their tables are there already: making them,
// in an empty database, would be a third of every start.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLog } from '../../src/platform/log.ts';
import { makeRandom } from '../../src/service/core/secrets/random.ts';
import { makeSeal } from '../../src/service/core/secrets/seal.ts';
import { openStorage as openServiceStorage } from '../../src/service/core/store/index.ts';
import { openStorage, type Storage, type StorageOptions } from '../../src/storage/index.ts';
import { allTables } from './all-tables.ts';

const pepper = 'the-pepper-of-tables-without-rows';

const making = {
  'bot.db': (dataDir: string) => openStorage(dataDir, { tables: allTables }),
  'service.db': (dataDir: string) =>
    openServiceStorage({ dataDir, url: undefined, newId: makeRandom().id, seal: makeSeal(pepper), log: makeLog('silent') }),
};
type DatabaseFile = keyof typeof making;

const made = new Map<DatabaseFile, Promise<Buffer>>();

/** A database after its first start and stop. */
const make = async (name: DatabaseFile): Promise<Buffer> => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-tables-'));
  const storage = await making[name](folder);
  await storage.close();
  const content = readFileSync(join(folder, name));
  rmSync(folder, { recursive: true });
  return content;
};

/** A new folder with these databases, which hold no rows of anybody. The caller must remove it. */
export const newDataDir = async (...names: readonly DatabaseFile[]): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-'));
  for (const name of names) {
    const content = made.get(name) ?? make(name);
    made.set(name, content);
    writeFileSync(join(folder, name), await content, { mode: 0o600 });
  }
  return folder;
};

/** The bot's storage on an empty database of its own, which goes with it. In memory it would make its tables anew. */
export const openNewStorage = async (options?: StorageOptions): Promise<Storage> => {
  const dataDir = await newDataDir('bot.db');
  const storage = await openStorage(dataDir, { tables: allTables, ...options });
  return {
    ...storage,
    close: async () => {
      await storage.close();
      rmSync(dataDir, { recursive: true });
    },
  };
};
