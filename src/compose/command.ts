// What the command line asks for.
import { SettingsError } from '../platform/settings-error.ts';

/** What to start: both, where no other service is configured; or one of them. */
export type Program = 'all' | 'bot' | 'service';

/** What to do: start something, or look whether everything is as it should be. */
export type Command = Program | 'doctor';

const commands: readonly Command[] = ['all', 'bot', 'service', 'doctor'];

/** @throws {SettingsError} for anything but nothing or one of the commands. */
export const readCommand = ([given = 'all', ...rest]: readonly string[]): Command => {
  const command = commands.find((known) => known === given);
  if (rest.length === 0 && command) return command;
  throw new SettingsError(['command: is not one of ours. Say nothing to start everything, or one of: bot, service, doctor.']);
};
