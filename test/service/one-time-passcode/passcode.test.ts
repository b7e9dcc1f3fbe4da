import assert from 'node:assert/strict';
import { plainCode } from '../../../src/service/core/secrets/random.ts';
import { onEachDatabase } from '../../support/each-database.ts';
import type { TestService } from '../../support/running-service.ts';
import { sendBody } from '../../support/sends.ts';
import { makeTestTime, type TestTime } from '../../support/test-time.ts';

onEachDatabase('a passcode', (startTestService) => {
  let time: TestTime;
  let service: TestService;
  beforeEach(async () => {
    time = makeTestTime();
    service = await startTestService({ clock: time.clock, alarm: time.alarm });
  });
  afterEach(() => service.close());

  const advance = (milliseconds: number) => time.advance(milliseconds, () => service.running.settled());
  const send = async () => {
    const { json } = await service.call('POST', '/one-time-passcode/send', { body: sendBody('one-time-passcode') });
    const [message] = await service.outbox();
    return { requestId: json.requestId as string, code: message?.code ?? '', text: message?.text ?? '' };
  };
  const check = async (requestId: string, code: string) => {
    const { status, json } = await service.call('POST', '/one-time-passcode/check', { body: { requestId, code } });
    assert.equal(status, 200, JSON.stringify(json));
    return json.codeMatch as boolean;
  };
  const result = async (requestId: string) => (await service.call('GET', `/results/${requestId}`)).json.status;
  const other = (code: string) => (code === '000000' ? '000001' : '000000');

  it('has six digits and comes with the line that binds it to this host', async () => {
    const { code, text } = await send();
    assert.match(code, /^\d{6}$/);
    assert.equal(text.split('\n').at(-1), `@localhost #${code}`);
  });

  it('matches once and never again', async () => {
    const { requestId, code } = await send();
    assert.equal(await check(requestId, code), true);
    assert.equal(await check(requestId, code), false);
    assert.equal(await result(requestId), 'success');
  });

  it('matches one of fifty checks at once', async () => {
    const { requestId, code } = await send();
    const matches = await Promise.all(Array.from({ length: 50 }, () => check(requestId, code)));
    assert.equal(matches.filter(Boolean).length, 1);
    assert.equal(await result(requestId), 'success');
  });

  it('is void after five wrong checks, and its request fails', async () => {
    const { requestId, code } = await send();
    for (let times = 0; times < 4; times += 1) assert.equal(await check(requestId, other(code)), false);
    assert.equal(await result(requestId), 404, 'no result yet');
    assert.equal(await check(requestId, other(code)), false);
    assert.equal(await result(requestId), 'failure');
    assert.equal(await check(requestId, code), false);
  });

  it('still matches at the fifth check', async () => {
    const { requestId, code } = await send();
    for (let times = 0; times < 4; times += 1) await check(requestId, other(code));
    assert.equal(await check(requestId, code), true);
  });

  it('is valid for ten minutes', async () => {
    const first = await send();
    await advance(10 * 60_000 - 1);
    assert.equal(await check(first.requestId, first.code), true);
    const second = await send();
    await advance(10 * 60_000);
    assert.equal(await check(second.requestId, second.code), false);
    assert.equal(await result(second.requestId), 'timeout');
  });

  it('belongs to its own request', async () => {
    const first = await send();
    const second = await send();
    if (first.code !== second.code) assert.equal(await check(first.requestId, second.code), false);
    assert.equal(await check('01ARZ3NDEKTSV4RRFFQ69G5FAV', first.code), false);
  });

  it('is replaced by a new one when it is sent again, with five new checks and ten new minutes', async () => {
    const { requestId, code } = await send();
    for (let times = 0; times < 4; times += 1) await check(requestId, other(code));
    await advance(9 * 60_000);
    assert.equal((await service.call('POST', `/requests/${requestId}/resend`)).status, 200);
    const [message] = await service.outbox();
    const fresh = message?.code ?? '';
    if (fresh !== code) assert.equal(await check(requestId, code), false);
    await advance(9 * 60_000);
    assert.equal(await check(requestId, fresh), true);
  });

  it('is not matched by the code of another app', async () => {
    const { json } = await service.call('POST', '/payments/send', { body: sendBody('payments') });
    assert.equal(await check(json.requestId, '123456'), false);
  });

  it('is never stored in plain text', async () => {
    const { code } = await send();
    const { readFileSync, readdirSync } = await import('node:fs');
    for (const file of readdirSync(service.dataDir)) assert.ok(!readFileSync(`${service.dataDir}/${file}`).includes(code), file);
  });

  const typed: [string, string][] = [
    ['spaces', '12 34 56'],
    ['a hyphen', '123-456'],
    ['a dash', '123–456'],
    ['spaces around', ' 123456 '],
    ['full-width digits', '１２３４５６'],
    ['a no-break space', '123\u00a0456'],
  ];
  for (const [what, code] of typed) {
    it(`is understood with ${what}`, async () => {
      assert.equal(plainCode(code), '123456');
      const { json } = await service.call('POST', '/one-time-passcode/send', { body: sendBody('one-time-passcode', '0110') });
      assert.equal(await check(json.requestId, code), true);
    });
  }

  const bad: [string, object, string][] = [
    ['five digits', { code: '12345' }, 'code'],
    ['seven digits', { code: '1234567' }, 'code'],
    ['a number', { code: 123456 }, 'code'],
    ['no code', {}, 'code'],
    ['a request that is no ULID', { requestId: 'nothing', code: '123456' }, 'requestId'],
  ];
  for (const [what, change, at] of bad) {
    it(`is refused as ${what}`, async () => {
      const { requestId } = await send();
      const { status, json } = await service.call('POST', '/one-time-passcode/check', { body: { requestId, ...change } });
      assert.equal(status, 422);
      assert.equal(json.errors[0].path, at);
    });
  }
});
