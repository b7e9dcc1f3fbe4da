// The command that erases a customer from the service's database.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { ref } from '../../contract/index.ts';
import type { Log } from '../../platform/log.ts';
import { type ErasurePart, eraseParts, readEraseArgs } from '../../platform/process/erase-dialogue.ts';
import { common, type Environment, postgres, readEnvironment, words } from '../../platform/settings/environment.ts';
import { SettingsError } from '../../platform/settings/settings-error.ts';
import { type Eraser, openEraser } from './eraser.ts';

/** Only what the database and the catalogue need: nothing else of the service is started. */
const schema = z.object({
  DATA_DIR: common.DATA_DIR,
  SERVICE_CATALOGUE: words.optional(),
  SERVICE_DATABASE_URL: postgres('service').optional(),
  SERVICE_PEPPER: words.optional(),
});

const settingsOf = (environment: Environment) => readEnvironment(schema, environment, () => []);

/** Whether the settings name a database of the service, or one exists in the data folder. @throws {SettingsError} */
export const hasDatabase = (environment: Environment): boolean => {
  const { DATA_DIR, SERVICE_DATABASE_URL } = settingsOf(environment);
  return SERVICE_DATABASE_URL !== undefined || existsSync(join(DATA_DIR, 'service.db'));
};

/**
 * Opens the service's database for {@link eraseParts}; the caller closes it.
 * @param account - whose customer is meant, if one is named
 * @throws {SettingsError} if the database, the catalogue or the account cannot be used.
 */
export const openErasure = async ({
  environment,
  log,
  reference,
  account,
}: {
  environment: Environment;
  log: Log;
  reference: string;
  account: string | undefined;
}) => {
  const {
    DATA_DIR: dataDir,
    SERVICE_CATALOGUE: catalogueFile,
    SERVICE_DATABASE_URL: databaseUrl,
    SERVICE_PEPPER: pepper,
  } = settingsOf(environment);
  const eraser = await openEraser({ dataDir, databaseUrl, pepper, catalogueFile, environment, log });
  try {
    return { part: await partOf(eraser, reference, account), close: eraser.close };
  } catch (fault) {
    await eraser.close();
    throw fault;
  }
};

const partOf = async (eraser: Eraser, reference: string, chosen: string | undefined): Promise<ErasurePart> => {
  const accounts = await eraser.accountsWith(reference);
  // A misspelt account would have no data, and so nothing would stop the erasure of the other database. The database may
  // still have data of an account that the catalogue no longer lists.
  const known = [...new Set([...eraser.accounts, ...accounts])].sort();
  if (chosen !== undefined && !known.includes(chosen))
    throw new SettingsError([`--account: there is no account ${chosen}. There are: ${known.join(', ')}.`]);
  if (chosen === undefined && accounts.length > 1)
    throw new SettingsError([
      `customerRef: several accounts know it, each for a different customer. Add --account= and one of: ${accounts.join(', ')}.`,
    ]);
  const account = chosen ?? accounts[0];
  const owner = "The service's database";
  if (account === undefined) return { owner, rows: {}, warnings: [], erase: async () => ({}) };
  const { rows, open } = await eraser.count(account, reference);
  return {
    owner,
    rows,
    open: open > 0 ? [`Requests still open, or still payable: ${open}. Withdraw them, or wait until they end.`] : [],
    warnings: [
      'Requests, their notes and audit trails stay, without identifying the customer; the audit trails record this and remain verifiable. Signed documents are removed.',
      ...(eraser.isListed(account, reference)
        ? [`The catalogue still lists the customer, in the account ${account}: remove them there.`]
        : []),
    ],
    erase: async () => {
      const gone = await eraser.erase(account, reference);
      return gone.open > 0 ? undefined : gone.rows;
    },
  };
};

/**
 * Returns whether everything is gone. Opens the database, but never creates one.
 * @param args - the arguments after the command, for {@link readEraseArgs}
 * @throws {SettingsError} when the command or the database cannot be used, or there is none.
 */
export const eraseCustomer = async (
  args: readonly string[],
  environment: Environment,
  { log, input, output }: Parameters<typeof eraseParts>[3] & { readonly log: Log },
): Promise<boolean> => {
  const { reference, sure, account } = readEraseArgs(args, ref);
  if (!hasDatabase(environment))
    throw new SettingsError([
      `DATA_DIR: there is no database in ${resolve(settingsOf(environment).DATA_DIR)}. Name the folder that the service runs on, or its Postgres by SERVICE_DATABASE_URL.`,
    ]);
  const { part, close } = await openErasure({ environment, log, reference, account });
  try {
    return await eraseParts([part], [], { reference, sure }, { input, output });
  } finally {
    await close();
  }
};
