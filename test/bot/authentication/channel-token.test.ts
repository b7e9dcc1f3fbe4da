import assert from 'node:assert/strict';
import { type AddressInfo, createServer } from 'node:net';
import { type Activity, ConfigurationBotFrameworkAuthentication, ConfigurationServiceClientCredentialFactory } from 'botbuilder';
import { AuthenticationConstants } from 'botframework-connector';
import type { JWTPayload } from 'jose';
import { stub, useFakeTimers } from 'sinon';
import type { Agent } from 'undici';
import { BotAuthentication } from '../../../src/bot/authentication/authentication.ts';
import { makeChannelTokenCheck } from '../../../src/bot/authentication/channel-token.ts';
import type { Connector } from '../../../src/bot/outgoing/connector.ts';
import { HttpProblem } from '../../../src/platform/http/http-problem.ts';
import { makeAuthorityDispatcher } from '../../../src/platform/outgoing/remote-keys.ts';
import { systemClock } from '../../../src/platform/time/clock.ts';
import { message } from '../../support/activities.ts';
import { type Authority, type KeyName, openAuthority } from '../../support/authority.ts';

const appId = '8a4b1c50-0000-4000-8000-000000000001';
const serviceUrl = 'https://smba.trafficmanager.net/amer/';
const now = () => Math.floor(Date.now() / 1000);
const tenant = '8a4b1c50-0000-4000-8000-000000000002';
const emulatorIssuer = 'https://login.microsoftonline.com/d6d49420-f39b-4df7-a1dc-d59a935871db/v2.0';

/** Claims to put in place of the usual ones; `undefined` leaves one out. */
type Changes = { readonly [claim: string]: unknown };

const silent: Connector = { post: async () => ({ id: '1' }), update: async () => undefined, remove: async () => {} };

describe('the tokens of channels', () => {
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
  const check = (options: Partial<Parameters<typeof makeChannelTokenCheck>[0]> = {}) =>
    makeChannelTokenCheck({ appId, dispatcher, clock: systemClock, metadataUrl: authority.metadataUrl, ...options });
  const authentication = () => new BotAuthentication({ appId, credentials, checkToken: check(), own: silent, makeConnector: () => silent });
  const activity = (fields: Record<string, unknown> = {}) =>
    message({ channelId: 'msteams', serviceUrl, ...fields }) as unknown as Activity;
  const claims = (changes: Changes = {}): JWTPayload => ({
    iss: authority.issuer,
    aud: appId,
    nbf: now() - 10,
    exp: now() + 3600,
    serviceurl: serviceUrl,
    ...(changes as JWTPayload),
  });
  const bearer = async (changes: Changes = {}, key: KeyName = 'usual', header = {}) =>
    `Bearer ${await authority.sign(claims(changes), key, header)}`;
  const unsigned = (payload: JWTPayload) =>
    `Bearer ${[{ alg: 'none', kid: 'usual' }, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`;

  it('accepts a token of the Bot Connector and keeps its claims', async () => {
    const caller = await authentication().authenticateRequest(activity(), await bearer());
    assert.equal(caller.claimsIdentity.isAuthenticated, true);
    assert.equal(caller.claimsIdentity.getClaimValue('aud'), appId);
    assert.equal(caller.callerId, 'urn:botframework:azure');
    assert.equal(caller.audience, AuthenticationConstants.ToChannelFromBotOAuthScope);
  });

  it('accepts a key that is endorsed for the channel, and a clock four minutes off', async () => {
    await authentication().authenticateRequest(activity(), await bearer({}, 'endorsed'));
    await authentication().authenticateRequest(activity(), await bearer({ exp: now() - 240 }));
    await authentication().authenticateRequest(activity(), await bearer({ nbf: now() + 240 }));
  });

  /**
   * What each request carries, and for what activity. `accepts`: the stock check lets it pass (decision 0004). `not
   * asked`: the stock check would read Microsoft's own keys, which no test may.
   */
  const refused: [
    what: string,
    header: () => Promise<string> | string,
    fields?: Record<string, unknown>,
    stock?: 'accepts' | 'not asked',
  ][] = [
    ['no header', () => ''],
    ['another scheme', async () => (await bearer()).replace('Bearer', 'Basic')],
    ['the scheme alone', () => 'Bearer '],
    ['a token that is none', () => 'Bearer x.y.z'],
    ['two tokens', async () => `${await bearer()} ${await bearer()}`],
    ['an expired token', () => bearer({ exp: now() - 600 })],
    ['a token that is not valid yet', () => bearer({ nbf: now() + 600 })],
    ['a token without an end', () => bearer({ exp: undefined }), {}, 'accepts'],
    ['another audience', () => bearer({ aud: tenant })],
    ['no audience', () => bearer({ aud: undefined })],
    ['another issuer', () => bearer({ iss: 'https://evil.example' })],
    ['no issuer', () => bearer({ iss: undefined })],
    ['a key that nobody told', () => bearer({}, 'secret')],
    ['a key under the name of another', () => bearer({}, 'secret', { kid: 'usual' })],
    ['no key name', () => bearer({}, 'usual', { kid: undefined })],
    ['an algorithm that the Bot Connector does not use', () => bearer({}, 'usual', { alg: 'PS256' })],
    ['no signature', () => unsigned(claims())],
    [
      'a changed claim',
      async () => {
        const [head, , signature] = (await authority.sign(claims())).split('.');
        return `Bearer ${head}.${Buffer.from(JSON.stringify(claims({ serviceurl: 'https://slack.botframework.com/' }))).toString('base64url')}.${signature}`;
      },
      { serviceUrl: 'https://slack.botframework.com/' },
    ],
    ['no serviceUrl claim', () => bearer({ serviceurl: undefined })],
    ['another serviceUrl claim', () => bearer({ serviceurl: 'https://slack.botframework.com/' })],
    ['a serviceUrl claim that only begins alike', () => bearer(), { serviceUrl: `${serviceUrl}x/` }],
    ['a serviceUrl claim that is a list', () => bearer({ serviceurl: [serviceUrl] })],
    ['a key endorsed for another channel', () => bearer({}, 'endorsed'), { channelId: 'slack' }],
    ['a token of an emulator', () => bearer({ iss: emulatorIssuer, ver: '2.0', azp: appId }), {}, 'accepts'],
    [
      'our own access token, played back by a channel it was sent to',
      () => bearer({ iss: emulatorIssuer, ver: '1.0', appid: appId, aud: 'https://api.botframework.com', serviceurl: undefined }),
      {},
      'accepts',
    ],
    [
      'the same under a tenant of its own',
      () => bearer({ iss: `https://sts.windows.net/${tenant}/`, tid: tenant, ver: '1.0', appid: appId }),
      {},
      'accepts',
    ],
    ['a token of another bot', () => bearer({ iss: emulatorIssuer, ver: '1.0', appid: tenant })],
    [
      'a token for the App Service extension',
      () => bearer({ iss: emulatorIssuer, ver: '2.0', azp: appId }),
      { channelId: 'AseChannel' },
      'not asked',
    ],
  ];
  for (const [what, header, fields] of refused) {
    it(`refuses ${what} with 401`, async () => {
      await assert.rejects(authentication().authenticateRequest(activity(fields), await header()), (fault) => {
        assert.ok(fault instanceof HttpProblem, String(fault));
        assert.deepEqual([fault.status, fault.code, fault.headers], [401, 'unauthorized', { 'WWW-Authenticate': 'Bearer' }]);
        return true;
      });
    });
  }

  it('refuses everything that the SDK’s check refuses, and four cases more', async () => {
    const quiet = stub(console, 'error');
    try {
      const stock = new ConfigurationBotFrameworkAuthentication(
        {
          MicrosoftAppId: appId,
          ToBotFromChannelTokenIssuer: authority.issuer,
          ToBotFromChannelOpenIdMetadataUrl: authority.metadataUrl,
          ToBotFromEmulatorOpenIdMetadataUrl: authority.metadataUrl,
          ToChannelFromBotOAuthScope: AuthenticationConstants.ToChannelFromBotOAuthScope,
          ToChannelFromBotLoginUrl: AuthenticationConstants.ToChannelFromBotLoginUrl,
        },
        credentials,
      );
      const stockAccepts = async (header: string, fields?: Record<string, unknown>) => {
        const request = activity(fields);
        return stock.authenticateRequest(request, header).then(
          () => true,
          () => false,
        );
      };
      assert.equal(await stockAccepts(await bearer()), true);
      assert.equal(await stockAccepts(await bearer({}, 'endorsed')), true);
      const accepted: string[] = [];
      for (const [what, header, fields, expected] of refused) {
        if (expected !== 'not asked' && (await stockAccepts(await header(), fields))) accepted.push(what);
      }
      assert.deepEqual(
        accepted,
        refused.filter(([, , , expected]) => expected === 'accepts').map(([what]) => what),
      );
    } finally {
      quiet.restore();
    }
  });

  it('reads the keys once for everybody', async () => {
    const checkToken = check();
    const before = authority.reads;
    await Promise.all(Array.from({ length: 5 }, async () => checkToken(await bearer(), { channelId: 'msteams', serviceUrl })));
    assert.equal(authority.reads, before + 1);
  });

  it('finds a new key within half a minute, and does not read more often than that for unknown keys', async () => {
    const clock = useFakeTimers({ toFake: ['Date'] });
    try {
      const checkToken = check();
      const vouched = { channelId: 'msteams', serviceUrl };
      await checkToken(await bearer(), vouched);
      const before = authority.reads;
      authority.publish('next');
      for (let request = 0; request < 20; request++) {
        await assert.rejects(checkToken(await bearer({}, 'secret'), vouched), { status: 401 });
        await assert.rejects(checkToken(await bearer({}, 'next'), vouched), { status: 401 });
      }
      assert.equal(authority.reads, before);
      clock.setSystemTime(Date.now() + 31_000);
      await checkToken(await bearer({}, 'next'), vouched);
      assert.equal(authority.reads, before + 1);
    } finally {
      clock.restore();
    }
  });

  it('answers 503 while the keys cannot be read, and recovers', async () => {
    const checkToken = check();
    authority.answer(500);
    await assert.rejects(checkToken(await bearer(), { channelId: 'msteams', serviceUrl }), (fault) => {
      assert.ok(fault instanceof HttpProblem);
      assert.deepEqual([fault.status, fault.code, fault.headers['Retry-After']], [503, 'keys_unavailable', '10']);
      return true;
    });
    authority.answer(200);
    await checkToken(await bearer(), { channelId: 'msteams', serviceUrl });
  });

  it('answers 503 if the source of keys does not answer', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const checkToken = check({ metadataUrl: `http://127.0.0.1:${port}/`, deadline: 50 });
      await assert.rejects(checkToken(await bearer(), { channelId: 'msteams', serviceUrl }), { status: 503 });
    } finally {
      await dispatcher.destroy();
      server.close();
      dispatcher = makeAuthorityDispatcher();
    }
  });
});
