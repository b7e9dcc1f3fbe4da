// `npm run decrypt`: answers of a zero-knowledge form, opened for the account holder.
import { decrypt } from './compose/decrypt.ts';
import { readSettings } from './compose/settings.ts';
import { exitConfig, SettingsError } from './platform/settings-error.ts';

try {
  console.log(await decrypt(process.argv.slice(2), readSettings(process.env)));
} catch (fault) {
  if (!(fault instanceof SettingsError)) throw fault;
  for (const line of fault.lines) console.error(line);
  process.exitCode = exitConfig;
}
