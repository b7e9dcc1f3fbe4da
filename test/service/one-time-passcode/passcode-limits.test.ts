import assert from 'node:assert/strict';
import { productionLimits } from '../../../src/service/core/limits/limits.ts';
import { onEachDatabase } from '../../support/each-database.ts';
import type { TestService } from '../../support/running-service.ts';
import { type Ending, sendBody } from '../../support/sends.ts';
import { makeTestTime, type TestTime } from '../../support/test-time.ts';

const hour = 3_600_000;
const { passcodeFailures, messagesPerDestination, resendCooldownsMs } = productionLimits;
const plenty = { points: 1000, seconds: 600 };

onEachDatabase('how often passcodes may be sent and tried', (startTestService) => {
  let time: TestTime;
  let service: TestService;
  const start = async (limits: object) => {
    time = makeTestTime();
    service = await startTestService({ clock: time.clock, alarm: time.alarm, limits });
  };
  afterEach(() => service.close());

  const advance = (milliseconds: number) => time.advance(milliseconds, () => service.running.settled());
  const attempt = (ending: Ending = '0102', headers: Record<string, string> = {}) =>
    service.call('POST', '/one-time-passcode/send', { body: sendBody('one-time-passcode', ending), headers });
  const send = async (ending: Ending = '0102') => {
    const { status, json, text } = await attempt(ending);
    assert.equal(status, 200, text);
    return { requestId: json.requestId as string, code: (await service.outbox())[0]?.code ?? '' };
  };
  const check = async (requestId: string, code: string): Promise<boolean> =>
    (await service.call('POST', '/one-time-passcode/check', { body: { requestId, code } })).json.codeMatch;
  const fail = async (times: number) => {
    for (let left = times; left > 0; left -= 5) {
      const { requestId, code } = await send();
      for (let tries = 0; tries < Math.min(5, left); tries += 1) assert.equal(await check(requestId, other(code)), false);
    }
  };
  const other = (code: string) => (code === '000000' ? '000001' : '000000');

  describe('by failures of a phone', () => {
    beforeEach(() => start({ passcodeFailures, messagesPerDestination: plenty }));

    it('stops comparing codes for the rest of the hour after twenty, even those sent before', async () => {
      const before = await send();
      await fail(20);
      assert.equal(await check(before.requestId, before.code), false);
      const refused = await attempt();
      assert.equal(refused.status, 429);
      assert.equal(refused.json.code, 'too_many_failures');
      assert.equal(Number(refused.headers['retry-after']), 3600);
      await advance(hour);
      const after = await send();
      assert.equal(await check(after.requestId, after.code), true);
    });

    it('locks the phone for the session after fifty, over new codes, hours and a restart, until a day has passed', async () => {
      await fail(20);
      await advance(hour);
      await fail(20);
      await advance(hour);
      const before = await send();
      await fail(10);
      await service.restart();
      assert.equal(await check(before.requestId, before.code), false);
      await advance(20 * hour);
      const refused = await attempt();
      assert.equal(refused.status, 409);
      assert.equal(refused.json.code, 'phone_locked');
      assert.equal((await service.outbox()).length, 11, 'nothing more was sent');
      await advance(2 * hour);
      assert.equal((await attempt()).status, 200);
    });

    it('begins anew after a code that was right', async () => {
      for (let round = 0; round < 4; round += 1) {
        await fail(19);
        const { requestId, code } = await send();
        assert.equal(await check(requestId, code), true);
      }
    });

    it('does not affect another phone', async () => {
      await fail(20);
      const { requestId, code } = await send('0101');
      assert.equal(await check(requestId, code), true);
    });

    it('ends a request whose checks are used up, compared or not', async () => {
      const before = await send();
      await fail(20);
      for (let tries = 0; tries < 5; tries += 1) await check(before.requestId, before.code);
      assert.equal((await service.call('GET', `/results/${before.requestId}`)).json.status, 'failure');
    });
  });

  it('compares and counts five of two hundred checks at once', async () => {
    await start({ passcodeFailures: { anHour: 6, untilLocked: 6 }, messagesPerDestination: plenty });
    const { requestId, code } = await send();
    await Promise.all(Array.from({ length: 200 }, () => check(requestId, other(code))));
    assert.equal((await service.call('GET', `/results/${requestId}`)).json.status, 'failure');
    const next = await send();
    assert.equal(await check(next.requestId, next.code), true);
  });

  describe('by messages to a phone', () => {
    beforeEach(() => start({ messagesPerDestination, resendCooldownsMs }));

    it('sends five in ten minutes, and says when the next is possible', async () => {
      const replies = await Promise.all(Array.from({ length: 20 }, () => attempt()));
      assert.equal(replies.filter(({ status }) => status === 200).length, 5);
      const refused = replies.find(({ status }) => status === 429);
      assert.equal(refused?.json.code, 'rate_limited');
      assert.equal(refused?.headers['ratelimit-limit'], '5');
      assert.equal(Number(refused?.headers['retry-after']), 600);
      assert.equal((await service.outbox()).length, 5);
      assert.equal((await attempt('0101')).status, 200, 'another phone');
      await service.restart();
      await advance(600_000 - 1);
      assert.equal((await attempt()).status, 429);
      await advance(1);
      assert.equal((await attempt()).status, 200);
    });

    it('stores nothing of a send that it refused, not even its key', async () => {
      for (let times = 0; times < 5; times += 1) await send();
      const headers = { 'idempotency-key': 'key-0001' };
      assert.equal((await attempt('0102', headers)).status, 429);
      await advance(600_000);
      assert.equal((await attempt('0102', headers)).status, 200);
      assert.equal((await service.outbox()).length, 6);
    });

    it('waits 30, 60 and 120 seconds before it sends again, and kills the code before', async () => {
      const { requestId, code } = await send();
      let latest = code;
      for (const seconds of [30, 60, 120, 120]) {
        await advance(seconds * 1000 - 1);
        const early = await service.call('POST', `/requests/${requestId}/resend`);
        assert.equal(early.status, 429);
        assert.equal(early.json.code, 'cooldown');
        await advance(1);
        assert.equal((await service.call('POST', `/requests/${requestId}/resend`)).status, 200);
        const fresh = (await service.outbox())[0]?.code ?? '';
        if (fresh !== latest) assert.equal(await check(requestId, latest), false);
        latest = fresh;
      }
      assert.equal((await service.call('POST', `/requests/${requestId}/resend`)).status, 429);
      await advance(120_000);
      const sixth = await service.call('POST', `/requests/${requestId}/resend`);
      assert.equal(sixth.json.code, 'rate_limited', 'a sixth message within ten minutes');
      assert.equal(await check(requestId, latest), true);
    });
  });
});
