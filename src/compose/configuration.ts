// The settings of what is started: the bot's, and the service's own where it is started beside the bot.
import { type Environment, linesOf } from '../platform/environment.ts';
import { SettingsError } from '../platform/settings-error.ts';
import type { ServiceSettings } from '../service/index.ts';
import type { Program } from './command.ts';
import { loadService } from './service.ts';
import { readSettings, type Settings } from './settings.ts';

export interface Configuration {
  readonly settings: Settings;
  /** Unset: the bot works with a service that runs elsewhere. */
  readonly service?: ServiceSettings | undefined;
}

/**
 * Reads all of it; each half reads its own, and both are said to be wrong together.
 * @throws {SettingsError} with a line for everything that is wrong.
 */
export const readConfiguration = async (environment: Environment, program: Program): Promise<Configuration> => {
  // In production the service that comes with the bot is not started, whatever its settings are.
  const beside = program === 'all' && !environment.SERVICE_BASE_URL && environment.NODE_ENV !== 'production';
  if (!beside) return { settings: readSettings(environment, program) };
  const { readServiceSettings } = await loadService();
  const lines = new Set([...linesOf(() => readSettings(environment, program)), ...linesOf(() => readServiceSettings(environment))]);
  if (lines.size > 0) throw new SettingsError([...lines]);
  return { settings: readSettings(environment, program), service: readServiceSettings(environment) };
};
