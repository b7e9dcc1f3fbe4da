// Everything between the bot and its channels, put together from the settings of its identity.
import type { Activity } from 'botbuilder';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { BotAuthentication, type MakeConnector } from './authentication.ts';
import { credentialsOf } from './bot-token.ts';
import { type ChannelTokenOptions, makeAuthorityDispatcher, makeChannelTokenCheck } from './channel-token.ts';
import type { Connector } from './connector.ts';
import { makeConnectorDispatcher, makeHttpConnector } from './http-connector.ts';
import { type BotIdentitySettings, refuseUnsafe } from './refuse-unsafe.ts';
import { retryingWhenBusy } from './retrying-connector.ts';
import { onHosts, onLoopbackOnly, type ServiceUrlCheck } from './service-url.ts';
import { graphAudience, makeTeamsProfile } from './teams-profile.ts';
import { makeTokenSource } from './tokens.ts';
import { wordsInstead } from './words-instead.ts';

export interface ChannelsOptions {
  readonly identity: BotIdentitySettings;
  /** Our own Direct Line. */
  readonly own: Connector;
  readonly clock: Clock;
  readonly log: Log;
  /** Hosts of service URLs, where those of the public cloud are not the ones. */
  readonly hosts?: readonly string[];
  /** Who signs the requests, where it is not the public cloud's Bot Connector. */
  readonly authority?: Pick<ChannelTokenOptions, 'issuer' | 'metadataUrl'>;
}

export interface Channels {
  readonly authentication: BotAuthentication;
  /** The service URLs this bot answers to: the hosts of the channels with an app id, loopback without one. */
  readonly answersTo: ServiceUrlCheck;
  /** The phone number in a Teams user's profile; `undefined` without an app id, which Graph would not know. */
  readonly teamsNumber: ((activity: Partial<Activity>) => Promise<string | undefined>) | undefined;
  /** Ends the connections to the channels. */
  close(): Promise<void>;
}

/** @throws {SettingsError} for settings that would leave the bot open, see {@link refuseUnsafe}. */
export const makeChannels = ({ identity, own, clock, log, hosts, authority = {} }: ChannelsOptions): Channels => {
  refuseUnsafe(identity);
  const appId = identity.MicrosoftAppId || undefined;
  const answersTo = appId === undefined ? onLoopbackOnly : onHosts(hosts);
  const dispatcher = makeConnectorDispatcher(appId === undefined ? 'loopback' : 'internet');
  const authorityDispatcher = makeAuthorityDispatcher();
  const credentials = credentialsOf(identity);
  const tokens = appId === undefined ? undefined : makeTokenSource({ credentials, appId });
  const makeConnector: MakeConnector = (serviceUrl, audience, patience) => {
    const connector = makeHttpConnector({ serviceUrl, allowed: answersTo, token: tokens?.(audience), dispatcher, clock });
    return wordsInstead(patience === 'once' ? connector : retryingWhenBusy(connector, { clock }), log);
  };
  const checkToken =
    appId === undefined ? undefined : makeChannelTokenCheck({ appId, dispatcher: authorityDispatcher, clock, ...authority });
  return {
    authentication: new BotAuthentication({ appId, credentials, checkToken, own, makeConnector }),
    answersTo,
    teamsNumber: tokens && makeTeamsProfile({ token: tokens(graphAudience), dispatcher: authorityDispatcher, log }),
    close: async () => {
      await Promise.all([dispatcher.destroy(), authorityDispatcher.destroy()]);
    },
  };
};
