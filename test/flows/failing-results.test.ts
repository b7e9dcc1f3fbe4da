import assert from 'node:assert/strict';
import { type BotBesideScript, startBotBesideScript } from '../support/bot-beside-script.ts';
import { empty } from '../support/misbehaving-service.ts';
import { spanishCustomer } from '../support/spanish-customer.ts';
import { until } from '../support/until.ts';

describe('a chat whose service cannot read out some results', () => {
  let world: BotBesideScript;
  before(async () => {
    // The usual breaker: 8 failures in a row.
    world = await startBotBesideScript({ calls: { timeouts: { call: 5_000 } } });
  });
  after(() => world.close());

  it('serves every new chat, whatever happens to those that wait', async () => {
    world.service.upgrade((tcp) => tcp.end('HTTP/1.1 503 Service Unavailable\r\n\r\n'));
    world.service.misbehave('results', empty(500));
    for (let count = 0; count < 3; count += 1) await (await spanishCustomer(world)).sends();
    await until(() => world.service.calls('results').length > 12, 'results that fail');
    const sent = world.service.given.length;
    for (let count = 0; count < 8; count += 1) {
      const newcomer = await spanishCustomer(world);
      await newcomer.sends();
      newcomer.understoodAll();
    }
    assert.equal(world.service.given.length - sent, 8);
    assert.deepEqual(new Set(world.rows().map(({ state }) => state)), new Set(['waiting']));
  });
});
