// npm run doctor: checks everything that the bot needs, and explains what is wrong.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Agent } from 'undici';
import { type AccessToken, type BotIdentitySettings, botToken } from '../../bot/index.ts';
import { type Finding, findingLine, ok, unknown, warning, wrong } from '../../platform/process/finding.ts';
import { keptSecret } from '../../platform/secrets/kept-secret.ts';
import type { Environment } from '../../platform/settings/environment.ts';
import { exitConfig, SettingsError } from '../../platform/settings/settings-error.ts';
import { systemClock } from '../../platform/time/clock.ts';
import type { AnyCapability } from '../bot/capability.ts';
import { capabilities } from '../capabilities.ts';
import { findService } from '../installed-service.ts';
import { countOf, readOwnTexts } from '../settings/own-texts.ts';
import { findMisspelt, readConfiguration } from '../start/configuration.ts';
import { serviceAccess } from '../start/service.ts';
import type { Settings } from '../start/settings.ts';
import { checkBootstrap } from './checks/bootstrap.ts';
import { checkBotIdentity } from './checks/bot-identity.ts';
import { checkChats } from './checks/chats.ts';
import { checkDataFolder } from './checks/data-folder.ts';
import { checkPostgres } from './checks/postgres.ts';
import { makeProbe } from './checks/probe.ts';
import { askForNothing, checkClock, checkKey, checkReachable, checkResults } from './checks/service.ts';
import { checkWebsocket } from './checks/websocket.ts';

/** Milliseconds: for one request, and for the websocket. */
const usualPatience = { request: 5000, socket: { handshake: 5000, answer: 3000 } };
type Patience = typeof usualPatience;

/**
 * Prints a line or several per check: `ok`, `warning`, `wrong` or `unknown`, the check's name, and an observation or
 * advice. Changes nothing and sends nothing to any customer. Returns the exit code: 0 when nothing is wrong, 1 when
 * something is, 78 when the settings cannot be used at all.
 */
export const examine = async (
  environment: Environment,
  print: (line: string) => void,
  {
    patience = usualPatience,
    tokenOf = botToken as (identity: BotIdentitySettings) => AccessToken | undefined,
    now = systemClock.now,
  } = {},
): Promise<number> => {
  let worst = 0;
  const tell = (check: string, finding: Finding) => {
    if (finding.status === 'wrong') worst = 1;
    print(findingLine(check, finding));
  };

  const read = await readAll(environment);
  if ('lines' in read) {
    for (const line of read.lines) tell('settings', wrong(line));
    return exitConfig;
  }
  const { settings } = read;
  tell('settings', ok('all are valid.'));
  for (const { meant, setting } of await findMisspelt(environment, settings.SERVICE_BASE_URL === undefined))
    tell('settings', warning(`${setting} is no setting: did you mean ${meant}?`));
  tell('data folder', await checkDataFolder(settings.DATA_DIR, settings.DATABASE_URL === undefined));
  if (settings.DATABASE_URL) tell('database', await checkPostgres(settings.DATABASE_URL));
  for (const check of await checkChats(settings, now())) tell(...check);
  if (settings.TEXTS_DIR !== undefined) tell('texts', checkTexts(settings.TEXTS_DIR));
  for (const { settings: own } of capabilities as readonly AnyCapability[])
    for (const check of (await own?.check?.(settings, patience.request)) ?? []) tell(...check);
  tell('bot identity', await checkBotIdentity(tokenOf(settings)));
  await examineService(settings, patience, now, tell);
  const signIn = await (await findService())?.examineConsole(environment);
  if (signIn) tell('console', signIn);
  return worst;
};

/** Their faults are reported with the settings. */
const checkTexts = (folder: string): Finding => {
  const count = countOf(readOwnTexts(folder));
  return count === 0
    ? warning('TEXTS_DIR holds no texts: the built-in ones are used.')
    : ok(`${count} of your own ${count === 1 ? 'replaces a built-in one' : 'replace built-in ones'}.`);
};

type Tell = (check: string, finding: Finding) => void;

const examineService = async (settings: Settings, patience: Patience, now: () => number, tell: Tell) => {
  const secretKey = keyOf(settings);
  const access = serviceAccess({ ...settings, SERVICE_SECRET_KEY: secretKey ?? 'none' });
  const dispatcher = new Agent({ connect: { timeout: patience.request }, allowH2: false, pipelining: 1 });
  const probe = makeProbe(access, dispatcher, patience.request, now);
  try {
    const answer = await askForNothing(probe);
    tell('service', checkReachable(answer, new URL(access.baseUrl).origin, settings.SERVICE_BASE_URL === undefined));
    if ('fault' in answer) {
      for (const check of ['key', 'results', 'bootstrap', 'clock'])
        tell(check, unknown('cannot be checked while the service does not answer.'));
    } else {
      tell('key', secretKey === undefined ? unknown(noKey) : checkKey(answer));
      tell('results', checkResults(answer));
      tell('bootstrap', await checkBootstrap(probe, settings.SERVICE_BOOTSTRAP));
      tell('clock', checkClock(answer));
    }
    tell('websocket', await checkWebsocket(access.wsUrl, patience.socket));
  } finally {
    await dispatcher.destroy();
  }
};

const noKey = 'DATA_DIR holds no key yet. Start the service that comes with the bot, or set SERVICE_BASE_URL and SERVICE_SECRET_KEY.';

/** The key that the bot would use, without creating one. */
const keyOf = ({ DATA_DIR, SERVICE_SECRET_KEY }: Settings): string | undefined =>
  SERVICE_SECRET_KEY ?? (existsSync(join(DATA_DIR, 'service.key')) ? keptSecret(DATA_DIR, 'service.key') : undefined);

/** The settings, or a line for each mistake in them. */
const readAll = async (environment: Environment): Promise<{ settings: Settings } | { lines: readonly string[] }> => {
  try {
    return await readConfiguration(environment, 'all');
  } catch (fault) {
    if (!(fault instanceof SettingsError)) throw fault;
    return { lines: fault.lines };
  }
};
