// The process behind `npm run erase`: one customer, gone from the bot's database.
import { eraseCustomer } from './compose/erase.ts';
import { readSettings } from './compose/settings.ts';
import { makeLog } from './platform/log.ts';
import { exitConfig, SettingsError } from './platform/settings-error.ts';

try {
  const settings = readSettings(process.env);
  const { stdin: input, stdout: output } = process;
  const gone = await eraseCustomer({ args: process.argv.slice(2), settings, log: makeLog(settings.LOG_LEVEL), input, output });
  process.exit(gone ? 0 : 1);
} catch (fault) {
  if (!(fault instanceof SettingsError)) throw fault;
  for (const line of fault.lines) console.error(line);
  process.exitCode = exitConfig;
}
