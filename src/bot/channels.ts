// Everything between the bot and its channels, built from the settings of its identity: authentication, connectors with
// their retries, and a Teams user's profile.
import type { Dispatcher } from 'undici';
import type { Log } from '../platform/log.ts';
import { makeAuthorityDispatcher } from '../platform/outgoing/remote-keys.ts';
import type { SkillCaller } from '../platform/root-bot.ts';
import type { Clock } from '../platform/time/clock.ts';
import { BotAuthentication, channelAudience, type MakeConnector } from './authentication/authentication.ts';
import { makeChannelTokenCheck } from './authentication/channel-token.ts';
import { answersOf, makeSkillTokenCheck } from './authentication/skill-token.ts';
import { graphAudience, makeTeamsProfile } from './authentication/teams-profile.ts';
import { credentialsOf, makeTokenSource } from './authentication/tokens.ts';
import { onHosts, onLoopbackOnly } from './envelope.ts';
import type { Connector } from './outgoing/connector.ts';
import { makeConnectorDispatcher, makeHttpConnector } from './outgoing/http-connector.ts';
import { plainTextInstead, type Refused, reportRefusals, retryWhenBusy, throughSteps } from './outgoing/outgoing.ts';
import { makePace } from './outgoing/pace.ts';
import { type BotIdentitySettings, refuseUnsafe } from './refuse-unsafe.ts';
import type { ServiceClientCredentialsFactory } from './sdk.ts';

export interface ChannelsOptions {
  readonly identity: BotIdentitySettings;
  /** Our Direct Line. */
  readonly own: Connector;
  readonly clock: Clock;
  readonly log: Log;
  /** Hosts of service URLs, instead of the public cloud's. */
  readonly hosts?: readonly string[];
  /** The signer of requests, instead of the public cloud's Bot Connector. */
  readonly authority?: { readonly issuer?: string; readonly metadataUrl?: string };
  /** Bots that may run this one as a skill. Unset: none. */
  readonly callers?: readonly SkillCaller[];
  /** The signer of their requests, instead of Microsoft Entra. */
  readonly skillAuthority?: { readonly metadataUrl?: string };
  /** Makes the bot's tokens, instead of the way its identity prescribes. */
  readonly credentials?: ServiceClientCredentialsFactory;
  /** The connections to channels and root bots, instead of the guarded ones. */
  readonly connections?: Dispatcher;
  /** Called for every message that a channel refused, for the operator's counters. */
  readonly onRefused?: (refused: Refused) => void;
}

export type Channels = ReturnType<typeof makeChannels>;

/** @throws {SettingsError} for settings that would leave the bot open, see {@link refuseUnsafe}. */
export const makeChannels = (options: ChannelsOptions) => {
  const { identity, own, clock, log, hosts, authority = {}, skillAuthority = {}, onRefused } = options;
  refuseUnsafe(identity);
  const appId = identity.MicrosoftAppId || undefined;
  // Tokens name apps in lower case.
  const named = (options.callers ?? []).map((caller) => ({ ...caller, appId: caller.appId.toLowerCase() }));
  const callers = appId === undefined ? [] : named;
  const onChannels = appId === undefined ? onLoopbackOnly : onHosts(hosts);
  const onRoots = onHosts(callers.map(({ host }) => host));
  const dispatcher = options.connections ?? makeConnectorDispatcher(appId === undefined ? 'loopback' : 'internet');
  const authorityDispatcher = makeAuthorityDispatcher();
  const credentials = options.credentials ?? credentialsOf(identity);
  const tokens = appId === undefined ? undefined : makeTokenSource(credentials, appId);
  const pace = makePace(clock);
  const makeConnector: MakeConnector = (serviceUrl, audience, retries) => {
    // A root bot's token is only for that bot's host, and the channels' token is not for root bots.
    const allowed = audience === channelAudience ? onChannels : answersOf(callers, audience);
    const http = makeHttpConnector(serviceUrl, allowed, tokens?.(audience), { dispatcher, clock });
    return throughSteps(
      [plainTextInstead(log), ...(retries === 'none' ? [] : [retryWhenBusy(clock)]), pace(serviceUrl), reportRefusals(log, onRefused)],
      http,
    );
  };
  const reading = { dispatcher: authorityDispatcher, clock };
  const checkToken = appId === undefined ? undefined : makeChannelTokenCheck({ appId, ...reading, ...authority });
  const tenant = identity.MicrosoftAppTenantId || undefined;
  const roots =
    appId === undefined || callers.length === 0
      ? undefined
      : makeSkillTokenCheck(appId, callers, tenant, { ...reading, ...skillAuthority });
  return {
    authentication: new BotAuthentication({ appId, credentials, checkToken, roots, own, makeConnector }),
    /**
     * The service URLs that this bot answers to: the channels' hosts and those of root bots with an app id, loopback
     * without one.
     */
    answersTo: (serviceUrl: string): boolean => onChannels(serviceUrl) || onRoots(serviceUrl),
    /** The phone number in a Teams user's profile; `undefined` without an app id, which Graph requires. */
    teamsNumber: tokens && makeTeamsProfile(tokens(graphAudience), authorityDispatcher, log),
    /** Ends the connections to the channels. */
    close: async (): Promise<void> => {
      await Promise.all([dispatcher.destroy(), authorityDispatcher.destroy()]);
    },
  };
};
