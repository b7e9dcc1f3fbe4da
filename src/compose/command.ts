// What the command line asks for.
import { SettingsError } from '../platform/settings-error.ts';

/** What to start: both, where no other service is configured; or one of them. */
export type Program = 'all' | 'bot' | 'service';

/** What to do: start something, look whether everything is as it should be, open answers that only the account can read, erase a customer, or make a key. */
export type Command = Program | 'decrypt' | 'doctor' | 'erase' | 'service-key';

const commands: readonly Command[] = ['all', 'bot', 'service', 'decrypt', 'doctor', 'erase', 'service-key'];

/** @throws {SettingsError} for anything but nothing or one of the commands; only `decrypt` and `erase` have words of their own after them. */
export const readCommand = ([given = 'all', ...rest]: readonly string[]): Command => {
  const command = commands.find((known) => known === given);
  if (command && (rest.length === 0 || command === 'decrypt' || command === 'erase')) return command;
  throw new SettingsError([
    'command: is not one of ours. Say nothing to start everything, or one of: bot, service, decrypt, doctor, erase, service-key.',
  ]);
};
