// The settings of a whole start: the bot's and, if the service starts beside it, the service's.
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
 * Reads all of them. The bot and the service read their own, and their mistakes are reported together.
 * @throws {SettingsError} with a line for every mistake.
 */
export const readConfiguration = async (environment: Environment, program: Program): Promise<Configuration> => {
  // In production the built-in service is never started.
  const beside = program === 'all' && !environment.SERVICE_BASE_URL && environment.NODE_ENV !== 'production';
  if (!beside) return { settings: readSettings(environment, program) };
  const { readServiceSettings } = await loadService();
  const lines = new Set([...linesOf(() => readSettings(environment, program)), ...linesOf(() => readServiceSettings(environment))]);
  if (lines.size > 0) throw new SettingsError([...lines]);
  return { settings: readSettings(environment, program), service: readServiceSettings(environment) };
};
