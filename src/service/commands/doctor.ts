// Checks what the service needs, and changes nothing.
import { sql } from 'kysely';
import { askPostgres } from '../../platform/database/postgres.ts';
import { makeLog } from '../../platform/log.ts';
import { checkFolder } from '../../platform/process/data-folder.ts';
import { type Finding, findingLine, ok, warning, wrong } from '../../platform/process/finding.ts';
import { type Environment, misspelt } from '../../platform/settings/environment.ts';
import { exitConfig, SettingsError } from '../../platform/settings/settings-error.ts';
import { examineConsole } from '../console/openid/examine.ts';
import { readServiceSettings, type ServiceSettings, settingNames } from '../settings.ts';

/**
 * Prints a line per check, as the bot's doctor does. Returns the exit code: 0 when nothing is wrong, 1 when something
 * is, 78 when the settings cannot be used at all.
 */
export const examine = async (environment: Environment, print: (line: string) => void): Promise<number> => {
  let worst = 0;
  const tell = (check: string, finding: Finding) => {
    if (finding.status === 'wrong') worst = 1;
    print(findingLine(check, finding));
  };
  const settings = readAll(environment);
  if (settings instanceof SettingsError) {
    for (const line of settings.lines) tell('settings', wrong(line));
    return exitConfig;
  }
  tell('settings', ok('all are valid.'));
  for (const { meant, setting } of misspelt(environment, settingNames))
    tell('settings', warning(`${setting} is no setting: did you mean ${meant}?`));
  tell('data folder', await checkFolder(settings.DATA_DIR));
  if (settings.SERVICE_DATABASE_URL) tell('database', await checkDatabase(settings.SERVICE_DATABASE_URL));
  const signIn = await examineConsole(environment);
  if (signIn) tell('console', signIn);
  return worst;
};

const readAll = (environment: Environment): ServiceSettings | SettingsError => {
  try {
    return readServiceSettings(environment);
  } catch (fault) {
    if (fault instanceof SettingsError) return fault;
    throw fault;
  }
};

const checkDatabase = async (url: string): Promise<Finding> => {
  try {
    await askPostgres(url, makeLog('silent'), (db) => sql`select 1`.execute(db), 'SERVICE_DATABASE_URL');
    return ok('the Postgres answers.');
  } catch (fault) {
    if (fault instanceof SettingsError) return wrong(fault.message);
    throw fault;
  }
};
