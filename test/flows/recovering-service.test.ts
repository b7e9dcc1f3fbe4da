import assert from 'node:assert/strict';
import { type BotBesideScript, startBotBesideScript } from '../support/bot-beside-script.ts';
import { type Behaviour, empty, hang, refuse, reset } from '../support/misbehaving-service.ts';
import { canaries } from '../support/scripted-service.ts';
import { spanishCustomer, t } from '../support/spanish-customer.ts';
import { until } from '../support/until.ts';

describe('a chat whose service is known to honour idempotency keys', () => {
  let world: BotBesideScript;
  before(async () => {
    world = await startBotBesideScript({ idempotent: true, calls: { timeouts: { call: 3000 }, breaker: { failures: 10_000 } } });
  });
  after(() => world.close());
  afterEach(() => assert.deepEqual(world.uncaught, []));

  const passing: [string, Behaviour][] = [
    ['a reset', reset],
    ['silence for longer than one attempt may take', hang],
    ['500', refuse(500, 'internal_error')],
    ['503', refuse(503, 'unavailable')],
    ['429', refuse(429, 'too_many_requests', { 'Retry-After': '0' })],
  ];
  for (const [what, behaviour] of passing) {
    it(`is not told of ${what} during a send, which is repeated with the same key`, async () => {
      const customer = await spanishCustomer(world);
      await customer.prepares();
      const before = world.service.calls('send').length;
      world.service.misbehave('send', (res, seen) => {
        world.service.misbehave('send', undefined);
        behaviour(res, seen);
      });
      await customer.asks();
      await until(() => world.rows().at(-1)?.state === 'waiting');
      const keys = world.service
        .calls('send')
        .slice(before)
        .map(({ headers }) => headers['idempotency-key']);
      assert.equal(keys.length, 2);
      assert.deepEqual(keys, [world.rows().at(-1)?.id, world.rows().at(-1)?.id]);
      world.service.finish(world.service.given.at(-1) as string);
      await customer.ends('success');
      customer.understoodAll();
    });
  }
});

describe('a chat whose service was down for long', () => {
  it('gets an answer at once while the circuit is open, and continues when the service is back', async () => {
    const world = await startBotBesideScript({ calls: { timeouts: { call: 500 }, breaker: { failures: 2, openFor: 600 } } });
    try {
      const customer = await spanishCustomer(world);
      world.service.misbehave('bootstrap', empty(503));
      await customer.talk.say('payments');
      await customer.talk.say(canaries.phoneNumber);
      await customer.hears('trouble.failed');
      const asked = world.service.calls('bootstrap').length;
      await customer.presses('cards.buttons.again');
      await customer.hears('trouble.failed');
      assert.equal(world.service.calls('bootstrap').length, asked);
      assert.ok(world.logged('warn').some(({ errorCode }) => errorCode === 'circuit_open'));
      await world.service.recover();
      await until(async () => {
        await customer.presses('cards.buttons.again');
        await customer.talk.sees(/\S/);
        return customer.talk.messages().some(({ text }) => text.includes(t('cards.payments.confirm.text')));
      }, 'the service is asked again');
    } finally {
      await world.close();
    }
  });
});
