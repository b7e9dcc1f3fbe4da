// The connector's settings, read from the environment once: the core's, and each capability's own. All mistakes are
// reported together, by name.
import { z } from 'zod';
import { type Environment, readEnvironment } from '../../platform/settings/environment.ts';
import type { AnyCapability, SettingsOf } from '../bot/capability.ts';
import { capabilities } from '../capabilities.ts';
import type { Program } from '../commands/command.ts';
import { filesWrong, isPublic, togetherWrong } from '../settings/core-faults.ts';
import { type CoreSettings, coreShape } from '../settings/core-settings.ts';

/** The connector's settings, checked; docs/operations.md lists their names and defaults. The service reads its own. */
export type Settings = CoreSettings & SettingsOf<typeof capabilities>;

const schemaOf = (list: readonly AnyCapability[]) =>
  z.object(Object.assign({}, coreShape, ...list.map(({ settings }) => settings?.shape)) as typeof coreShape);

/** The names of all settings that the connector reads, for the warning of misspelt ones and for the test of its documents. */
export const settingNames: readonly string[] = Object.keys(schemaOf(capabilities).shape);

/**
 * Reads the settings for the parts to be started, with these capabilities. An empty variable counts as unset.
 * @throws {SettingsError} with a line for every mistake: in a setting, in a file it names, or in a combination.
 */
export const readSettings = (
  environment: Environment,
  program: Program = 'all',
  list: readonly AnyCapability[] = capabilities,
): Settings => {
  const faultsIn = (set: Environment) => [
    ...filesWrong(set),
    ...togetherWrong(set, program === 'all'),
    ...list.flatMap(({ settings }) => settings?.faults?.(set) ?? []),
  ];
  const settings = readEnvironment(schemaOf(list), environment, faultsIn) as CoreSettings & SettingsOf<typeof capabilities>;
  // On a terminal, people who try it out want to see the addresses, not a log.
  return { ...settings, LOG_LEVEL: settings.LOG_LEVEL ?? (isPublic(settings) ? 'info' : 'warn') };
};
