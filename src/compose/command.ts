// What the command line asks for.
import { SettingsError } from '../platform/settings-error.ts';

/** What to start: both, where no other service is configured; or one of them. */
export type Command = 'all' | 'bot' | 'service';

/** @throws {SettingsError} for anything but nothing, `bot` or `service`. */
export const readCommand = ([command = 'all', ...rest]: readonly string[]): Command => {
  if (rest.length === 0 && (command === 'all' || command === 'bot' || command === 'service')) return command;
  throw new SettingsError(['command: is not one of ours. Say nothing to start everything, or one of: bot, service.']);
};
