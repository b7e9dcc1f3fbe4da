import assert from 'node:assert/strict';
import { type BotBesideScript, startBotBesideScript } from '../support/bot-beside-script.ts';
import { type Behaviour, json, refuse } from '../support/misbehaving-service.ts';
import { spanishCustomer } from '../support/spanish-customer.ts';

/** A record of a request that is good for so many minutes, told by a clock of the service's own. */
const goodFor =
  (minutes: number): Behaviour =>
  (res, seen) => {
    const createdAt = Date.UTC(2020, 0, 1);
    const record = {
      id: seen.url.split('/')[2],
      app: 'payments',
      state: 'pending',
      customerRef: 'cust-0147',
      sessionRef: 'session-0001',
      createdAt: new Date(createdAt).toISOString(),
      expiresAt: new Date(createdAt + minutes * 60_000).toISOString(),
      events: [],
    };
    return json(200, record)(res, seen);
  };

describe('how long a request is valid, as the chat says it', () => {
  let world: BotBesideScript;
  beforeEach(async () => {
    world = await startBotBesideScript({ settings: { WAIT_MINUTES: 'payments=45' } });
  });
  afterEach(async () => {
    assert.deepEqual(world.uncaught, []);
    await world.close();
  });

  for (const [what, record, minutes] of [
    ['is what the service says', goodFor(10), 10],
    ['is what is set, where the service does not say', refuse(404, 'not_found'), 45],
  ] as const) {
    it(what, async () => {
      world.service.misbehave('record', record);
      const customer = await spanishCustomer(world);
      await customer.sends();
      await customer.talk.say('estado');
      await customer.talk.sees(new RegExp(`${minutes} minutos`));
    });
  }
});
