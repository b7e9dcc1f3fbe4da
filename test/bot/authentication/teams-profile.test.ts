import assert from 'node:assert/strict';
import { Agent } from 'undici';
import { makeTeamsProfile } from '../../../src/bot/authentication/teams-profile.ts';
import { makeLog } from '../../../src/platform/log.ts';
import {
  type Behaviour,
  empty,
  hang,
  json,
  type MisbehavingService,
  raw,
  reset,
  startMisbehavingService,
} from '../../support/misbehaving-service.ts';

describe('the number in a Teams profile', () => {
  let graph: MisbehavingService;
  const dispatcher = new Agent();
  const lines: string[] = [];
  const renewals: number[] = [];
  before(async () => {
    graph = await startMisbehavingService();
  });
  after(async () => {
    await dispatcher.destroy();
    await graph.close();
  });

  const token = { get: async () => 'a-token', renew: () => void renewals.push(1) };
  const log = makeLog('debug', { write: (line) => void lines.push(line) });
  const resolve = (activity: object) => makeTeamsProfile(token, dispatcher, log, graph.baseUrl, 300)(activity);
  const teams = { channelId: 'msteams', from: { id: '29:x', name: '', aadObjectId: '9b1d/../me' } };

  const table: [string, Behaviour, string | undefined][] = [
    ['the mobile number', json(200, { mobilePhone: '+1 202 555 0101', businessPhones: ['+1 202 555 0102'] }), '+1 202 555 0101'],
    [
      'the business number where there is no mobile one',
      json(200, { mobilePhone: null, businessPhones: ['+1 202 555 0102'] }),
      '+1 202 555 0102',
    ],
    ['nothing from an empty profile', json(200, { businessPhones: [] }), undefined],
    ['nothing from another shape', json(200, { mobilePhone: 12 }), undefined],
    ['nothing from garbage', raw(200, '<html>'), undefined],
    ['nothing from a refusal', empty(403), undefined],
    ['nothing from a broken connection', reset, undefined],
    ['nothing from silence', hang, undefined],
  ];
  for (const [what, behaviour, number] of table) {
    it(`gives ${what}`, async () => {
      graph.script(behaviour);
      assert.equal(await resolve(teams), number);
    });
  }

  it('is requested by the user’s id, with our token', async () => {
    graph.script(json(200, { mobilePhone: '+1' }));
    await resolve(teams);
    const [seen] = graph.requests;
    assert.equal(seen?.url, '/v1.0/users/9b1d%2F..%2Fme?$select=mobilePhone,businessPhones');
    assert.equal(seen?.headers.authorization, 'Bearer a-token');
  });

  it('is requested with a new token after one was refused', async () => {
    graph.script(empty(401));
    await resolve(teams);
    assert.equal(renewals.length, 1);
  });

  it('is not requested on other channels', async () => {
    graph.script(json(200, { mobilePhone: '+1' }));
    assert.equal(await resolve({ ...teams, channelId: 'webchat' }), undefined);
    assert.equal(await resolve({ channelId: 'msteams', from: { id: '29:x', name: '' } }), undefined);
    assert.equal(graph.requests.length, 0);
  });

  it('never reaches the log', () => assert.doesNotMatch(lines.join(''), /202 555|9b1d|a-token/));
});
