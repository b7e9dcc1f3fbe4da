// The connector's settings, with those of all its capabilities.
import type { Environment } from '../../platform/settings/environment.ts';
import type { AnyCapability, SettingsOf } from '../bot/capability.ts';
import { capabilities } from '../capabilities.ts';
import type { Program } from '../commands/command.ts';
import type { CoreSettings } from '../settings/core-settings.ts';
import { readSettingsOf, settingsSchema } from '../settings/read-settings.ts';

/** The connector's settings, checked; docs/operations.md lists their names and defaults. The service reads its own. */
export type Settings = CoreSettings & SettingsOf<typeof capabilities>;

/** The names of all settings that the connector reads, for the warning of misspelt ones and for the test of its documents. */
export const settingNames: readonly string[] = Object.keys(settingsSchema(capabilities).shape);

/** Reads the settings for the parts to be started. @throws {SettingsError} as {@link readSettingsOf} does. */
export const readSettings = (environment: Environment, program: Program = 'all', list: readonly AnyCapability[] = capabilities): Settings =>
  readSettingsOf(list, environment, program === 'all') as Settings;
