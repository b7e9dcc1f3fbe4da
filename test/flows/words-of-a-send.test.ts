import assert from 'node:assert/strict';
import { Agent } from 'undici';
import { createServiceClient, type ServiceClient } from '../../src/client/index.ts';
import { type BotBesideScript, startBotBesideScript } from '../support/bot-beside-script.ts';
import { type Behaviour, bytes, empty, half, hang, json, raw, refuse, reset } from '../support/misbehaving-service.ts';
import { canaries } from '../support/scripted-service.ts';
import { spanishCustomer, t } from '../support/spanish-customer.ts';
import { until } from '../support/until.ts';

type GivenRequest = 'unknown' | 'misconfigured' | 'busy' | 'rejected' | 'failed' | 'unavailable' | 'waiting';

const html = { 'Content-Type': 'text/html' };
const typed = { 'Content-Type': 'application/json' };

/**
 * How a send can be answered, and what the customer is told. `unknown`: it may have been taken. `waiting`: it was. All
 * others: it surely was not.
 */
const answers: [string, Behaviour, GivenRequest][] = [
  // It says no.
  ['400', refuse(400, 'malformed'), 'rejected'],
  ['401', refuse(401, 'unauthorized'), 'misconfigured'],
  ['403', empty(403), 'misconfigured'],
  ['404', refuse(404, 'not_found'), 'rejected'],
  ['405', empty(405), 'misconfigured'],
  ['409', refuse(409, 'already_active'), 'rejected'],
  ['413', empty(413), 'rejected'],
  ['415', empty(415), 'misconfigured'],
  ['422', refuse(422, 'invalid'), 'rejected'],
  ['429 for a minute', refuse(429, 'too_many_requests', { 'Retry-After': '60' }), 'busy'],
  ['429 without a word on when', empty(429), 'busy'],
  ["503 in the service's own words", refuse(503, 'unavailable'), 'failed'],
  // It may have taken it all the same.
  ['500', refuse(500, 'internal_error'), 'unknown'],
  ['502', raw(502, '<h1>Bad Gateway</h1>', html), 'unknown'],
  ['503 of a proxy', raw(503, '<h1>Unavailable</h1>', html), 'unknown'],
  ['504', empty(504), 'unknown'],
  ['a redirect', empty(307, { Location: 'http://127.0.0.1:1/' }), 'unknown'],
  ['200 and nothing', empty(200, typed), 'unknown'],
  ['200 and a page', raw(200, '<h1>Hello</h1>', html), 'unknown'],
  ['200 and half of an object', raw(200, '{"requestId":', typed), 'unknown'],
  ['200 without an identifier', json(200, { wsToken: 'token-0001' }), 'unknown'],
  ['200 and two megabytes', json(200, 'x'.repeat(2 * 1024 * 1024)), 'unknown'],
  ['something that is not HTTP', bytes('SSH-2.0-OpenSSH\r\n'), 'unknown'],
  ['a reset after the request', reset, 'unknown'],
  ['an answer that breaks off', half, 'unknown'],
  ['silence', hang, 'unknown'],
  // It has taken it.
  ['200 without a token', json(200, { requestId: '01KAH5Z0V8Q2J9XW3N4M5P6R7S' }), 'waiting'],
];

describe('what the chat says about a send', () => {
  /** Where sends go instead, once it is set: the service of all other calls stays well. */
  let elsewhere: ServiceClient | undefined;
  let world: BotBesideScript;
  before(async () => {
    const around = {
      client: (client: ServiceClient): ServiceClient => {
        const { payments } = client.apps;
        const send: typeof payments.send = (...call) => (elsewhere?.apps.payments ?? payments).send(...call);
        return { ...client, apps: { ...client.apps, payments: { ...payments, send } } };
      },
    };
    world = await startBotBesideScript({ around });
  });
  after(() => world.close());
  afterEach(async () => {
    elsewhere = undefined;
    await world.service.recover();
    assert.deepEqual(world.uncaught, []);
  });

  const sends = async (told: GivenRequest, fault: () => void | Promise<void>) => {
    const customer = await spanishCustomer(world);
    await customer.prepares();
    const before = world.service.calls('send').length;
    await fault();
    await customer.asks();
    if (told === 'waiting') await customer.hears('cards.payments.waiting.title');
    else await customer.hears(told === 'unknown' ? 'cards.notSent.unknown.title' : `trouble.${told}`);
    await until(() => world.rows().at(-1)?.state !== 'intended');
    const { state, refusal } = world.rows().at(-1) ?? {};
    const refused = told !== 'unknown' && told !== 'waiting';
    assert.deepEqual([state, refusal], refused ? ['refused', told] : [told, null]);
    // Nothing else is said about it: no other kind's words, and no outcome.
    const said = customer.talk
      .messages()
      .map(({ text }) => text)
      .join('\n');
    for (const other of ['misconfigured', 'busy', 'rejected', 'failed', 'unavailable'] as const)
      assert.equal(said.includes(t(`trouble.${other}`)), other === told, other);
    assert.equal(said.includes(t('cards.notSent.unknown.title')), told === 'unknown');
    assert.deepEqual(customer.talk.outcomes(), []);
    customer.understoodAll();
    customer.talk.chatter.socket.terminate();
    return world.service.calls('send').length - before;
  };

  for (const [what, behaviour, told] of answers) {
    it(`answered with ${what}: ${told}`, async () => {
      const times = await sends(told, () => world.service.misbehave('send', behaviour));
      assert.equal(times, 1);
    });
  }

  it('refused with 429 for a moment: nothing, since it is waited for', async () => {
    const wait = refuse(429, 'too_many_requests', { 'Retry-After': '1' });
    const times = await sends('waiting', () =>
      world.service.misbehave('send', (res, seen) => {
        world.service.misbehave('send', undefined);
        wait(res, seen);
      }),
    );
    assert.equal(times, 2);
  });

  it('that nobody listens to: unavailable', async () => {
    await sends('unavailable', () => world.service.listen(false));
  });

  const away = (baseUrl: string, dispatcher?: Agent) => {
    elsewhere = createServiceClient({ baseUrl, secretKey: canaries.secretKey, timeouts: { call: 500 }, ...(dispatcher && { dispatcher }) });
    return elsewhere;
  };

  it('to a name that is not found: unavailable', async () => {
    const dispatcher = new Agent({
      connect: { lookup: (_host, _options, found) => found(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), []) },
    });
    await sends('unavailable', () => void away('http://service.example', dispatcher));
    await dispatcher.destroy();
  });

  it('to somebody who speaks no TLS: misconfigured', async () => {
    const client = away(world.service.baseUrl.replace('http:', 'https:'));
    await sends('misconfigured', () => {});
    await client.close(0);
  });

  it('to a service that let no connection come about: unavailable', async () => {
    const dispatcher = new Agent({ connect: () => {} });
    await sends('unavailable', () => void away('http://service.example', dispatcher));
    await dispatcher.destroy();
  });
});
