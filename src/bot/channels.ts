// Everything between the bot and its channels, built from the settings of its identity: authentication, connectors with
// their retries, and a Teams user's profile.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { fullJitter } from '../platform/backoff.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { makeAuthorityDispatcher } from '../platform/remote-keys.ts';
import type { SkillCaller } from '../platform/root-bot.ts';
import { BotAuthentication, channelAudience, type MakeConnector } from './authentication.ts';
import { type ChannelTokenOptions, makeChannelTokenCheck } from './channel-token.ts';
import { type Connector, ConnectorError } from './connector.ts';
import { onHosts, onLoopbackOnly, type ServiceUrlCheck } from './envelope.ts';
import { makeConnectorDispatcher, makeHttpConnector } from './http-connector.ts';
import { makePace } from './pace.ts';
import { type BotIdentitySettings, refuseUnsafe } from './refuse-unsafe.ts';
import type { Activity, ServiceClientCredentialsFactory } from './sdk.ts';
import { answersOf, makeSkillTokenCheck, type SkillTokenOptions } from './skill-token.ts';
import { graphAudience, makeTeamsProfile } from './teams-profile.ts';
import { credentialsOf, makeTokenSource } from './tokens.ts';

export interface ChannelsOptions {
  readonly identity: BotIdentitySettings;
  /** Our Direct Line. */
  readonly own: Connector;
  readonly clock: Clock;
  readonly log: Log;
  /** Hosts of service URLs, instead of the public cloud's. */
  readonly hosts?: readonly string[];
  /** The signer of requests, instead of the public cloud's Bot Connector. */
  readonly authority?: Pick<ChannelTokenOptions, 'issuer' | 'metadataUrl'>;
  /** Bots that may run this one as a skill. Unset: none. */
  readonly callers?: readonly SkillCaller[];
  /** The signer of their requests, instead of Microsoft Entra. */
  readonly skillAuthority?: Pick<SkillTokenOptions, 'metadataUrl'>;
  /** Makes the bot's tokens, instead of the way its identity prescribes. */
  readonly credentials?: ServiceClientCredentialsFactory;
  /** The connections to channels and root bots, instead of the guarded ones. */
  readonly connections?: Dispatcher;
  /** Called for every message that a channel refused, for the operator's counters. */
  readonly onRefused?: (refused: Refused) => void;
}

/**
 * A message that a channel refused: the customer has blocked the bot, the chat is gone (or the bot was removed
 * from it), or there were too many.
 */
export interface Refused {
  readonly channel: string;
  readonly reason: 'blocked' | 'gone' | 'throttled';
}

export interface Channels {
  readonly authentication: BotAuthentication;
  /**
   * The service URLs that this bot answers to: the channels' hosts and those of root bots with an app id, loopback
   * without one.
   */
  readonly answersTo: ServiceUrlCheck;
  /** The phone number in a Teams user's profile; `undefined` without an app id, which Graph requires. */
  readonly teamsNumber: ((activity: Partial<Activity>) => Promise<string | undefined>) | undefined;
  /** Ends the connections to the channels. */
  close(): Promise<void>;
}

/** @throws {SettingsError} for settings that would leave the bot open, see {@link refuseUnsafe}. */
export const makeChannels = (options: ChannelsOptions): Channels => {
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
  const tokens = appId === undefined ? undefined : makeTokenSource({ credentials, appId });
  const pace = makePace({ clock });
  const makeConnector: MakeConnector = (serviceUrl, audience, retries) => {
    // A root bot's token is only for that bot's host, and the channels' token is not for root bots.
    const allowed = audience === channelAudience ? onChannels : answersOf(callers, audience);
    const http = makeHttpConnector({ serviceUrl, allowed, token: tokens?.(audience), dispatcher, clock });
    const connector = pace(tellingRefusals(http, log, onRefused), serviceUrl);
    return wordsInstead(retries === 'none' ? connector : retryingWhenBusy(connector, { clock }), log);
  };
  const checkToken =
    appId === undefined ? undefined : makeChannelTokenCheck({ appId, dispatcher: authorityDispatcher, clock, ...authority });
  const roots =
    appId === undefined || callers.length === 0
      ? undefined
      : makeSkillTokenCheck({
          appId,
          callers,
          tenant: identity.MicrosoftAppTenantId || undefined,
          dispatcher: authorityDispatcher,
          clock,
          ...skillAuthority,
        });
  return {
    authentication: new BotAuthentication({ appId, credentials, checkToken, roots, own, makeConnector }),
    answersTo: (serviceUrl) => onChannels(serviceUrl) || onRoots(serviceUrl),
    teamsNumber: tokens && makeTeamsProfile({ token: tokens(graphAudience), dispatcher: authorityDispatcher, log }),
    close: async () => {
      await Promise.all([dispatcher.destroy(), authorityDispatcher.destroy()]);
    },
  };
};

export interface RetryOptions {
  readonly clock: Clock;
  readonly random?: () => number;
  /** Resolves after that many milliseconds. */
  readonly pause?: (ms: number) => Promise<unknown>;
  /** Attempts after the first. */
  readonly more?: number;
  /** From the first attempt to the start of the last, in milliseconds. */
  readonly budget?: number;
}

/**
 * The connector with up to two more attempts, for `busy` answers only (412, 429, 502, 504: Teams asks for retries with
 * jitter). Final and uncertain faults surface at once, and so does a `busy` whose Retry-After does not fit into the
 * budget.
 */
export const retryingWhenBusy = (
  connector: Connector,
  { clock, random = Math.random, pause = sleep, more = 2, budget = 3000 }: RetryOptions,
): Connector => {
  const persistently = async <Result>(attempt: () => Promise<Result>): Promise<Result> => {
    const end = clock.now() + budget;
    for (let tries = 0; ; tries++) {
      try {
        return await attempt();
      } catch (fault) {
        if (!(fault instanceof ConnectorError) || fault.code !== 'busy' || tries >= more) throw fault;
        const wait = (fault.retryAfter ?? 0) + fullJitter({ base: 400, cap: 1500 }, tries, random);
        if (clock.now() + wait > end) throw fault;
        await pause(wait);
      }
    }
  };
  return {
    post: (conversationId, activity, replyToId) => persistently(() => connector.post(conversationId, activity, replyToId)),
    update: (conversationId, activityId, activity) => persistently(() => connector.update(conversationId, activityId, activity)),
    remove: (conversationId, activityId) => persistently(() => connector.remove(conversationId, activityId)),
  };
};

/**
 * Teams' code for a chat whose user has blocked the bot (learn.microsoft.com, "Send proactive messages":
 * status codes).
 */
const blocked = new Set(['ConversationBlockedByUser', 'MessageWritesBlocked']);

const refusalIn = ({ code, reason = '', status }: ConnectorError): Refused['reason'] | undefined => {
  if (status === 429) return 'throttled';
  if (code === 'gone') return blocked.has(reason) ? 'blocked' : 'gone';
  return undefined;
};

/** The connector, which reports refusals to the operator: by channel and reason, and never by chat. */
const tellingRefusals = (connector: Connector, log: Log, onRefused: ChannelsOptions['onRefused']): Connector => {
  const telling = async <Result>({ channelId: channel = 'other' }: Partial<Activity>, post: () => Promise<Result>): Promise<Result> => {
    try {
      return await post();
    } catch (fault) {
      const refusal = fault instanceof ConnectorError ? refusalIn(fault) : undefined;
      if (!refusal) throw fault;
      const { reason, status } = fault as ConnectorError;
      log.warn({ channel, state: refusal, status, reason }, 'a channel did not take a message');
      onRefused?.({ channel, reason: refusal });
      throw fault;
    }
  };
  return {
    ...connector,
    post: (conversation, activity, replyTo) => telling(activity, () => connector.post(conversation, activity, replyTo)),
    update: (conversation, id, activity) => telling(activity, () => connector.update(conversation, id, activity)),
  };
};

/** A length that no channel refuses (a segment of a text message has 160, a chat several thousand), in characters. */
const short = 1000;

const cut = (text: string) => (text.length > short ? `${text.slice(0, short - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : text);

/** A plain substitute for an activity; `undefined`: there is nothing shorter or plainer. */
const inWords = (activity: Partial<Activity>): Partial<Activity> | undefined => {
  const { attachments, suggestedActions: _, summary, speak, text = '', ...rest } = activity;
  const words = speak && speak.length <= short ? speak : (summary ?? speak ?? text);
  const plain = attachments?.length ? words : text;
  if (plain === '' || (!attachments?.length && plain.length <= short)) return undefined;
  return { ...rest, text: cut(plain), textFormat: 'plain' };
};

/**
 * The connector, which posts an activity again as plain text if the channel refused it (400, 413 and other final
 * 4xx except 403 and 404).
 */
const wordsInstead = (connector: Connector, log: Log): Connector => ({
  ...connector,
  post: async (conversationId, activity, replyToId) => {
    try {
      return await connector.post(conversationId, activity, replyToId);
    } catch (fault) {
      const words = fault instanceof ConnectorError && fault.code === 'rejected' ? inWords(activity) : undefined;
      if (!words) throw fault;
      const { status, reason } = fault as ConnectorError;
      log.warn({ channel: activity.channelId, status, reason }, 'a channel refused a message; it goes once more as short plain text');
      return connector.post(conversationId, words, replyToId);
    }
  },
});
