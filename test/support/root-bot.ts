// A root bot as its makers write one: the SDK's own SkillDialog, skill handler and conversation ids, with its state in
// a storage. Skill and root bot speak over HTTP, with tokens that an authority of the test signs.
import type { AddressInfo } from 'node:net';
import {
  ChannelServiceRoutes,
  CloudAdapter,
  CloudSkillHandler,
  ConfigurationBotFrameworkAuthentication,
  ConversationState,
  SkillConversationIdFactory,
  type Storage,
  type TurnContext,
  type WebServer,
} from 'botbuilder';
import { DialogSet, DialogTurnStatus, SkillDialog } from 'botbuilder-dialogs';
import {
  AppCredentials,
  AuthenticationConfiguration,
  type AuthenticatorResult,
  allowedCallersClaimsValidator,
  ServiceClientCredentialsFactory,
} from 'botframework-connector';
import restify from 'restify';
import { Agent, type Dispatcher } from 'undici';
import { message } from './activities.ts';
import type { Authority } from './authority.ts';
import type { Channel } from './channel.ts';
import type { Seen } from './direct-line.ts';
import { until } from './until.ts';
import { wordsOf } from './words.ts';

/** Who signs for bots that serve every organisation. */
export const entraIssuer = 'https://sts.windows.net/d6d49420-f39b-4df7-a1dc-d59a935871db/';

const anHour = () => Math.floor(Date.now() / 1000) + 3600;

/** A bot's token for another. */
const botToken = (authority: Authority, appId: string, audience: string, more: object = {}): Promise<string> =>
  authority.sign({ iss: entraIssuer, aud: audience, ver: '1.0', appid: appId, exp: anHour(), ...more });

class SignedCredentials extends AppCredentials {
  readonly #sign: () => Promise<string>;
  constructor(appId: string, audience: string, sign: () => Promise<string>) {
    super(appId, undefined, audience);
    this.#sign = sign;
  }
  // The SDK keeps tokens for the whole process, and every authority of a test has keys of its own.
  override getToken(): Promise<string> {
    return this.#sign();
  }
  protected override refreshToken(): Promise<AuthenticatorResult> {
    throw new Error('tokens are not kept');
  }
}

/** The credentials of a bot whose tokens the authority signs. */
export class SignedBy extends ServiceClientCredentialsFactory {
  readonly #authority: Authority;
  readonly #appId: string;
  constructor(authority: Authority, appId: string) {
    super();
    this.#authority = authority;
    this.#appId = appId;
  }
  override async isValidAppId(appId: string): Promise<boolean> {
    return appId === this.#appId;
  }
  override async isAuthenticationDisabled(): Promise<boolean> {
    return false;
  }
  override async createCredentials(appId: string, audience: string): Promise<SignedCredentials> {
    return new SignedCredentials(appId, audience, () => botToken(this.#authority, this.#appId, audience));
  }
}

/** Connections by which hosts of these names are found on this machine. */
export const hostsHere = (ports: () => Readonly<Record<string, number>>): Dispatcher =>
  new Agent({ allowH2: false }).compose((dispatch) => (options, handler) => {
    const { host } = new URL(String(options.origin));
    const port = ports()[host];
    return dispatch({ ...options, ...(port !== undefined && { origin: `http://127.0.0.1:${port}` }) }, handler);
  });

export interface RootOptions {
  readonly authority: Authority;
  readonly appId: string;
  readonly host: string;
  readonly storage: Storage;
  readonly skill: { readonly appId: string; readonly port: number };
  /** Of its user. */
  readonly channel: Channel;
  /** Others than the usual id of its user and their chat. */
  readonly user?: string;
  /** Where it ran before. */
  readonly port?: number;
  /** What its own faults are collected in. */
  readonly faults?: unknown[];
}

export interface RootBot {
  readonly port: number;
  /** What its skill dialog ended with, in order. */
  readonly results: Seen[];
  readonly faults: unknown[];
  /** Its user says something. */
  say(text: string): Promise<void>;
  /** Begins the skill with an activity. */
  begin(activity: object): Promise<void>;
  /** Ends the skill's dialog before it is over. */
  cancel(): Promise<void>;
  /** Something of its own is said, and the skill is asked to go on. */
  interrupt(): Promise<void>;
  sees(words: RegExp): Promise<string>;
  /** Whether the last words are a question with answers to choose from. */
  asks(): boolean;
  ended(): Promise<Seen>;
  close(): Promise<void>;
}

let messages = 0;

export const openRoot = async (options: RootOptions): Promise<RootBot> => {
  const { authority, appId, host, storage, skill, channel, user = 'user-1', faults = [] } = options;
  const authentication = new ConfigurationBotFrameworkAuthentication(
    {
      MicrosoftAppId: appId,
      ValidateAuthority: 'true',
      ToChannelFromBotLoginUrl: 'https://login.microsoftonline.com/botframework.com',
      ToChannelFromBotOAuthScope: 'https://api.botframework.com',
      ToBotFromChannelTokenIssuer: authority.issuer,
      OAuthUrl: 'https://api.botframework.com',
      ToBotFromChannelOpenIdMetadataUrl: authority.metadataUrl,
      ToBotFromEmulatorOpenIdMetadataUrl: authority.metadataUrl,
      CallerId: 'urn:botframework:azure',
    },
    new SignedBy(authority, appId),
    new AuthenticationConfiguration(undefined, allowedCallersClaimsValidator([skill.appId])),
  );
  const adapter = new CloudAdapter(authentication);
  adapter.onTurnError = async (_context, fault) => void faults.push(fault);
  const conversationState = new ConversationState(storage);
  const conversationIdFactory = new SkillConversationIdFactory(storage);
  const dialogs = new DialogSet(conversationState.createProperty('dialogs'));
  dialogs.add(
    new SkillDialog(
      {
        botId: appId,
        conversationIdFactory,
        conversationState,
        skill: { id: 'countersign', appId: skill.appId, skillEndpoint: `http://127.0.0.1:${skill.port}/api/messages` },
        skillClient: authentication.createBotFrameworkClient(),
        skillHostEndpoint: `https://${host}/api/skills`,
      },
      'skill',
    ),
  );
  const results: Seen[] = [];
  let order: { readonly begin: object } | 'cancel' | 'interrupt' | undefined;
  const logic = async (context: TurnContext) => {
    const dc = await dialogs.createContext(context);
    const now = order;
    order = undefined;
    if (now === 'cancel') await dc.cancelAllDialogs();
    else if (now === 'interrupt') await dc.repromptDialog();
    else {
      const { status, result } = now ? await dc.beginDialog('skill', { activity: now.begin }) : await dc.continueDialog();
      if (status === DialogTurnStatus.complete) results.push(result);
    }
    await conversationState.saveChanges(context);
  };
  const server = restify.createServer();
  server.use(restify.plugins.bodyParser());
  server.post('/api/messages', async (req, res) => adapter.process(req as never, res as never, logic));
  const handler = new CloudSkillHandler(adapter, logic, conversationIdFactory, authentication);
  new ChannelServiceRoutes(handler).register(server as unknown as WebServer, '/api/skills');
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));

  let since = channel.received.length;
  const turn = async (text: string, does?: typeof order) => {
    order = does;
    since = channel.received.length;
    messages += 1;
    const { serviceUrl } = channel;
    const activity = message({ id: `m${messages}`, serviceUrl, text, conversation: { id: `chat of ${user}` }, from: { id: user } });
    const token = await authority.sign({ iss: authority.issuer, aud: appId, serviceurl: serviceUrl, exp: anHour() });
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/messages`;
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const { status } = await fetch(address, { method: 'POST', headers, body: JSON.stringify(activity) });
    if (status >= 300) throw new Error(`the root bot answered ${status}`);
  };
  const said = () => channel.received.slice(since).map(({ body }) => wordsOf(body as Seen) ?? '');
  return {
    port: (server.address() as AddressInfo).port,
    results,
    faults,
    say: (text) => turn(text),
    begin: (activity) => turn('begin', { begin: activity }),
    cancel: () => turn('cancel', 'cancel'),
    interrupt: () => turn('interrupt', 'interrupt'),
    sees: (words) => until(() => said().find((text) => words.test(text)), `${words} in ${JSON.stringify(said())}`, 30_000),
    asks: () => /1\. /.test(said().at(-1) ?? ''),
    ended: () => until(() => results[0], 'the end of the skill', 30_000),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};
