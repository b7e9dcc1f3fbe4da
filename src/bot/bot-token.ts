// The bot's own access tokens, from the settings of its identity.
import { ConfigurationServiceClientCredentialFactory } from 'botbuilder';
import { AuthenticationConstants } from 'botframework-connector';
import type { AccessToken } from './http-connector.ts';
import type { BotIdentitySettings } from './refuse-unsafe.ts';
import { makeTokenSource } from './tokens.ts';

/** The Bot Framework's credentials for an identity; it refuses settings that are empty rather than absent. */
export const credentialsOf = ({ MicrosoftAppId, MicrosoftAppPassword, MicrosoftAppTenantId, MicrosoftAppType }: BotIdentitySettings) =>
  new ConfigurationServiceClientCredentialFactory({
    ...(MicrosoftAppId && { MicrosoftAppId }),
    ...(MicrosoftAppPassword && { MicrosoftAppPassword }),
    ...(MicrosoftAppTenantId && { MicrosoftAppTenantId }),
    ...(MicrosoftAppType && { MicrosoftAppType }),
  });

/** The token with which the bot posts to channels; `undefined` without an app id. */
export const botToken = (identity: BotIdentitySettings): AccessToken | undefined =>
  identity.MicrosoftAppId
    ? makeTokenSource({ credentials: credentialsOf(identity), appId: identity.MicrosoftAppId })(
        AuthenticationConstants.ToChannelFromBotOAuthScope,
      )
    : undefined;
