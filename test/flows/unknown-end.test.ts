import assert from 'node:assert/strict';
import { type BotBesideScript, startBotBesideScript } from '../support/bot-beside-script.ts';
import { empty } from '../support/misbehaving-service.ts';
import { type Customer, spanishCustomer, t } from '../support/spanish-customer.ts';
import { until } from '../support/until.ts';

const minute = 60_000;
const outcomeTimeouts = { passkeys: minute, 'one-time-passcode': minute, 'document-signature': minute, payments: 2_000, 'e-form': minute };

describe('a chat whose service can neither withdraw a request nor say how it ended', () => {
  let world: BotBesideScript;
  let customer: Customer;
  let requestId: string;
  beforeEach(async () => {
    world = await startBotBesideScript({ outcomeTimeouts });
    customer = await spanishCustomer(world);
    world.service.misbehave('cancel', empty(404));
    // Nothing of the ending comes by itself.
    world.service.script(() => {});
    requestId = await customer.sends();
    await until(() => world.rows()[0]?.state === 'unresolved', 'the end to be told as unknown');
  });
  afterEach(async () => {
    assert.deepEqual(world.uncaught, []);
    customer.understoodAll();
    await world.close();
  });
  const said = (text: string) => customer.talk.messages().filter((message) => message.text.includes(text)).length;

  it('says at the deadline that the outcome is unknown, and not to pay with the old link', async () => {
    await until(() => said(t('cards.expired.title')) > 0, 'the customer to be told');
    assert.equal(said(t('cards.expired.title')), 1);
    assert.equal(said(t('cards.expired.payments', { subject: 'Invoice' })), 1);
    assert.equal(said(t('cards.payments.timeout.title')), 0);
    assert.equal(customer.talk.outcomes().length, 0);
    await customer.hears('again.unknown');
  });

  it('reports a payment that arrives after all, once, with its subject, also after a restart', async () => {
    world.service.finish(requestId);
    await world.restart();
    await customer.talk.reconnect();
    await customer.ends('success');
    assert.equal(said(t('cards.payments.success.title')), 1);
    assert.equal(said(t('cards.late.note', { subject: 'Invoice' })), 1);
    await until(() => world.rows()[0]?.state === 'delivered', 'it to be over');
    await world.restart();
    await customer.talk.reconnect();
    assert.equal(customer.talk.outcomes().length, 1);
  });
});
