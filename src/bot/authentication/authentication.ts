// The Bot Framework's authentication: who may call the bot, and how it answers, with clients that are made once.
import type { JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import { ownServiceUrl } from '../../platform/channels.ts';
import { callerIdOf } from '../../platform/root-bot.ts';
import { asConnectorClient, type Connector, ConnectorError } from '../outgoing/connector.ts';
import {
  type Activity,
  type AuthenticateRequestResult,
  AuthenticationConstants,
  ClaimsIdentity,
  ConfigurationBotFrameworkAuthentication,
  type ConnectorClient,
  type ConnectorFactory,
  type ServiceClientCredentialsFactory,
  type UserTokenClient,
} from '../sdk.ts';
import type { ChannelTokenCheck } from './channel-token.ts';
import type { SkillTokenCheck } from './skill-token.ts';

/** Makes the connector to a channel's service. `retries`: whether a `busy` channel is tried again within the call. */
export type MakeConnector = (serviceUrl: string, audience: string, retries: 'none' | 'when busy') => Connector;

/** What it works with. */
type Means = {
  /** `undefined`: no token is required, which is safe on loopback only (see `refuseUnsafe`). */
  readonly appId: string | undefined;
  readonly credentials: ServiceClientCredentialsFactory;
  /** Required with an app id. */
  readonly checkToken: ChannelTokenCheck | undefined;
  /** Bots that run this one as a skill; unset: none. */
  readonly roots?: SkillTokenCheck | undefined;
  /** Our Direct Line, in this process. */
  readonly own: Connector;
  readonly makeConnector: MakeConnector;
};

/** The audience of tokens for channels. */
export const channelAudience: string = AuthenticationConstants.ToChannelFromBotOAuthScope;
/** `CallerIdConstants.PublicAzureChannel` of botframework-schema, which exports it as a const enum only. */
const publicAzureChannel = 'urn:botframework:azure';
const keptConnectors = 200;

/**
 * The stock authentication with three parts replaced: {@link ChannelTokenCheck} checks requests, and connector clients
 * and the user token client are made once (the stock class makes both in every turn). Activities with our own service
 * URL go to our Direct Line.
 */
export class BotAuthentication extends ConfigurationBotFrameworkAuthentication {
  readonly #means: Means;
  readonly #own: ConnectorClient;
  readonly #clients = new LRUCache<string, ConnectorClient>({ max: keptConnectors });
  /** For turns: a customer is waiting, so a busy channel is tried again at once. */
  readonly #inTurns: ConnectorFactory;
  /** For proactive turns: their caller retries. */
  readonly #proactive: ConnectorFactory;
  #userTokens: Promise<UserTokenClient> | undefined;

  constructor(means: Means) {
    super(means.appId === undefined ? {} : { MicrosoftAppId: means.appId }, means.credentials);
    this.#means = means;
    this.#own = asConnectorClient(means.own);
    this.#inTurns = { create: async (serviceUrl, audience) => this.#client(serviceUrl, audience, 'when busy') };
    this.#proactive = { create: async (serviceUrl, audience) => this.#client(serviceUrl, audience, 'none') };
  }

  /** @throws {HttpProblem} 401 or 503, see {@link ChannelTokenCheck}. */
  override async authenticateRequest(activity: Activity, authorization: string): Promise<AuthenticateRequestResult> {
    // The envelope refuses it too. A caller that posed as our Direct Line could speak for any of its users.
    if (activity.serviceUrl === ownServiceUrl) throw new ConnectorError('refused_address');
    const { appId, checkToken, roots } = this.#means;
    if (appId === undefined) return this.#caller(new ClaimsIdentity([], AuthenticationConstants.AnonymousAuthType), undefined);
    if (!checkToken) throw new TypeError('with an app id, checkToken is needed');
    if (roots?.isFor(authorization)) {
      const root = await roots.check(authorization, activity);
      // Answers carry a token for the root bot, as answers to a channel carry one for the channel.
      return this.#caller(identityOf(root.claims), callerIdOf(root.appId), root.appId);
    }
    return this.#caller(identityOf(await checkToken(authorization, activity)), publicAzureChannel);
  }

  /** The caller of activities from our Direct Line in this process, which has checked its tokens. */
  ownCaller(): AuthenticateRequestResult {
    return this.#caller(this.ownIdentity(), undefined);
  }

  /** The bot's identity, for proactive turns. */
  ownIdentity(): ClaimsIdentity {
    const { appId = '' } = this.#means;
    const claims = [AuthenticationConstants.AudienceClaim, AuthenticationConstants.AppIdClaim].map((type) => ({ type, value: appId }));
    return new ClaimsIdentity(appId === '' ? [] : claims, true);
  }

  /** The connectors of proactive turns. */
  override createConnectorFactory(_identity: ClaimsIdentity): ConnectorFactory {
    return this.#proactive;
  }

  override createUserTokenClient(identity: ClaimsIdentity): Promise<UserTokenClient> {
    this.#userTokens ??= super.createUserTokenClient(identity).catch((fault: unknown) => {
      this.#userTokens = undefined;
      throw fault;
    });
    return this.#userTokens;
  }

  #caller(claimsIdentity: ClaimsIdentity, callerId: string | undefined, audience = channelAudience): AuthenticateRequestResult {
    return { audience, claimsIdentity, connectorFactory: this.#inTurns, ...(callerId !== undefined && { callerId }) };
  }

  #client(serviceUrl: string, audience = channelAudience, retries: 'none' | 'when busy'): ConnectorClient {
    if (serviceUrl === ownServiceUrl) return this.#own;
    const key = JSON.stringify([serviceUrl, audience, retries]);
    const known = this.#clients.get(key);
    if (known) return known;
    const client = asConnectorClient(this.#means.makeConnector(serviceUrl, audience, retries));
    this.#clients.set(key, client);
    return client;
  }
}

const identityOf = (claims: JWTPayload) =>
  new ClaimsIdentity(
    Object.entries(claims).map(([type, value]) => ({ type, value: String(value) })),
    true,
  );
