import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { safetyEvery } from '../../src/interactions/waiting/safety-reads.ts';
import { type BotBesideScript, startBotBesideScript } from '../support/bot-beside-script.ts';
import { hostileStrings } from '../support/hostile.ts';
import { type Behaviour, empty, json, refuse } from '../support/misbehaving-service.ts';
import { canaries } from '../support/scripted-service.ts';
import { samples } from '../support/service-samples.ts';
import { type Customer, spanishCustomer } from '../support/spanish-customer.ts';
import { until } from '../support/until.ts';

const customers = [{ id: canaries.customerRef, name: canaries.name, email: canaries.email, isEnrolled: true }];

/**
 * A message of more than this many bytes some channels do not take (learn.microsoft.com: Teams, "Limits and
 * specifications", 100 KB).
 */
const largestMessage = 90_000;

/** A request whose socket is up is looked at again after this time (ms) at the earliest. */
const soonestLook = safetyEvery / 2;

describe('a chat whose service keeps to the interface in unusual ways', () => {
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
    assert.deepEqual(world.uncaught, []);
    assert.deepEqual(world.logged('error'), []);
    for (const message of customer.talk.messages()) assert.ok(JSON.stringify(message).length < largestMessage, 'a message is too large');
  });
  const state = () => world.rows().at(-1)?.state;

  describe('has no way to take a request back or send it again', () => {
    const absent: [string, Behaviour][] = [
      ['404', refuse(404, 'not_found')],
      ['404 without a word', empty(404)],
      ['405', empty(405)],
    ];
    for (const [what, behaviour] of absent) {
      it(`and says so with ${what}`, async () => {
        await customer.sends();
        world.service.misbehave('resend', behaviour);
        world.service.misbehave('cancel', behaviour);
        await customer.talk.say('reenviar');
        await customer.hears('waiting.resend.unsupported');
        await customer.talk.say('cancelar');
        await customer.hears('waiting.released');
        await customer.ends('cancelled');
      });
    }

    it('sends a new passcode instead of the old one again, and takes only the new one', async () => {
      await customer.sends('one-time-passcode');
      world.service.misbehave('resend', empty(404));
      await customer.talk.say('reenviar');
      await customer.hears('waiting.resend.resent', { to: '+1•••0147' });
      const [first, second] = world.service.given.slice(-2);
      await customer.talk.say(canaries.code);
      await customer.ends('success');
      assert.equal(JSON.parse(world.service.calls('check').at(-1)?.body ?? '').requestId, second);
      assert.notEqual(first, second);
    });
  });

  for (const [command, phase] of [
    ['reenviar', 'resend'],
    ['cancelar', 'cancel'],
  ] as const) {
    it(`says that it has ended if "${command}" comes too late, and reads the outcome at once`, async () => {
      const requestId = await customer.sends();
      // Nothing of the ending comes by itself: the socket stays silent.
      world.service.script(() => {});
      await until(() => world.service.calls('results').filter(({ url }) => url.endsWith(requestId)).length === 1, 'the first look');
      world.service.finish(requestId);
      world.service.misbehave(phase, refuse(409, 'finished'));
      const asked = performance.now();
      await customer.talk.say(command);
      await customer.hears('waiting.justEnded');
      await customer.ends('success');
      assert.ok(performance.now() - asked < soonestLook, 'only the next look found it');
    });
  }

  it('continues if the service no longer has its request', async () => {
    await customer.sends();
    const db = new DatabaseSync(join(world.dataDir, 'bot.db'), { timeout: 5_000 });
    db.exec('DELETE FROM interaction');
    db.close();
    await customer.talk.say('estado');
    await customer.hears('cards.menu.title');
    await customer.sends();
  });

  describe('offers', () => {
    const offering = (products: unknown[]) => {
      world.service.misbehave('bootstrap', json(200, { customers, products }));
      return async () => {
        await customer.talk.say('payments');
        await customer.talk.say(canaries.phoneNumber);
      };
    };
    const product = (fields: object) => ({ ...samples.payments.bootstrapped.products[0], ...fields });

    it('nothing', async () => {
      await offering([])();
      await customer.hears('payments.none');
      await customer.hears('cards.menu.title');
    });

    it('three thousand products: the first are shown, the others can be named', async () => {
      await offering(Array.from({ length: 3000 }, (_, index) => product({ id: `p-${index}`, title: `Cosa ${index + 1} de muchas` })))();
      await customer.hears('payments.choose');
      await customer.hears('question.more', { count: 2980 });
      await customer.talk.say('cosa 2999 de muchas');
      await until(() => state() === 'waiting');
      assert.equal(JSON.parse(world.service.calls('send').at(-1)?.body ?? '').productId, 'p-2998');
    });

    it('a number that nobody can pay, a currency that is none', async () => {
      const odd = [1e308, -1, 0, 1e-300, 2 ** 53].flatMap((price) =>
        ['EUR', 'eur', 'XX', '', '€€€€€€€€', '__proto__'].map((currency) => ({ price, currency })),
      );
      await offering(odd.slice(0, 20).map((fields) => product(fields)))();
      await customer.hears('payments.choose');
      await customer.talk.say('3');
      await until(() => state() === 'waiting');
    });

    it('titles that are no titles', async () => {
      await offering(hostileStrings.slice(0, 20).map((title) => product({ title, description: title })))();
      await customer.hears('payments.choose');
      await customer.talk.say('20');
      await until(() => state() === 'waiting');
    });
  });

  it('has a thousand customers with one number: five are offered', async () => {
    const many = Array.from({ length: 1000 }, (_, index) => ({ id: `customer-${index}`, name: hostileStrings[index % 40], email: 'x' }));
    world.service.misbehave('bootstrap', json(200, { ...samples.payments.bootstrapped, customers: many }));
    await customer.talk.say('payments');
    await customer.talk.say(canaries.phoneNumber);
    await customer.hears('customer.choose', { phone: '+1•••0147' });
    const { text } = await customer.talk.sees(/^5\. /m);
    assert.doesNotMatch(text, /^6\. /m);
    await customer.talk.say('5');
    await customer.hears('cards.payments.confirm.text');
  });

  it('asks for variables with names that are special in JavaScript', async () => {
    const names = ['__proto__', 'constructor', 'action', 'toString', 'a', 'a', '', ' '];
    const [document] = samples['document-signature'].bootstrapped.documents;
    const variables = names.map((name) => ({ name, type: 'text', required: false }));
    world.service.misbehave('bootstrap', json(200, { customers, documents: [{ ...document, variables }] }));
    await customer.talk.say('document-signature');
    await customer.talk.say(canaries.phoneNumber);
    await customer.hears('cards.document-signature.variables.title');
    await customer.presses('cards.buttons.next', { 'variable:constructor': 'eins', 'variable:a': 'zwei' });
    await customer.hears('cards.document-signature.confirm.title');
    await customer.presses('cards.document-signature.confirm.send');
    await until(() => state() === 'waiting');
    assert.deepEqual(JSON.parse(world.service.calls('send').at(-1)?.body ?? '').variables, { constructor: 'eins', a: 'zwei' });
  });

  it('asks for a hundred variables', async () => {
    const [document] = samples['document-signature'].bootstrapped.documents;
    const variables = Array.from({ length: 100 }, (_, index) => ({ name: `blank${index}`, type: 'text', required: false }));
    world.service.misbehave('bootstrap', json(200, { customers, documents: [{ ...document, variables }] }));
    await customer.talk.say('document-signature');
    await customer.talk.say(canaries.phoneNumber);
    await customer.talk.say('1');
    await customer.presses('cards.buttons.next');
    await customer.hears('cards.document-signature.confirm.title');
  });

  describe('ends', () => {
    const common = { accountId: 'a', sessionRef: 'session-0001', status: 'success', timestamp: '2026-11-20T08:26:17.000Z' };
    const paid = { product: 'Invoice', quantity: 1, amount: 12.5, currency: 'EUR', gateway: 'g', productId: 'p-1', transactionId: 'tx' };
    const odd: [string, object][] = [
      ['with half a megabyte of title', { product: 'x'.repeat(500_000) }],
      ['with half a megabyte of everything', { gateway: 'y'.repeat(250_000), transactionId: 'z'.repeat(250_000) }],
      ['with an amount beyond numbers', { amount: 1e308, quantity: -1e308 }],
      ['with no currency', { currency: '' }],
      ['with a link that is none', { gatewayUrl: 'javascript:alert(1)' }],
      ['in the year 0', { timestamp: '0000-01-01T00:00:00Z' }],
      ['in the year 9999', { timestamp: '9999-12-31T23:59:59+14:00' }],
      ['with markup', { product: '<img src=x onerror=alert(1)>', transactionId: '[x](javascript:alert(1))' }],
      ['with control characters', { product: '\u0000\u0007\u202etxet', gateway: '\ud800' }],
      ['with fields of another time', { brandNew: { a: [1] }, constructor: 'x', status: 'success' }],
    ];
    for (const [what, fields] of odd) {
      it(`${what}, and the customer still gets it`, async () => {
        const requestId = await customer.sends();
        world.service.misbehave(
          'results',
          json(200, { ...common, app: 'payments', customerRef: canaries.customerRef, id: requestId, ...paid, ...fields }),
        );
        world.service.dropSockets();
        await customer.ends('success');
        assert.doesNotMatch(JSON.stringify(customer.talk.outcomes()), /"url":"javascript/);
        await until(() => state() === 'delivered');
      });
    }

    it('with the result of another app, which is none', async () => {
      const requestId = await customer.sends();
      world.service.misbehave(
        'results',
        json(200, { ...common, app: 'passkeys', action: 'authentication', customerRef: 'x', id: requestId }),
      );
      world.service.dropSockets();
      await until(() => world.lines.some((line) => line.includes('"errorCode":"mismatch"') && line.includes('"app":"payments"')));
      assert.equal(state(), 'waiting');
      assert.deepEqual(customer.talk.outcomes(), []);
    });

    const side: [string, object][] = [
      ['a user agent of null', { userAgent: null }],
      ['an amount written as text', { amount: '59.90' }],
      ['nothing of what was paid', { product: undefined, amount: null, transactionId: [] }],
      ['no customer', { customerRef: null }],
      ['no time', { timestamp: null }],
    ];
    for (const [what, fields] of side) {
      it(`with a success that has ${what}: it counts, and the log names the odd fields`, async () => {
        const requestId = await customer.sends();
        const odd = { ...common, app: 'payments', customerRef: canaries.customerRef, id: requestId, ...paid, ...fields };
        const before = world.lines.length;
        world.service.misbehave('results', json(200, odd));
        world.service.dropSockets();
        await customer.ends('success');
        const named = () =>
          world.lines
            .slice(before)
            .map((line) => JSON.parse(line))
            .find(({ errorCode }) => errorCode === 'shape');
        const line = await until(named, 'a line about it');
        assert.deepEqual([line.level, line.operation, line.fields], ['warn', 'results.get', Object.keys(fields).join(', ')]);
        assert.doesNotMatch(JSON.stringify(line), /59\.90/);
      });
    }
  });
});
