// What the command line asks for.
import { parseArgs } from 'node:util';
import { SettingsError } from '../platform/settings-error.ts';
import { usageOf } from './usage.ts';

/** What to start: both, where no other service is configured; or one of them. */
export type Program = 'all' | 'bot' | 'service';

/** What to do: start something, look whether everything is as it should be, open answers that only the account can read, erase a customer, or make a key. */
export type Command = Program | 'decrypt' | 'doctor' | 'erase' | 'service-key';

const commands: readonly Command[] = ['all', 'bot', 'service', 'decrypt', 'doctor', 'erase', 'service-key'];

const commandOf = (given: string) => commands.find((known) => known === given);

/** @throws {SettingsError} for anything but nothing or one of the commands; only `decrypt` and `erase` have words of their own after them. */
export const readCommand = ([given = 'all', ...rest]: readonly string[]): Command => {
  const command = commandOf(given);
  if (!command)
    throw new SettingsError([
      'command: is not one of ours. Say nothing to start everything, or one of: bot, service, decrypt, doctor, erase, service-key.',
    ]);
  if (rest.length > 0 && command !== 'decrypt' && command !== 'erase')
    throw new SettingsError([`command: ${command} takes no arguments: ${rest.join(' ')}.`]);
  return command;
};

/** How the command is used, where `--help` or `-h` asks for it; `undefined` where nothing does, or nobody knows the command. */
export const readHelp = (words: readonly string[]): string | undefined => {
  // Other options are for the command itself to judge.
  const { values, positionals } = parseArgs({ args: [...words], options: { help: { type: 'boolean', short: 'h' } }, strict: false });
  const command = commandOf(positionals[0] ?? 'all');
  return values.help === true && command ? usageOf(command) : undefined;
};
