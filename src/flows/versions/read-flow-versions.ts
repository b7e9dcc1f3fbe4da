// Reads the flows in progress from the embedded database while another process has it open.
import { join } from 'node:path';
import { readSqlite, sqliteNow } from '../../platform/database/sqlite.ts';
import { SettingsError } from '../../platform/settings/settings-error.ts';
import { type FlowSchema, type FlowVersions, makeFlowVersions } from './flow-versions.ts';

/**
 * Reads the embedded database under `dataDir` without changing it.
 * @throws {SettingsError} when it cannot be read, or was made before flows were kept.
 */
export const readFlowVersions = async <Result>(
  dataDir: string,
  work: (versions: Pick<FlowVersions, 'list' | 'statesIn'>) => Promise<Result>,
): Promise<Result> => {
  const file = join(dataDir, 'bot.db');
  const db = readSqlite<FlowSchema>(file);
  try {
    const tables = await db.introspection.getTables();
    if (!tables.some(({ name }) => name === 'flow_version'))
      throw new SettingsError([`DATA_DIR: ${file} is of an older version. Start the bot on it once.`]);
    return await work(makeFlowVersions({ db, kind: 'sqlite', now: sqliteNow }));
  } finally {
    await db.destroy();
  }
};
