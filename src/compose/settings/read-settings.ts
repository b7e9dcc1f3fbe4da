// A connector's settings, read from the environment once: the core's, and each capability's own. All mistakes are
// reported together, by name.
import { z } from 'zod';
import { type Environment, readEnvironment } from '../../platform/settings/environment.ts';
import type { AnyCapability } from '../bot/capability.ts';
import { filesWrong, isPublic, togetherWrong } from './core-faults.ts';
import { type CoreSettings, coreShape } from './core-settings.ts';

/** The schema of the core's settings and of those of these capabilities. */
export const settingsSchema = (list: readonly AnyCapability[]) =>
  z.object(Object.assign({}, coreShape, ...list.map(({ settings }) => settings?.shape)) as typeof coreShape);

/**
 * Reads the settings of a bot with these capabilities. An empty variable counts as unset. `beside`: the reference
 * service starts beside it unless another is configured.
 * @throws {SettingsError} with a line for every mistake: in a setting, in a file it names, or in a combination.
 */
export const readSettingsOf = (list: readonly AnyCapability[], environment: Environment, beside = true): CoreSettings => {
  const faultsIn = (set: Environment) => [
    ...filesWrong(set),
    ...togetherWrong(set, beside),
    ...list.flatMap(({ settings }) => settings?.faults?.(set) ?? []),
  ];
  const settings = readEnvironment(settingsSchema(list), environment, faultsIn);
  // On a terminal, people who try it out want to see the addresses, not a log.
  return { ...settings, LOG_LEVEL: settings.LOG_LEVEL ?? (isPublic(settings) ? 'info' : 'warn') };
};
