import assert from 'node:assert/strict';
import { type Activity, ConfigurationServiceClientCredentialFactory } from 'botbuilder';
import { AuthenticationConstants } from 'botframework-connector';
import { BotAuthentication, type MakeConnector } from '../../../src/bot/authentication/authentication.ts';
import type { ChannelTokenCheck } from '../../../src/bot/authentication/channel-token.ts';
import type { Connector } from '../../../src/bot/outgoing/connector.ts';
import { ownServiceUrl } from '../../../src/platform/channels.ts';
import { message } from '../../support/activities.ts';

const appId = '8a4b1c50-0000-4000-8000-000000000001';
const serviceUrl = 'https://smba.trafficmanager.net/amer/';
const silent: Connector = { post: async () => ({ id: '1' }), update: async () => undefined, remove: async () => {} };

describe('the authentication of channels', () => {
  const credentials = new ConfigurationServiceClientCredentialFactory({ MicrosoftAppId: appId, MicrosoftAppPassword: 'hunter2' });
  const checkToken: ChannelTokenCheck = async () => ({ aud: appId });
  const authentication = (makeConnector: MakeConnector = () => silent) =>
    new BotAuthentication({ appId, credentials, checkToken, own: silent, makeConnector });
  const activity = (fields: Record<string, unknown> = {}) =>
    message({ channelId: 'msteams', serviceUrl, ...fields }) as unknown as Activity;

  it('makes the claims of a checked token the identity of the turn', async () => {
    const caller = await authentication().authenticateRequest(activity(), 'Bearer x');
    assert.equal(caller.claimsIdentity.isAuthenticated, true);
    assert.equal(caller.claimsIdentity.getClaimValue('aud'), appId);
    assert.deepEqual([caller.callerId, caller.audience], ['urn:botframework:azure', AuthenticationConstants.ToChannelFromBotOAuthScope]);
  });

  it('never takes an activity over HTTP for one of our own Direct Line', async () => {
    await assert.rejects(authentication().authenticateRequest(activity({ serviceUrl: ownServiceUrl }), 'Bearer x'), {
      code: 'refused_address',
    });
  });

  describe('its clients', () => {
    it('are made once per service URL, audience and retries, and our own channel has its own', async () => {
      const made: string[] = [];
      const ours = authentication((url, audience, retries) => {
        made.push(`${url} ${audience} ${retries}`);
        return silent;
      });
      const { connectorFactory } = await ours.authenticateRequest(activity(), 'Bearer x');
      const first = await connectorFactory?.create(serviceUrl, 'a');
      assert.equal(await connectorFactory?.create(serviceUrl, 'a'), first);
      assert.notEqual(await connectorFactory?.create(serviceUrl, 'b'), first);
      assert.notEqual(await ours.createConnectorFactory(ours.ownIdentity()).create(serviceUrl, 'a'), first);
      const own = await ours.ownCaller().connectorFactory?.create(ownServiceUrl);
      assert.equal(await ours.createConnectorFactory(ours.ownIdentity()).create(ownServiceUrl), own);
      assert.deepEqual(made, [`${serviceUrl} a when busy`, `${serviceUrl} b when busy`, `${serviceUrl} a none`]);
    });

    it('for user tokens are one', async () => {
      const ours = authentication();
      const first = await ours.createUserTokenClient(ours.ownIdentity());
      assert.equal(await ours.createUserTokenClient(ours.ownIdentity()), first);
    });
  });

  it('asks nobody for a token without an app id', async () => {
    const open = new BotAuthentication({
      appId: undefined,
      credentials: new ConfigurationServiceClientCredentialFactory({}),
      checkToken: undefined,
      own: silent,
      makeConnector: () => silent,
    });
    const caller = await open.authenticateRequest(activity({ channelId: 'emulator', recipient: { id: 'bot', role: 'skill' } }), '');
    assert.deepEqual([caller.claimsIdentity.claims, caller.callerId], [[], undefined]);
    assert.ok(await open.createUserTokenClient(caller.claimsIdentity));
  });
});
