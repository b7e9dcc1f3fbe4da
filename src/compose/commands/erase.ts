// Erases a customer from every database here: the bot's, and the service's if it is part of this install.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ref } from '../../contract/index.ts';
import type { Log } from '../../platform/log.ts';
import { type ErasurePart, eraseParts, readEraseArgs } from '../../platform/process/erase-dialogue.ts';
import type { Environment } from '../../platform/settings/environment.ts';
import { SettingsError } from '../../platform/settings/settings-error.ts';
import { openStorage, type Storage } from '../../storage/index.ts';
import { ownedTables } from '../bot/capability.ts';
import { capabilities } from '../capabilities.ts';
import { findService } from '../installed-service.ts';
import type { Settings } from '../start/settings.ts';

/**
 * Returns whether everything is gone. Opens databases, but never creates one.
 * @param args - the arguments after the command, for {@link readEraseArgs}
 * @param environment - for the service's settings
 * @throws {SettingsError} when the command or a database cannot be used, or there is none.
 */
export const eraseCustomer = async (
  args: readonly string[],
  settings: Pick<Settings, 'DATA_DIR' | 'DATABASE_URL'>,
  environment: Environment,
  { log, input, output }: Parameters<typeof eraseParts>[3] & { readonly log: Log },
): Promise<boolean> => {
  const { reference, sure, account } = readEraseArgs(args, ref);
  const service = await findService();
  const { DATABASE_URL: url, DATA_DIR: dataDir } = settings;
  const ofBot = url !== undefined || existsSync(join(dataDir, 'bot.db'));
  const ofService = service?.hasDatabase(environment) ?? false;
  if (!ofBot && !ofService)
    throw new SettingsError([
      `DATA_DIR: there is no database in ${resolve(dataDir)}. Name the folder that the bot or the service runs on, or its Postgres by DATABASE_URL or SERVICE_DATABASE_URL.`,
    ]);
  if (account !== undefined && !ofService)
    throw new SettingsError([
      '--account: only the service has accounts, its database is not here, and SERVICE_DATABASE_URL does not name it. Leave it out to erase the bot’s data.',
    ]);
  const storage = ofBot ? await openStorage(dataDir, { url, log, tables: ownedTables(capabilities) }) : undefined;
  try {
    const theirs = ofService ? await service?.openErasure({ environment, log, reference, account }) : undefined;
    try {
      const parts = [...(storage ? [await atBot(storage.erasure, reference)] : []), ...(theirs ? [theirs.part] : [])];
      const untouched = [
        ...(storage ? [] : ['The bot’s data is not touched: its database is not here, and DATABASE_URL does not name it.']),
        ...(theirs ? [] : ['The service’s data is not touched: its database is not here, and SERVICE_DATABASE_URL does not name it.']),
      ];
      return await eraseParts(parts, untouched, { reference, sure }, { input, output });
    } finally {
      await theirs?.close();
    }
  } finally {
    await storage?.close();
  }
};

const atBot = async (erasure: Storage['erasure'], reference: string): Promise<ErasurePart> => {
  const { rows, undelivered } = await erasure.count(reference);
  return {
    owner: "The bot's database",
    rows,
    warnings: [
      ...(undelivered > 0 ? [`Interactions still open: ${undelivered}. Their outcomes will not be delivered.`] : []),
      'Chats are removed entirely, including messages by others. Data at channels is not touched.',
    ],
    erase: async () => (await erasure.erase(reference)).rows,
  };
};
