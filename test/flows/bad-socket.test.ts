import assert from 'node:assert/strict';
import type { ResultStatus } from '../../src/contract/index.ts';
import { type BotBesideScript, startBotBesideScript } from '../support/bot-beside-script.ts';
import { canaries } from '../support/scripted-service.ts';
import { socketFaults, upgradeFaults } from '../support/socket-faults.ts';
import { type Customer, spanishCustomer } from '../support/spanish-customer.ts';
import { itSample } from '../support/tier.ts';
import { until } from '../support/until.ts';

describe('a chat whose service misbehaves on the websocket', () => {
  let world: BotBesideScript;
  let customer: Customer;
  let linesBefore = 0;
  before(async () => {
    world = await startBotBesideScript();
  });
  after(() => world.close());
  beforeEach(async () => {
    linesBefore = world.lines.length;
    customer = await spanishCustomer(world);
  });
  afterEach(async () => {
    await world.service.recover();
    customer.talk.chatter.socket.terminate();
    customer.understoodAll();
    assert.deepEqual(world.uncaught, []);
    const log = world.lines.slice(linesBefore).join('');
    for (const [what, canary] of Object.entries(canaries)) assert.ok(!log.includes(canary), `the log holds the ${what}`);
    assert.ok(!/canary|"level":"error"/.test(log), log);
  });

  const reads = (requestId: string) => world.service.calls('results').filter(({ url }) => url.endsWith(requestId)).length;
  /** Until the bot has read the result again after what it met, whatever it made of it. */
  const looked = async (requestId: string) => {
    await until(() => reads(requestId) >= 1, 'the result was looked for');
    // A socket that stays up would be trusted until the next look, which is not to be waited for here.
    world.service.dropSockets();
    await until(() => reads(requestId) >= 2, 'the result was looked for again');
  };
  const finds = async (requestId: string, status: ResultStatus = 'success') => {
    await looked(requestId);
    assert.equal(world.rows().at(-1)?.state, 'waiting');
    assert.deepEqual(customer.talk.outcomes(), []);
    world.service.finish(requestId, status);
  };

  // Each fault has its test at the connection; here some show that the chat survives it.
  for (const [index, [what, script]] of socketFaults.entries()) {
    itSample(index < 2)(`which ${what}, still gets the true outcome`, async () => {
      world.service.script(script);
      const requestId = await customer.sends();
      await finds(requestId, 'failure');
      await world.service.recover();
      // What may only be noticed at the next look must not take that long here.
      world.service.dropSockets();
      await customer.ends('failure');
    });
  }

  for (const [index, [what, answer]] of upgradeFaults.entries()) {
    itSample(index < 1)(`which ${what} instead of opening it, still gets the outcome`, async () => {
      world.service.upgrade(answer);
      const requestId = await customer.sends();
      await finds(requestId);
      await customer.ends('success');
    });
  }

  it('shows the result if the event says otherwise', async () => {
    world.service.script((socket, requestId) => {
      world.service.finish(requestId, 'failure');
      socket.send(JSON.stringify({ id: 'e', type: 'task.succeeded', timestamp: 'x', payload: { request: { id: requestId } } }));
    });
    await customer.sends();
    await customer.ends('failure');
  });

  it('shows an outcome once that arrives a hundred times', async () => {
    world.service.script((socket, requestId) => {
      world.service.finish(requestId, 'success');
      for (let time = 0; time < 100; time += 1)
        socket.send(JSON.stringify({ id: `e-${time}`, type: 'task.succeeded', timestamp: 'x', payload: { request: { id: requestId } } }));
    });
    await customer.sends();
    await customer.ends('success');
    await customer.hears('cards.menu.title');
    await until(() => world.rows().at(-1)?.state === 'delivered');
    assert.equal(customer.talk.outcomes().length, 1);
  });
});
