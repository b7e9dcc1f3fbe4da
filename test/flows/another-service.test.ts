import assert from 'node:assert/strict';
import { type BotBesideScript, startBotBesideScript } from '../support/bot-beside-script.ts';
import { json } from '../support/misbehaving-service.ts';
import { canaries } from '../support/scripted-service.ts';
import { samples } from '../support/service-samples.ts';
import { type Customer, spanishCustomer, t } from '../support/spanish-customer.ts';
import { until } from '../support/until.ts';

describe('a chat with another service that keeps to the interface', () => {
  let world: BotBesideScript;
  let customer: Customer;
  before(async () => {
    world = await startBotBesideScript();
  });
  after(() => world.close());
  beforeEach(async () => {
    customer = await spanishCustomer(world);
  });
  afterEach(async () => {
    await world.service.recover();
    customer.talk.chatter.socket.terminate();
    customer.understoodAll();
    assert.deepEqual(world.uncaught, []);
  });

  const row = () => world.rows().at(-1);
  const logged = (level: 'warn' | 'error', text: string) => world.logged(level).findLast(({ msg }) => String(msg).includes(text));
  const person = { name: canaries.name, email: canaries.email, isEnrolled: true };
  /** From the wish to the confirmation, of a customer as the service lists them. */
  const prepares = async (app: keyof typeof samples, listed: object, more: object = {}) => {
    world.service.misbehave('bootstrap', json(200, { ...samples[app].bootstrapped, customers: [listed], ...more }));
    await customer.talk.say(app);
    await customer.talk.say(canaries.phoneNumber);
  };
  const sent = async (app?: 'one-time-passcode') => {
    await customer.asks(app);
    await until(() => row()?.state === 'waiting', 'a request that waits');
    return JSON.parse(world.service.calls('send').at(-1)?.body ?? '');
  };

  for (const id of ['1042', 'ada@example.com', 'c 1/ü']) {
    it(`sends to a customer named "${id}" without a reference if none is needed`, async () => {
      await prepares('payments', { ...person, id });
      const body = await sent();
      assert.deepEqual(Object.keys(body).sort(), ['phoneNumber', 'productId', 'sessionRef']);
      world.service.finish(world.service.given.at(-1) as string);
      await customer.ends('success');
    });

    it(`says that the fault is ours when a passcode cannot go to a customer named "${id}", and tells the operator the rule`, async () => {
      const calls = world.service.calls('send').length;
      await prepares('one-time-passcode', { ...person, id });
      await customer.asks('one-time-passcode');
      await customer.hears('trouble.misconfigured');
      assert.equal(world.service.calls('send').length, calls);
      assert.deepEqual([row()?.state, row()?.refusal], ['refused', 'misconfigured']);
      const line = logged('error', 'break a rule');
      assert.deepEqual([line?.operation, line?.errorCode], ['one-time-passcode.send', 'invalid_request']);
      assert.equal(line?.fields, 'customerRef must be 8 to 64 letters, digits, hyphens, underscores or at-signs');
      assert.ok(!JSON.stringify(line).includes(id));
    });
  }

  it('sends to a customer whose identifier is a reference with it', async () => {
    await prepares('payments', { ...person, id: canaries.customerRef });
    await customer.talk.say('1');
    assert.equal((await sent()).customerRef, canaries.customerRef);
  });

  for (const email of [null, '', 'n/a', undefined]) {
    it(`offers a passcode instead of a passkey to a customer whose e-mail is ${JSON.stringify(email)}`, async () => {
      await prepares('passkeys', { ...person, id: canaries.customerRef, email });
      await customer.hears('instead.email');
      await customer.talk.press(t('instead.one-time-passcode'));
      await customer.hears('cards.one-time-passcode.confirm.title');
    });
  }

  it('serves a customer without a known e-mail address', async () => {
    await prepares('payments', { ...person, id: canaries.customerRef, email: null });
    await customer.talk.say('1');
    await sent();
    const line = logged('warn', 'departs from the interface');
    assert.deepEqual([line?.operation, line?.fields], ['payments.bootstrap', 'customers.0.email']);
  });

  it('offers what it can read, and logs the rest', async () => {
    const [product] = samples.payments.bootstrapped.products;
    await prepares(
      'payments',
      { ...person, id: canaries.customerRef },
      { products: [null, { ...product, price: '59.90', description: null }] },
    );
    await customer.talk.sees(/59,90/);
    await customer.talk.say('1');
    assert.equal((await sent()).productId, 'p-1');
    assert.equal(logged('warn', 'departs')?.fields, 'products.0, products.1.description, products.1.price');
  });

  it('polls for a request without a token', async () => {
    await prepares('payments', { ...person, id: canaries.customerRef });
    await customer.talk.say('1');
    const requestId = '01KAH5Z0V8Q2J9XW3N4M5P6R7S';
    world.service.misbehave('send', json(200, { requestId }));
    await sent();
    const { app, status } = { app: 'payments', status: 'success' };
    world.service.misbehave('results', json(200, { id: requestId, app, status, amount: '59.90', userAgent: null }));
    await customer.ends('success');
  });

  for (const code of ['AB12CD', 'q7-_x9', '314159']) {
    for (const way of ['typed', 'entered'] as const) {
      it(`checks the code ${code} as it was ${way}`, async () => {
        await customer.sends('one-time-passcode');
        const requestId = world.service.given.at(-1) as string;
        world.service.misbehave('check', json(200, { codeMatch: true }));
        if (way === 'typed') await customer.talk.say(code);
        else await customer.presses('cards.buttons.check', { code });
        await customer.ends('success');
        assert.deepEqual(JSON.parse(world.service.calls('check').at(-1)?.body ?? ''), { requestId, code });
      });
    }
  }

  it('treats no word as a code, however many letters it has', async () => {
    await customer.sends('one-time-passcode');
    const calls = world.service.calls('check').length;
    for (const word of ['gracias', 'amigos', 'THANKS', 'PayPal']) {
      await customer.talk.say(word);
      await customer.hears('passcode.still', { to: '+1•••0147' });
    }
    assert.equal(world.service.calls('check').length, calls);
  });
});
