// Erasing a customer from the command line: says what there is, asks, removes, says what went.
import { createInterface } from 'node:readline/promises';
import type { Log } from '../platform/log.ts';
import { SettingsError } from '../platform/settings-error.ts';
import type { Holdings } from '../storage/erase.ts';
import { openStorage } from '../storage/index.ts';
import type { Settings } from './settings.ts';

export interface EraseOptions {
  /** What follows the command: the reference, and perhaps `--yes`. */
  readonly args: readonly string[];
  readonly settings: Pick<Settings, 'DATA_DIR' | 'DATABASE_URL'>;
  readonly log: Log;
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** Whether what there was is gone. @throws {SettingsError} when the command or the database cannot be used. */
export const eraseCustomer = async ({ args, settings, log, input, output }: EraseOptions): Promise<boolean> => {
  const [reference = '', ...flags] = args;
  if (reference === '' || reference.startsWith('-') || flags.length > 1 || (flags.length === 1 && flags[0] !== '--yes'))
    throw new SettingsError(['customerRef: say whom to erase by the reference that the service knows them by, and --yes to not be asked.']);
  const say = (line: string) => output.write(`${line}\n`);
  const storage = await openStorage(settings.DATA_DIR, { url: settings.DATABASE_URL, log });
  try {
    const found = await storage.erasure.count(reference);
    if (Object.values(found.rows).every((count) => count === 0)) {
      say(`The bot's database has nothing about ${reference}.`);
      return true;
    }
    say(`The bot's database has about ${reference}:`);
    for (const line of linesOf(found)) say(line);
    if (found.untold > 0) say(`Of the interactions ${found.untold} are not over: their outcome will not be told.`);
    say(
      'Chats go as a whole, with what others said in them. What the service and the channels have is not touched. This cannot be undone.',
    );
    if (flags.length === 0 && !(await confirmed(reference, input, output))) {
      say('Nothing was removed.');
      return false;
    }
    const gone = await storage.erasure.erase(reference);
    say('Removed:');
    for (const line of linesOf(gone)) say(line);
    return true;
  } finally {
    await storage.close();
  }
};

const linesOf = ({ rows }: Holdings) => Object.entries(rows).map(([table, count]) => `  ${table.padEnd(13)} ${count}`);

const confirmed = async (reference: string, input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Promise<boolean> => {
  const asking = createInterface({ input, output });
  const ended = new Promise<string>((resolve) => asking.once('close', () => resolve('')));
  const answer = await Promise.race([asking.question('Type the reference again to remove all of it: '), ended]);
  asking.close();
  return answer.trim() === reference;
};
