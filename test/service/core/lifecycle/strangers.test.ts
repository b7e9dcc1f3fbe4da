import assert from 'node:assert/strict';
import { productionLimits, type SharedQuota } from '../../../../src/service/core/limits/limits.ts';
import { assertProblem } from '../../../support/assert-problem.ts';
import { onEachDatabase } from '../../../support/each-database.ts';
import type { TestService } from '../../../support/running-service.ts';
import { sendBody, shortAnswer, shortForm } from '../../../support/sends.ts';
import { statement } from '../../../support/service-database.ts';
import { makeTestTime, type TestTime } from '../../../support/test-time.ts';

const { passcodeFailures, passcodeFailuresInAll, messagesPerDestination, messagesPerCustomer, messagesInAll } = productionLimits;
const { messagesPerCustomerDaily, messagesInAllDaily } = productionLimits;
const keptOf = ({ kept }: SharedQuota) => kept ?? assert.fail('nothing is kept');
const minute = 60_000;
const hour = 60 * minute;
const plenty = { points: 1000, seconds: 600 };

it('wrong codes of a phone are a hundred a day at most, with all that comes back and is kept (NIST SP 800-63B-4, 3.2.2)', () => {
  const { points, seconds } = passcodeFailuresInAll;
  const { customer, session } = keptOf(passcodeFailuresInAll);
  assert.ok(points + (24 * 3600 * points) / seconds + customer + session <= 100);
});

onEachDatabase('a stranger who has a customer’s number', (startTestService) => {
  let time: TestTime;
  let service: TestService;
  const start = async (limits: object = {}) => {
    time = makeTestTime();
    service = await startTestService({
      clock: time.clock,
      alarm: time.alarm,
      limits: {
        oneActive: true,
        messagesPerDestination,
        messagesPerCustomer,
        messagesInAll,
        messagesPerCustomerDaily,
        messagesInAllDaily,
        passcodeFailures,
        passcodeFailuresInAll,
        resendCooldownsMs: [0],
        ...limits,
      },
    });
  };
  afterEach(() => service.close());

  const advance = (milliseconds: number) => time.advance(milliseconds, () => service.running.settled());
  const send = (sessionRef: string, app: 'e-form' | 'one-time-passcode' | 'payments' = 'payments') =>
    service.call('POST', `/${app}/send`, { body: { ...(app === 'e-form' ? shortForm() : sendBody(app)), sessionRef } });
  const until429 = async (sessionRef: string) => {
    for (let sent = 0; ; sent += 1) if ((await send(sessionRef)).status === 429) return sent;
  };
  /** Something ends well in a session, on the customer's device. */
  const finish = async (sessionRef: string) => {
    assert.equal((await send(sessionRef, 'e-form')).status, 200);
    const link = (await service.outbox())[0]?.link ?? '';
    await service.open('POST', link, { body: new URLSearchParams(shortAnswer) });
  };
  const state = async (id: string) => (await service.call('GET', `/requests/${id}`)).json.state as string;
  const check = async (requestId: string, code: string): Promise<boolean> =>
    (await service.call('POST', '/one-time-passcode/check', { body: { requestId, code } })).json.codeMatch;
  const other = (code: string) => (code === '000000' ? '000001' : '000000');
  const code = async () => (await service.outbox())[0]?.code ?? '';
  /** Tries as many wrong codes in a session as it may at the permitted pace; tells how many were compared. */
  const guess = async (sessionRef: string, times: number) => {
    let tried = 0;
    while (tried < times) {
      const { status, json } = await send(sessionRef, 'one-time-passcode');
      if (status !== 200) return tried;
      const wrong = other(await code());
      for (let left = Math.min(5, times - tried); left > 0; left -= 1) {
        await check(json.requestId, wrong);
        tried += 1;
      }
    }
    return tried;
  };
  const right = async (sessionRef: string) => {
    const { status, json, text } = await send(sessionRef, 'one-time-passcode');
    assert.equal(status, 200, text);
    return check(json.requestId, await code());
  };

  it('withdraws none of their requests: a request is replaced only from its own session', async () => {
    await start();
    const first = (await send('customers-chat')).json.requestId;
    const theirs = (await send('strangers-chat')).json.requestId;
    assert.deepEqual([await state(first), await state(theirs)], ['pending', 'pending']);
    const second = (await send('customers-chat')).json.requestId;
    assert.deepEqual([await state(first), await state(second), await state(theirs)], ['cancelled', 'pending', 'pending']);
  });

  describe('uses up messages', () => {
    it('in a session of their own only, and leaves the customer some in a new session', async () => {
      await start();
      assert.equal(await until429('strangers-chat'), messagesPerDestination.points);
      assert.equal((await send('customers-chat')).status, 200);
    });

    it('in any number of sessions, even the oldest, but not those reserved for returning customers', async () => {
      await start();
      await finish('customers-first-chat');
      await advance(hour);
      const { requestId } = (await send('strangers-chat-0', 'e-form')).json;
      let sent = 1;
      for (let session = 0; session < 10; session += 1) sent += await until429(`strangers-chat-${session}`);
      assert.equal(sent, messagesPerCustomer.points + keptOf(messagesPerCustomer).customer);
      assert.equal((await service.call('POST', `/requests/${requestId}/resend`)).status, 429);
      assert.equal((await send('customers-first-chat')).status, 200);
      assert.equal((await send('customers-first-chat')).status, 429, 'all in all, nobody is bombed');
    });

    it('and none of the reserved ones in sessions without a success', async () => {
      await start();
      let sent = 0;
      for (let session = 0; session < 10; session += 1) sent += await until429(`strangers-chat-${session}`);
      assert.equal(sent, messagesPerCustomer.points);
    });

    it('window after window, up to the daily limit', async () => {
      await start();
      await finish('customers-chat');
      const { seconds, points } = messagesPerCustomerDaily;
      const accepted = async (session: string) => Number((await send(session)).status === 200);
      let [theirs, ours] = [0, 0];
      for (let window = 0; window < 12; window += 1) {
        for (let each = 0; each < 9; each += 1) theirs += await accepted(`strangers-chat-${window}-${each}`);
        // The customer's own session has what is kept for it.
        if (window % 3 === 2) ours += await accepted('customers-chat');
        await advance(2 * hour);
      }
      assert.ok(theirs <= 20 + keptOf(messagesPerCustomerDaily).customer, `${theirs}`);
      assert.ok(theirs > points + (24 * 3600 * points) / seconds - 3, `${theirs}: they come back bit by bit`);
      assert.equal(ours, 4);
    });

    it('and not those reserved for a session with a success', async () => {
      await start();
      await finish('customers-chat');
      for (let session = 0; session < 10; session += 1) await until429(`strangers-chat-${session}`);
      assert.equal((await send('customers-chat')).status, 200);
      assert.equal((await send('nobodys-chat')).status, 429);
    });
  });

  describe('tries wrong codes', () => {
    const free = {
      messagesPerDestination: plenty,
      messagesPerCustomer: plenty,
      messagesInAll: plenty,
      messagesPerCustomerDaily: plenty,
      messagesInAllDaily: plenty,
    };
    const guessAll = async () => {
      let tried = 0;
      for (let session = 0; session < 8; session += 1) tried += await guess(`strangers-chat-${session}`, 20);
      return tried;
    };

    it('and locks their own session, for a day, while the customer continues in theirs', async () => {
      await start({ ...free, passcodeFailuresInAll: { points: 1000, seconds: 600 } });
      let tried = 0;
      for (let round = 0; round < 3; round += 1) {
        tried += await guess('strangers-chat', 50 - tried);
        if (tried < 50) await advance(hour);
      }
      assert.equal(tried, 50);
      assertProblem(await send('strangers-chat', 'one-time-passcode'), 409, 'phone_locked');
      assert.equal(await right('customers-chat'), true);
      await advance(22 * hour - 1);
      assert.notEqual((await send('strangers-chat', 'one-time-passcode')).status, 200);
      await advance(1);
      assert.equal(await right('strangers-chat'), true);
    });

    it('in any number of sessions, without affecting the customer’s own', async () => {
      await start(free);
      assert.equal(await right('customers-chat'), true);
      const { points } = passcodeFailuresInAll;
      assert.equal(await guessAll(), points + keptOf(passcodeFailuresInAll).customer);
      assert.notEqual((await send('nobodys-chat', 'one-time-passcode')).status, 200);
      assert.equal(await right('customers-chat'), true);
    });

    it('from the oldest session, without the tries reserved for returning customers', async () => {
      await start({ ...free, passcodeFailures: { anHour: 1000, untilLocked: 1000 } });
      await send('strangers-oldest', 'e-form');
      assert.equal(await guess('strangers-oldest', 200), passcodeFailuresInAll.points);
      assert.notEqual((await send('strangers-oldest', 'one-time-passcode')).status, 200);
    });

    it('and a customer with a recent success can still verify, in a new session', async () => {
      await start(free);
      await finish('customers-first-chat');
      await advance(24 * hour);
      await send('strangers-oldest', 'e-form');
      await guess('strangers-chat-1', passcodeFailuresInAll.points);
      assert.equal(await right('customers-new-chat'), true);
    });

    it('and a new customer waits minutes rather than a day, since tries come back one by one', async () => {
      await start(free);
      const tried = await guessAll();
      assert.equal(tried, passcodeFailuresInAll.points);
      const refused = await send('customers-chat', 'one-time-passcode');
      assertProblem(refused, 429, 'too_many_failures');
      const wait = Number(refused.headers['retry-after']) * 1000;
      assert.ok(wait <= 25 * minute, `${wait}`);
      await advance(wait);
      assert.equal(await right('customers-chat'), true);
    });

    it('until an operator lifts the lock through the interface, which may be repeated and is logged', async () => {
      await start(free);
      for (let session = 0; session < 8; session += 1) await guess(`strangers-chat-${session}`, 20);
      assert.equal((await send('customers-chat', 'one-time-passcode')).status, 429);
      const unlock = () => service.call('POST', '/one-time-passcode/unlock', { body: { phoneNumber: '+12025550102' } });
      for (const reply of [await unlock(), await unlock()]) {
        assert.equal(reply.status, 200, reply.text);
        assert.deepEqual(reply.json, { phoneNumber: '+12025550102', locked: false });
      }
      assert.equal(await right('customers-chat'), true);
      const rows = await statement(service, "select person, role, subject from console_accesses where action = 'unlock'");
      assert.equal(rows.length, 2);
      assert.match(rows[0]?.person, /^account:[0-9a-f]{8}$/);
      assert.deepEqual([rows[0]?.role, rows[0]?.subject], ['operator', 'customer=cust-0102-mei+brightwater']);
      assert.deepEqual(await statement(service, "select * from quotas where key like 'guesses%'"), []);
    });

    it('of a phone that stays locked if another one is unlocked', async () => {
      await start({ ...free, passcodeFailures: { anHour: 1000, untilLocked: 5 } });
      await guess('strangers-chat', 5);
      const unlock = (phoneNumber: string) => service.call('POST', '/one-time-passcode/unlock', { body: { phoneNumber } });
      assert.equal((await unlock('+12025550101')).status, 200);
      assert.equal((await unlock('+1202555010')).status, 200);
      assertProblem(await send('strangers-chat', 'one-time-passcode'), 409, 'phone_locked');
      assert.equal((await unlock('nonsense')).status, 422);
    });
  });
});
