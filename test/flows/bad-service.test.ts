import assert from 'node:assert/strict';
import { ulid } from 'ulid';
import { type BotBesideScript, startBotBesideScript } from '../support/bot-beside-script.ts';
import { type ServiceFault, serviceFaults } from '../support/faults.ts';
import { json } from '../support/misbehaving-service.ts';
import { canaries } from '../support/scripted-service.ts';
import { type Customer, spanishCustomer, t } from '../support/spanish-customer.ts';
import { until } from '../support/until.ts';

describe('a chat whose service misbehaves', () => {
  let world: BotBesideScript;
  let customer: Customer;
  let linesBefore = 0;
  let rowsBefore = 0;
  before(async () => {
    // Silence is waited for as long as that, so that no answer is taken for silence on a busy machine.
    world = await startBotBesideScript({ calls: { timeouts: { call: 2_000 }, breaker: { failures: 10_000 } } });
  });
  after(() => world.close());
  beforeEach(async () => {
    linesBefore = world.lines.length;
    rowsBefore = world.rows().length;
    customer = await spanishCustomer(world);
  });
  afterEach(async () => {
    await world.service.recover();
    customer.talk.chatter.socket.terminate();
    customer.understoodAll();
    assert.deepEqual(world.uncaught, []);
    const log = world.lines.slice(linesBefore).join('');
    for (const [what, canary] of Object.entries({
      ...canaries,
      token: customer.talk.chatter.token,
      digits: '2025550147',
      first: 'Quirina',
    }))
      assert.ok(!log.includes(canary), `the log holds the ${what}`);
    assert.ok(!/canary|"level":"error"/.test(log), log);
  });

  const rows = () => world.rows().slice(rowsBefore);
  const states = () => rows().map(({ state }) => state);

  /** The line that an operator finds: which call, on what it failed, and with which status where there was one. */
  const lineAbout = (operation: string, { status }: ServiceFault) =>
    world.lines
      .slice(linesBefore)
      .map((text) => JSON.parse(text))
      .find((found) => found.level === 'warn' && found.operation === operation && (status === undefined || found.status === status));
  const isLogged = (operation: string, fault: ServiceFault) => {
    const line = lineAbout(operation, fault);
    assert.ok(line, `no line about ${operation}`);
    assert.match(String(line.errorCode), /^[a-z0-9_]+$/);
    assert.match(String(line.error), /^(?:ServiceError|TransportError|ProtocolError)$/);
  };

  /** Goes all the way with a service that is well again. */
  const finishes = async () => {
    const requestId = await customer.sends();
    world.service.finish(requestId);
    await customer.ends('success');
  };

  describe('when it is asked who a number belongs to', () => {
    for (const fault of serviceFaults) {
      it(`and answers with ${fault.what}`, async () => {
        world.service.misbehave('bootstrap', fault.behaviour);
        await customer.talk.say('payments');
        await customer.talk.say(canaries.phoneNumber);
        // A number that is refused once is refused again, so another one is offered.
        const refused = fault.trouble === 'rejected';
        await (refused ? customer.hears('nobody.refused', { phone: '+1•••0147' }) : customer.hears(`trouble.${fault.trouble}`));
        isLogged('payments.bootstrap', fault);
        assert.deepEqual(states(), []);
        await world.service.recover();
        if (fault.trouble === 'misconfigured') await customer.presses('cards.buttons.menu');
        else {
          if (refused) await customer.talk.say(canaries.phoneNumber);
          else await customer.presses('cards.buttons.again');
          await customer.hears('cards.payments.confirm.text');
          await customer.talk.say('menu');
        }
        await finishes();
      });
    }

    it('and nobody listens', async () => {
      await world.service.listen(false);
      await customer.talk.say('payments');
      await customer.talk.say(canaries.phoneNumber);
      await customer.hears('trouble.unavailable');
      await world.service.recover();
      await customer.talk.say('menu');
      await finishes();
    });
  });

  describe('when a request is sent', () => {
    for (const fault of serviceFaults) {
      it(`and it answers with ${fault.what}`, async () => {
        await customer.prepares();
        world.service.misbehave('send', fault.behaviour);
        const before = world.service.calls('send').length;
        await customer.asks();
        if (fault.sent === 'unknown') await customer.hears('cards.notSent.unknown.title');
        else await customer.hears(`trouble.${fault.trouble}`);
        await customer.hears(fault.sent === 'unknown' ? 'again.unknown' : 'again.text');
        isLogged('payments.send', fault);
        // What may have been taken is never sent a second time, and what was told is over.
        assert.equal(world.service.calls('send').length - before, 1);
        assert.deepEqual(
          rows().map(({ state, told }) => [state, told]),
          [[fault.sent, 1]],
        );
        assert.deepEqual(customer.talk.outcomes(), []);
        await world.service.recover();
        await customer.presses('cards.buttons.again');
        if (fault.trouble === 'rejected' && fault.sent !== 'unknown') await customer.talk.say('1');
        else await customer.asks();
        await until(() => states()[1] === 'waiting', 'the second request waits');
        world.service.finish(world.service.given.at(-1) as string);
        await customer.ends('success');
        await until(() => states()[1] === 'delivered', 'the second outcome to be noted');
        assert.deepEqual(states(), [fault.sent, 'delivered']);
      });
    }

    it('and nobody listens', async () => {
      await customer.prepares();
      await world.service.listen(false);
      await customer.asks();
      await customer.hears('trouble.unavailable');
      assert.deepEqual(states(), ['refused']);
    });

    it('and it answers a passcode with "no success"', async () => {
      await customer.prepares('one-time-passcode');
      world.service.misbehave('send', json(200, { success: false, message: 'canary', requestId: ulid() }));
      await customer.asks('one-time-passcode');
      await customer.hears('trouble.rejected');
      assert.deepEqual(states(), ['refused']);
    });
  });

  describe('when a code is checked', () => {
    for (const fault of serviceFaults) {
      it(`and it answers with ${fault.what}`, async () => {
        await customer.sends('one-time-passcode');
        world.service.misbehave('check', fault.behaviour);
        await customer.talk.say(canaries.code);
        await customer.hears(`trouble.${fault.trouble}`);
        isLogged('one-time-passcode.check', fault);
        assert.deepEqual(states(), ['waiting']);
        assert.deepEqual(customer.talk.outcomes(), []);
        await world.service.recover();
        await customer.talk.say(canaries.code);
        await customer.ends('success');
      });
    }
  });

  describe('when a request is to be sent again', () => {
    for (const fault of serviceFaults) {
      it(`and it answers with ${fault.what}`, async () => {
        const requestId = await customer.sends();
        world.service.misbehave('resend', fault.behaviour);
        await customer.talk.say('reenviar');
        if (fault.status === 429) await customer.hears('waiting.resend.too_soon');
        else {
          await customer.hears(`trouble.${fault.trouble}`);
          isLogged('requests.resend', fault);
        }
        assert.deepEqual(states(), ['waiting']);
        await world.service.recover();
        await customer.talk.say('reenviar');
        await customer.hears('waiting.resend.resent', { to: '+1•••0147' });
        world.service.finish(requestId);
        await customer.ends('success');
      });
    }
  });

  describe('when a request is to be cancelled', () => {
    for (const fault of serviceFaults) {
      it(`and it answers with ${fault.what}`, async () => {
        await customer.sends();
        world.service.misbehave('cancel', fault.behaviour);
        await customer.talk.say('cancelar');
        await customer.hears('waiting.released');
        isLogged('requests.cancel', fault);
        await customer.ends('cancelled');
        await until(() => states()[0] === 'delivered');
        await world.service.recover();
        await customer.hears('cards.menu.title');
      });
    }
  });

  describe('while the customer is on their device', () => {
    for (const fault of serviceFaults) {
      it(`and results are answered with ${fault.what}`, async () => {
        world.service.misbehave('results', fault.behaviour);
        world.service.upgrade((tcp) => tcp.end('HTTP/1.1 503 Service Unavailable\r\n\r\n'));
        const requestId = await customer.sends();
        const before = world.service.calls('results').length;
        await until(() => world.service.calls('results').length > before + 1, 'a second read');
        await until(() => lineAbout('results.get', fault), 'a line about it');
        isLogged('results.get', fault);
        assert.deepEqual(states(), ['waiting']);
        assert.deepEqual(customer.talk.outcomes(), []);
        await customer.talk.say('estado');
        await customer.hears('waiting.status.sending', { app: t('apps.payments.name'), to: '+1•••0147', minutes: 30 });
        world.service.finish(requestId);
        await world.service.recover();
        await customer.ends('success');
        await until(() => states()[0] === 'delivered');
      });
    }
  });
});
