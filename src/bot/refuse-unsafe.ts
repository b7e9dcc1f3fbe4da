// Refuses settings that would leave the bot open to anyone, or unable to answer, before anything starts.
import { SettingsError } from '../platform/settings/settings-error.ts';

/** The settings of the bot's identity, under the Bot Framework's names; an unset one is `undefined`. */
export interface BotIdentitySettings {
  readonly MicrosoftAppId?: string | undefined;
  readonly MicrosoftAppType?: string | undefined;
  readonly MicrosoftAppTenantId?: string | undefined;
  readonly MicrosoftAppPassword?: string | undefined;
  readonly NODE_ENV?: string | undefined;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const appTypes = ['MultiTenant', 'SingleTenant', 'UserAssignedMSI'];

/**
 * The mistakes, one line per setting, each beginning with its name; empty when the bot may start. No line quotes a
 * value.
 */
export const unsafeSettings = (settings: BotIdentitySettings): string[] => {
  const {
    MicrosoftAppId: appId,
    MicrosoftAppType: type = 'MultiTenant',
    MicrosoftAppTenantId: tenant,
    MicrosoftAppPassword: password,
  } = settings;
  const known = appTypes.find((name) => name.toLowerCase() === type.toLowerCase());
  if (!appId) {
    return [
      ...(settings.NODE_ENV === 'production'
        ? ['MicrosoftAppId: must be set when NODE_ENV is production. Without it anyone could talk to the bot in anyone’s name.']
        : []),
      ...(password ? ['MicrosoftAppPassword: is set but MicrosoftAppId is not. Set both, or neither for local use.'] : []),
    ];
  }
  return [
    ...(uuid.test(appId) ? [] : ['MicrosoftAppId: must be a UUID, as the Azure portal shows it.']),
    ...(known ? [] : [`MicrosoftAppType: must be one of ${appTypes.join(', ')}.`]),
    ...(known === 'UserAssignedMSI' && password ? ['MicrosoftAppPassword: must not be set when MicrosoftAppType is UserAssignedMSI.'] : []),
    ...(known !== 'UserAssignedMSI' && !password ? ['MicrosoftAppPassword: must be set when MicrosoftAppId is.'] : []),
    ...(known !== 'MultiTenant' && known && !tenant ? [`MicrosoftAppTenantId: must be set when MicrosoftAppType is ${known}.`] : []),
  ];
};

/**
 * Why numbers cannot be read from Teams profiles with this identity; empty if they can. An app of every organisation
 * gets its tokens from Microsoft's tenant (botframework.com), and Graph cannot tell the customers' organisation
 * from them.
 */
export const graphUnusable = ({ MicrosoftAppId: appId, MicrosoftAppType: type }: BotIdentitySettings): string[] =>
  appId && (type || 'MultiTenant').toLowerCase() === 'multitenant'
    ? [
        'MicrosoftAppType: must be SingleTenant or UserAssignedMSI when TEAMS_PHONE is graph: an app of every organisation can read no profiles.',
      ]
    : [];

/** @throws {SettingsError} with all of {@link unsafeSettings}, if there are any. */
export const refuseUnsafe = (settings: BotIdentitySettings): void => {
  const lines = unsafeSettings(settings);
  if (lines.length > 0) throw new SettingsError(lines);
};
