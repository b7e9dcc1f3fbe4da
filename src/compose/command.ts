// What the command line asks for.
import { parseArgs } from 'node:util';
import { SettingsError } from '../platform/settings-error.ts';
import { usageOf } from './usage.ts';

/** What to start: the bot with the service beside it, where no other is configured; or the bot alone. */
export type Program = 'all' | 'bot';

/** What to do: start something, look whether everything is as it should be, erase a customer, or work on flows. */
export type Command = Program | 'doctor' | 'erase' | 'flows';

const commands: readonly Command[] = ['all', 'bot', 'doctor', 'erase', 'flows'];

const commandOf = (given: string) => commands.find((known) => known === given);

/** @throws {SettingsError} for anything but nothing or one of the commands; only `erase` and `flows` take arguments. */
export const readCommand = ([given = 'all', ...rest]: readonly string[]): Command => {
  const command = commandOf(given);
  if (!command)
    throw new SettingsError([
      'command: is not one of ours. Say nothing to start everything, or one of: bot, doctor, erase, flows. The service has commands of its own.',
    ]);
  if (rest.length > 0 && command !== 'erase' && command !== 'flows')
    throw new SettingsError([`command: ${command} takes no arguments: ${rest.join(' ')}.`]);
  return command;
};

/**
 * How the command is used, where `--help` or `-h` asks for it; `undefined` where nothing does, or nobody knows the command. `service`: whether the reference
 * service is part of this install.
 */
export const readHelp = (words: readonly string[], service = true): string | undefined => {
  // Other options are for the command itself to judge.
  const { values, positionals } = parseArgs({ args: [...words], options: { help: { type: 'boolean', short: 'h' } }, strict: false });
  const command = commandOf(positionals[0] ?? 'all');
  return values.help === true && command ? usageOf(command, service) : undefined;
};
