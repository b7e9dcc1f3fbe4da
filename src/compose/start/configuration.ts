// The settings of a whole start: the bot's and, if the service starts beside it, the service's.
import { type Environment, linesOf, type Misspelt, misspelt } from '../../platform/settings/environment.ts';
import { SettingsError } from '../../platform/settings/settings-error.ts';
import type { Program } from '../commands/command.ts';
import { findService, loadService } from '../installed-service.ts';
import { readSettings, settingNames } from './settings.ts';

export type Configuration = Awaited<ReturnType<typeof readConfiguration>>;

/**
 * Reads all of them. The bot and the service read their own, and their mistakes are reported together. Without
 * `service`, the bot works with one that runs elsewhere.
 * @throws {SettingsError} with a line for every mistake.
 */
export const readConfiguration = async (environment: Environment, program: Program) => {
  // In production the built-in service is never started.
  const beside = program === 'all' && !environment.SERVICE_BASE_URL && environment.NODE_ENV !== 'production';
  if (!beside) return { settings: readSettings(environment, program), service: undefined };
  const { readServiceSettings } = await loadService();
  const lines = new Set([...linesOf(() => readSettings(environment, program)), ...linesOf(() => readServiceSettings(environment))]);
  if (lines.size > 0) throw new SettingsError([...lines]);
  return { settings: readSettings(environment, program), service: readServiceSettings(environment) };
};

/** Variables that are spelled almost like a setting of the bot or, if it starts `beside` it, of the service. */
export const findMisspelt = async (environment: Environment, beside: boolean): Promise<readonly Misspelt[]> => {
  const found = misspelt(environment, settingNames);
  // Elsewhere it is loaded only if there is a doubt: the service has settings of its own.
  const service = beside || found.length > 0 ? await findService() : undefined;
  const all = service ? misspelt(environment, [...settingNames, ...service.settingNames]) : found;
  return beside ? all : all.filter(({ setting }) => found.some((one) => one.setting === setting));
};
