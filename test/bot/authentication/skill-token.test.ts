import assert from 'node:assert/strict';
import { type Activity, ConfigurationServiceClientCredentialFactory } from 'botbuilder';
import { type Agent, MockAgent } from 'undici';
import { BotAuthentication } from '../../../src/bot/authentication/authentication.ts';
import { makeChannelTokenCheck } from '../../../src/bot/authentication/channel-token.ts';
import { makeSkillTokenCheck } from '../../../src/bot/authentication/skill-token.ts';
import { makeChannels } from '../../../src/bot/channels.ts';
import type { Connector } from '../../../src/bot/outgoing/connector.ts';
import { chatOf, turnKey } from '../../../src/bot/turns/addresses.ts';
import { makeOpenTurn } from '../../../src/bot/turns/turns.ts';
import { HttpProblem } from '../../../src/platform/http/http-problem.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { makeAuthorityDispatcher } from '../../../src/platform/outgoing/remote-keys.ts';
import { systemClock } from '../../../src/platform/time/clock.ts';
import { message } from '../../support/activities.ts';
import { type Authority, type KeyName, openAuthority } from '../../support/authority.ts';
import { entraIssuer, SignedBy } from '../../support/root-bot.ts';

const appId = '8a4b1c50-0000-4000-8000-000000000001';
const rootId = '8a4b1c50-0000-4000-8000-00000000000a';
const otherId = '8a4b1c50-0000-4000-8000-00000000000b';
const tenant = '8a4b1c50-0000-4000-8000-000000000002';
const serviceUrl = 'https://root.example.com/api/skills';
const callers = [
  { appId: rootId, host: 'root.example.com' },
  { appId: otherId, host: 'other.example.com' },
];
const now = () => Math.floor(Date.now() / 1000);
const silent: Connector = { post: async () => ({ id: '1' }), update: async () => undefined, remove: async () => {} };
type Changes = { readonly [claim: string]: unknown };

describe('the tokens of root bots', () => {
  let authority: Authority;
  let dispatcher: Agent;
  before(async () => {
    authority = await openAuthority();
    dispatcher = makeAuthorityDispatcher();
  });
  after(async () => {
    await dispatcher.destroy();
    await authority.close();
  });

  const credentials = new ConfigurationServiceClientCredentialFactory({ MicrosoftAppId: appId, MicrosoftAppPassword: 'hunter2' });
  const authentication = (named = callers) => {
    const options = { appId, dispatcher, clock: systemClock, metadataUrl: authority.metadataUrl };
    const roots = named.length > 0 ? makeSkillTokenCheck(appId, named, tenant, options) : undefined;
    return new BotAuthentication({
      appId,
      credentials,
      checkToken: makeChannelTokenCheck(options),
      roots,
      own: silent,
      makeConnector: () => silent,
    });
  };
  const activity = (fields: object = {}) => message({ channelId: 'msteams', serviceUrl, ...fields }) as unknown as Activity;
  const bearer = async (changes: Changes = {}, key: KeyName = 'usual') => {
    const claims = { iss: entraIssuer, aud: appId, ver: '1.0', appid: rootId, nbf: now() - 10, exp: now() + 3600, ...changes };
    return `Bearer ${await authority.sign(claims, key)}`;
  };

  const accepted: readonly (readonly [what: string, changes: Changes])[] = [
    ['the first version', {}],
    [
      'the second version',
      {
        iss: 'https://login.microsoftonline.com/d6d49420-f39b-4df7-a1dc-d59a935871db/v2.0',
        ver: '2.0',
        azp: rootId,
        appid: undefined,
      },
    ],
    ['the bot’s own tenant', { iss: `https://sts.windows.net/${tenant}/` }],
    ['the bot’s own tenant, in the second version', { iss: `https://login.microsoftonline.com/${tenant}/v2.0`, ver: '2.0', azp: rootId }],
  ];
  for (const [what, changes] of accepted)
    it(`are accepted in ${what}, and answered with tokens for the root bot`, async () => {
      const caller = await authentication().authenticateRequest(activity(), await bearer(changes));
      assert.equal(caller.claimsIdentity.isAuthenticated, true);
      assert.equal(caller.callerId, `urn:botframework:aadappid:${rootId}`);
      assert.equal(caller.audience, rootId);
    });

  it('leave those of channels to the check for channels', async () => {
    const channel = {
      iss: 'https://api.botframework.com',
      appid: undefined,
      ver: undefined,
      serviceurl: 'https://smba.trafficmanager.net/emea/',
    };
    const about = activity({ serviceUrl: channel.serviceurl });
    const caller = await authentication().authenticateRequest(about, await bearer(channel));
    assert.equal(caller.claimsIdentity.isAuthenticated, true);
    assert.equal(caller.callerId, 'urn:botframework:azure');
  });

  const refused: readonly (readonly [what: string, header: () => Promise<string>, fields?: object])[] = [
    ['a bot that nobody has named', () => bearer({ appid: tenant })],
    ['no bot', () => bearer({ appid: undefined })],
    ['an empty name', () => bearer({ appid: '' })],
    ['a name that begins alike', () => bearer({ appid: `${rootId}0` })],
    ['the name in the place of the other version', () => bearer({ ver: '2.0' })],
    ['the anonymous skill', () => bearer({ appid: 'AnonymousSkill' })],
    ['our own token, played back', () => bearer({ appid: appId })],
    ['our own token for channels', () => bearer({ appid: appId, aud: 'https://api.botframework.com' })],
    ['another audience', () => bearer({ aud: tenant })],
    ['no version', () => bearer({ ver: undefined })],
    ['another tenant', () => bearer({ iss: `https://sts.windows.net/${otherId}/` })],
    ['an issuer of its own', () => bearer({ iss: 'https://evil.example' })],
    ['a token without an end', () => bearer({ exp: undefined })],
    ['an expired token', () => bearer({ exp: now() - 600 })],
    ['a token that is not valid yet', () => bearer({ nbf: now() + 600 })],
    ['a key that nobody told', () => bearer({}, 'secret')],
    ['answers to the host of another named bot', () => bearer(), { serviceUrl: 'https://other.example.com/api/skills' }],
    ['answers to a host below its own', () => bearer(), { serviceUrl: 'https://x.root.example.com/api/skills' }],
    ['answers to a channel', () => bearer(), { serviceUrl: 'https://smba.trafficmanager.net/amer/' }],
    ['answers in the clear', () => bearer(), { serviceUrl: 'http://root.example.com/api/skills' }],
    ['answers to another port', () => bearer(), { serviceUrl: 'https://root.example.com:8443/api/skills' }],
  ];
  for (const [what, header, fields] of refused)
    it(`refuse ${what} with 401`, async () => {
      await assert.rejects(authentication().authenticateRequest(activity(fields), await header()), (fault) => {
        assert.ok(fault instanceof HttpProblem, String(fault));
        assert.deepEqual([fault.status, fault.code], [401, 'unauthorized']);
        return true;
      });
    });

  it('are refused if no setting names any', async () => {
    await assert.rejects(authentication([]).authenticateRequest(activity(), await bearer()), { status: 401 });
  });

  it('sends a token for a root bot to its own host only', async () => {
    const identity = { MicrosoftAppId: appId, MicrosoftAppPassword: 'hunter2' };
    const audiences: string[] = [];
    const agent = new MockAgent();
    // It has no `destroy`, which the real one has.
    const hosts = Object.assign(agent, { destroy: () => agent.close() });
    hosts.disableNetConnect();
    hosts
      .get('https://root.example.com')
      .intercept({ path: '/api/skills/v3/conversations/c/activities', method: 'POST' })
      .reply(200, { id: '1' });
    class Counted extends SignedBy {
      override async createCredentials(app: string, audience: string) {
        audiences.push(audience);
        return super.createCredentials(app, audience);
      }
    }
    const channels = makeChannels({
      identity,
      own: silent,
      clock: systemClock,
      log: makeLog('silent'),
      callers: callers.map((caller) => ({ ...caller, appId: caller.appId.toUpperCase() })),
      credentials: new Counted(authority, appId),
      connections: hosts,
    });
    try {
      assert.equal(channels.answersTo(serviceUrl), true);
      assert.equal(channels.answersTo('https://evil.example.com/'), false);
      const factory = channels.authentication.createConnectorFactory(channels.authentication.ownIdentity());
      const pairs = [
        [serviceUrl, undefined],
        ['https://other.example.com/api/skills', rootId],
        ['https://smba.trafficmanager.net/amer/', rootId],
        [serviceUrl, tenant],
      ] as const;
      for (const [url, audience] of pairs) {
        const client = await factory.create(url, audience as string);
        await assert.rejects(client.conversations.sendToConversation('c', { type: 'message' } as never), { code: 'refused_address' });
      }
      // Not even a token was asked for.
      assert.deepEqual(audiences, []);
      const own = await factory.create(serviceUrl, rootId);
      assert.equal((await own.conversations.sendToConversation('c', { type: 'message' } as never)).id, '1');
      assert.deepEqual(audiences, [rootId]);
    } finally {
      await channels.close();
    }
  });

  it('lead to conversation ids that no channel has, whatever the root bot calls them', () => {
    const named = { channelId: 'msteams', serviceUrl, conversation: { id: 'a chat of somebody' } } as unknown as Activity;
    const byRoot = { ...named, callerId: `urn:botframework:aadappid:${rootId}` };
    assert.notEqual(turnKey(byRoot), turnKey(named));
    assert.notEqual(turnKey(byRoot), turnKey({ ...named, callerId: `urn:botframework:aadappid:${otherId}` }));
    assert.equal(turnKey({ ...named, callerId: 'urn:botframework:azure' }), turnKey(named));
  });

  it('keep the root bot in a chat’s address, and a changed one is refused', async () => {
    const { address, conversation } = chatOf(activity({ callerId: `urn:botframework:aadappid:${rootId}` }));
    const turns: object[] = [];
    const adapter = { continueConversation: async (reference: object) => void turns.push(reference) };
    const openTurn = makeOpenTurn(adapter, makeLog('silent'));
    await openTurn({ id: '1', address, conversation }, async () => {});
    assert.equal((turns[0] as { callerId: string }).callerId, `urn:botframework:aadappid:${rootId}`);
    const changed = address.replaceAll(rootId, otherId);
    await assert.rejects(
      openTurn({ id: '1', address: changed, conversation }, async () => {}),
      { code: 'wrong_chat' },
    );
  });
});
