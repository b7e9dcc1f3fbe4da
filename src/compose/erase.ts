// Erasing a customer from the command line: says what there is, asks, removes, says what went.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Log } from '../platform/log.ts';
import { SettingsError } from '../platform/settings-error.ts';
import { type Eraser, openEraser } from '../service/index.ts';
import { openStorage, type Storage } from '../storage/index.ts';
import { readEraseArgs } from './erase-args.ts';
import type { Settings } from './settings.ts';

export interface EraseOptions {
  /** What follows the command, for {@link readEraseArgs}. */
  readonly args: readonly string[];
  readonly settings: Pick<Settings, 'DATA_DIR' | 'DATABASE_URL' | 'SERVICE_CATALOGUE' | 'SERVICE_DATABASE_URL' | 'SERVICE_PEPPER'>;
  /** Where the catalogue's keys are looked for that it names by environment variable. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/**
 * Whether what there was is gone. Databases are opened, never made.
 * @throws {SettingsError} when the command or a database cannot be used, or there is none.
 */
export const eraseCustomer = async ({ args, settings, environment, log, input, output }: EraseOptions): Promise<boolean> => {
  const { reference, sure, account } = readEraseArgs(args);
  const say = (line: string) => output.write(`${line}\n`);
  const { storage, eraser } = await openBoth(settings, environment, log);
  try {
    if (account !== undefined) await checkAccount(eraser, reference, account);
    const there = [
      ...(storage ? [await atBot(storage.erasure, reference)] : []),
      ...(eraser ? [await atService(eraser, reference, account)] : []),
    ];
    for (const { owner, rows } of there) {
      const none = isNothing(rows);
      say(`${owner} has ${none ? 'nothing ' : ''}about ${reference}${none ? '.' : ':'}`);
      if (!none) for (const line of linesOf(rows)) say(line);
    }
    const held = there.flatMap(({ open = [] }) => open);
    for (const line of held) say(line);
    if (held.length > 0) {
      say('Nothing was removed.');
      return false;
    }
    const some = there.filter(({ rows }) => !isNothing(rows));
    if (some.length === 0) return true;
    for (const line of some.flatMap(({ warnings }) => warnings)) say(line);
    if (!storage) say('What the bot has is not touched: its database is not here, and DATABASE_URL does not name it.');
    if (!eraser) say('What the service has is not touched: its database is not here, and SERVICE_DATABASE_URL does not name it.');
    say('This cannot be undone.');
    if (!sure && !(await confirmed(reference, input, output))) {
      say('Nothing was removed.');
      return false;
    }
    for (const { owner, erase } of some) {
      const gone = await erase();
      if (gone === undefined) {
        say(`${owner}: something was begun meanwhile. Nothing of it was removed; wait until it is over.`);
        return false;
      }
      say(`Removed from ${lower(owner)}:`);
      for (const line of linesOf(gone)) say(line);
    }
    return true;
  } finally {
    await storage?.close();
    await eraser?.close();
  }
};

type Rows = Readonly<Record<string, number>>;

/** One database's part. */
interface Part {
  readonly owner: string;
  readonly rows: Rows;
  /** Why nothing may be removed now. */
  readonly open?: readonly string[];
  /** What whoever erases should know before. */
  readonly warnings: readonly string[];
  /** What went; `undefined`: nothing, since something is open again. */
  readonly erase: () => Promise<Rows | undefined>;
}

const atBot = async (erasure: Storage['erasure'], reference: string): Promise<Part> => {
  const { rows, undelivered: untold } = await erasure.count(reference);
  return {
    owner: "The bot's database",
    rows,
    warnings: [
      ...(untold > 0 ? [`Of the interactions ${untold} are not over: their outcome will not be told.`] : []),
      'Chats go as a whole, with what others said in them. What channels have is not touched.',
    ],
    erase: async () => (await erasure.erase(reference)).rows,
  };
};

const atService = async (eraser: Eraser, reference: string, chosen: string | undefined): Promise<Part> => {
  const accounts = await eraser.accountsWith(reference);
  if (chosen === undefined && accounts.length > 1)
    throw new SettingsError([
      `customerRef: several accounts know it, each for another customer. Add --account= and one of: ${accounts.join(', ')}.`,
    ]);
  const account = chosen ?? accounts[0];
  const owner = "The service's database";
  if (account === undefined) return { owner, rows: {}, warnings: [], erase: async () => ({}) };
  const { rows, open } = await eraser.count(account, reference);
  return {
    owner,
    rows,
    open: open > 0 ? [`Of the requests ${open} are not over, or can still be paid. Withdraw them, or wait until they are over.`] : [],
    warnings: [
      'Requests, their notes and audit trails stay, without what tells whom they were about; the audit trails say so and can still be checked. Signed documents go.',
      ...(eraser.isListed(account, reference) ? [`The catalogue still names them, in the account ${account}: take them out there.`] : []),
    ],
    erase: async () => {
      const gone = await eraser.erase(account, reference);
      return gone.open > 0 ? undefined : gone.rows;
    },
  };
};

/** Of an account that is misspelt there is nothing, and so nothing that would keep the bot's part from going. */
const checkAccount = async (eraser: Eraser | undefined, reference: string, account: string) => {
  if (!eraser)
    throw new SettingsError([
      '--account: only the service has accounts, its database is not here, and SERVICE_DATABASE_URL does not name it. Leave it out to erase what the bot has.',
    ]);
  // The catalogue may have lost an account that the database still has something of.
  const known = [...new Set([...eraser.accounts, ...(await eraser.accountsWith(reference))])].sort();
  if (!known.includes(account)) throw new SettingsError([`--account: there is no account ${account}. There are: ${known.join(', ')}.`]);
};

/** The bot's database and the service's, each if it is here or the settings name it: another's service is its owner's business. */
const openBoth = async (settings: EraseOptions['settings'], environment: EraseOptions['environment'], log: Log) => {
  const { DATABASE_URL: url, DATA_DIR: dataDir, SERVICE_CATALOGUE: catalogueFile, SERVICE_DATABASE_URL: databaseUrl } = settings;
  const isHere = (name: string) => existsSync(join(dataDir, name));
  const [ofBot, ofService] = [url !== undefined || isHere('bot.db'), databaseUrl !== undefined || isHere('service.db')];
  if (!ofBot && !ofService)
    throw new SettingsError([
      `DATA_DIR: there is no database in ${resolve(dataDir)}. Name the folder that the bot or the service runs on, or its Postgres by DATABASE_URL or SERVICE_DATABASE_URL.`,
    ]);
  const storage = ofBot ? await openStorage(dataDir, { url, log }) : undefined;
  if (!ofService) return { storage, eraser: undefined };
  const options = { dataDir, databaseUrl, pepper: settings.SERVICE_PEPPER, catalogueFile, environment, log };
  const eraser = await openEraser(options).catch(async (fault: unknown) => {
    await storage?.close();
    throw fault;
  });
  return { storage, eraser };
};

const lower = (text: string) => `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;

const isNothing = (rows: Rows) => Object.values(rows).every((count) => count === 0);

const linesOf = (rows: Rows) =>
  Object.entries(rows)
    .filter(([, count]) => count > 0)
    .map(([table, count]) => `  ${table.padEnd(18)} ${count}`);

const confirmed = async (reference: string, input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Promise<boolean> => {
  const asking = createInterface({ input, output });
  const ended = new Promise<string>((resolve) => asking.once('close', () => resolve('')));
  const answer = await Promise.race([asking.question('Type the reference again to remove all of it: '), ended]);
  asking.close();
  return answer.trim() === reference;
};
