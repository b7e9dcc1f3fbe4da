import assert from 'node:assert/strict';
import { resultRecords } from '../../../src/contract/index.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { productionLimits } from '../../../src/service/core/limits/limits.ts';
import { type Deviation, makeAuthenticator, type TestAuthenticator } from '../../support/authenticator.ts';
import { onEachDatabase } from '../../support/each-database.ts';
import { newestCode, openPasskeyPage, proofIn } from '../../support/passkey-page.ts';
import type { TestService } from '../../support/running-service.ts';
import { type Ending, sendBody } from '../../support/sends.ts';
import { makeTestTime, type TestTime } from '../../support/test-time.ts';

onEachDatabase('passkeys', (startTestService) => {
  let time: TestTime;
  let service: TestService;
  let device: TestAuthenticator;
  const lines: string[] = [];
  beforeEach(async () => {
    time = makeTestTime();
    lines.length = 0;
    const log = makeLog('debug', { write: (line) => void lines.push(line) });
    const { resendCooldownsMs, passcodeFailures } = productionLimits;
    service = await startTestService({ clock: time.clock, alarm: time.alarm, log, limits: { resendCooldownsMs, passcodeFailures } });
    device = makeAuthenticator(`http://localhost:${service.running.port}`);
  });
  afterEach(() => service.close());

  const start = async (ending: Ending = '0102', change: object = {}) => {
    const { status, json, text } = await service.call('POST', '/passkeys/send', { body: { ...sendBody('passkeys', ending), ...change } });
    assert.equal(status, 200, text);
    const [message] = await service.outbox();
    return { requestId: json.requestId as string, link: message?.link ?? '', page: openPasskeyPage(service, message?.link ?? '') };
  };
  const result = async (id: string) => service.call('GET', `/results/${id}`);
  const events = async (id: string) =>
    ((await service.call('GET', `/requests/${id}`)).json.events as { type: string }[]).map(({ type }) => type);
  const bootstrap = async (phoneNumber: string) =>
    (await service.call('POST', '/passkeys/bootstrap', { body: { phoneNumber, sessionRef: 'session-0001' } })).json;
  const enrolled = async (ending: Ending = '0102') => {
    const { page } = await start(ending);
    assert.equal((await page.enrol(device)).status, 200);
    assert.equal((await page.authenticate(device)).status, 200);
  };

  it('are set up after a passcode to the phone, and confirm at once who the customer is', async () => {
    const first = await start('0101', { customerRef: 'cust-0101-jordan' });
    const { text } = await service.open('GET', first.link);
    assert.match(text, /Set up a passkey/);
    assert.doesNotMatch(text, /You are signing in/, 'a customer without a passkey did not ask to use one');
    assert.match((await first.page.enrol(device)).text, /Your passkey is ready.*Use my passkey/s);
    assert.equal((await result(first.requestId)).status, 404, 'having a passkey made confirms nothing');
    assert.match((await first.page.authenticate(device)).text, /You confirmed that it is you/);
    const { json } = await result(first.requestId);
    assert.equal(resultRecords.passkeys.parse(json).action, 'authentication');
    const [sent, ...after] = await events(first.requestId);
    assert.equal(sent, 'task.sent', 'the code is not announced as the request was');
    assert.deepEqual(after, ['task.bootstrapped', 'task.started', 'biometrics.consent', 'task.succeeded']);

    await time.advance(60_000, () => service.running.settled());
    const second = await start('0101', { customerRef: 'cust-0101-jordan' });
    assert.match((await service.open('GET', second.link)).text, /Use my passkey/);
    assert.match((await second.page.authenticate(device)).text, /You confirmed that it is you/);
    assert.equal((await result(second.requestId)).json.action, 'authentication');
    const { customers, authentication } = await bootstrap('+12025550101');
    assert.deepEqual(
      customers.map(({ isEnrolled }: { isEnrolled: boolean }) => isEnrolled),
      [true, true],
    );
    assert.deepEqual(authentication, {
      id: second.requestId,
      customerRef: 'cust-0101-jordan',
      phoneNumber: '+12025550101',
      timestamp: new Date(time.clock.now()).toISOString(),
    });
  });

  it('are requested and created by the rules', async () => {
    const { page } = await start();
    const creation = (await page.begin('enrol', await page.prove())).json;
    assert.deepEqual(
      creation.pubKeyCredParams.map(({ alg }: { alg: number }) => alg),
      [-8, -7, -257],
    );
    assert.equal(creation.authenticatorSelection.userVerification, 'required');
    assert.equal(creation.authenticatorSelection.residentKey, 'required');
    assert.equal(creation.attestation, 'none');
    assert.equal(creation.rp.id, 'localhost');
    assert.equal(Buffer.from(creation.user.id, 'base64url').length, 64);
    assert.ok(!Buffer.from(creation.user.id, 'base64url').toString().includes('mei'));
    const request = (await page.begin('authenticate')).json;
    assert.equal(request.userVerification, 'required');
    assert.equal(request.allowCredentials, undefined, 'a link tells of no passkey');
    for (const { challenge } of [creation, request]) assert.ok(Buffer.from(challenge, 'base64url').length >= 16);
    assert.notEqual(creation.challenge, request.challenge);
  });

  it('keep one name for a customer, whatever device they use', async () => {
    const one = await start();
    const first = (await one.page.begin('enrol', await one.page.prove())).json;
    const two = await start();
    const second = (await two.page.begin('enrol', await two.page.prove())).json;
    assert.equal(first.user.id, second.user.id);
  });

  describe('are not created', () => {
    it('by the link alone', async () => {
      const { page, requestId } = await start();
      for (const proof of [undefined, '', 'x'.repeat(32)]) {
        const reply = await page.begin('enrol', proof);
        assert.equal(reply.status, 403);
        assert.equal(reply.json.code, 'not_proven');
      }
      const challenge = (await page.begin('authenticate')).json;
      const options = { ...challenge, rp: { id: 'localhost' }, user: { id: 'AAAA' } };
      const reply = await page.post({ decision: 'enrol', proof: 'x'.repeat(32), answer: device.create(options) });
      assert.equal(reply.status, 422);
      assert.equal((await result(requestId)).status, 404);
    });

    it('by a page other than the one that proved the phone', async () => {
      const { page } = await start();
      await page.prove();
      assert.equal((await page.begin('enrol', 'y'.repeat(32))).status, 403);
    });

    it('twice with one proof', async () => {
      const { page } = await start();
      const proof = await page.prove();
      const [one, two] = [(await page.begin('enrol', proof)).json, (await page.begin('enrol', proof)).json];
      const replies = await Promise.all(
        [one, two].map((options) => page.post({ decision: 'enrol', proof, answer: makeAuthenticator(originOf()).create(options) })),
      );
      assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    });

    it('for a request that was withdrawn or has expired meanwhile', async () => {
      const ends: [string, (id: string) => Promise<unknown>][] = [
        ['withdrawn', (id) => service.call('POST', `/requests/${id}/cancel`)],
        ['expired', () => time.advance(11 * 60_000, () => service.running.settled())],
      ];
      for (const [how, end] of ends) {
        const { page, requestId } = await start();
        const proof = await page.prove();
        const { json } = await page.begin('enrol', proof);
        await end(requestId);
        assert.equal((await page.post({ decision: 'enrol', proof, answer: device.create(json) })).status, 410, how);
        const { customers } = await bootstrap('+12025550102');
        assert.deepEqual(customers, [{ ...customers[0], isEnrolled: true }], 'as the table of test numbers has it');
        assert.match((await service.open('GET', (await start()).link)).text, /Set up a passkey/, how);
        await time.advance(60_000, () => service.running.settled());
      }
    });

    it('after ten minutes', async () => {
      const limits = { expiryMs: { ...productionLimits.expiryMs, passkeys: 3_600_000 } };
      const patient = await startTestService({ clock: time.clock, alarm: time.alarm, limits });
      try {
        await patient.call('POST', '/passkeys/send', { body: sendBody('passkeys') });
        const page = openPasskeyPage(patient, (await patient.outbox())[0]?.link ?? '');
        const proof = await page.prove();
        await time.advance(10 * 60_000, () => patient.running.settled());
        assert.equal((await page.begin('enrol', proof)).status, 403);
      } finally {
        await patient.close();
      }
    });

    const codes: [string, (code: string) => string, RegExp][] = [
      ['a wrong code', (code) => (code === '000000' ? '000001' : '000000'), /That is not the code we sent/],
      ['no code', () => '', /The code has six digits/],
      ['one digit', () => '1', /The code has six digits/],
      ['a digit too many', (code) => `${code}0`, /The code has six digits/],
      ['a text', () => 'let me in', /The code has six digits/],
    ];
    for (const [what, change, told] of codes) {
      it(`with ${what}`, async () => {
        const { page } = await start();
        await page.post({ decision: 'code' });
        const reply = await page.post({ decision: 'verify', code: change(await newestCode(service)) });
        assert.equal(reply.status, 422);
        assert.match(reply.text, told);
        assert.equal(proofIn(reply), '');
      });
    }
  });

  describe('prove the phone by a code that', () => {
    it('is understood with spaces, works once, and comes with the line that binds it to this host', async () => {
      const { page } = await start();
      await page.post({ decision: 'code' });
      const [message] = await service.outbox();
      const code = message?.code ?? '';
      assert.equal(message?.text.split('\n').at(-1), `@localhost #${code}`);
      const spaced = `${code.slice(0, 3)} ${code.slice(3)}`;
      assert.notEqual(proofIn(await page.post({ decision: 'verify', code: spaced })), '');
      assert.match((await page.post({ decision: 'verify', code })).text, /does not work any more/);
    });

    it('is dead after five checks, and not sent again before its time', async () => {
      const { page } = await start();
      await page.post({ decision: 'code' });
      const code = await newestCode(service);
      const wrong = code === '000000' ? '000001' : '000000';
      for (let tries = 0; tries < 4; tries += 1) assert.match((await page.post({ decision: 'verify', code: wrong })).text, /not the code/);
      assert.match((await page.post({ decision: 'verify', code: wrong })).text, /does not work any more/);
      assert.match((await page.post({ decision: 'verify', code })).text, /does not work any more/);
      assert.match((await page.post({ decision: 'code' })).text, /a moment ago/);
      await time.advance(30_000, () => service.running.settled());
      assert.notEqual(await page.prove(), '');
    });

    it('still works after many inputs that cannot be codes', async () => {
      const { page } = await start();
      await page.post({ decision: 'code' });
      for (let tries = 0; tries < 10; tries += 1) assert.match((await page.post({ decision: 'verify', code: '1' })).text, /six digits/);
      assert.notEqual(proofIn(await page.post({ decision: 'verify', code: await newestCode(service) })), '');
    });

    it('is invalid once another was sent', async () => {
      const { page } = await start();
      await page.post({ decision: 'code' });
      const before = await newestCode(service);
      await time.advance(30_000, () => service.running.settled());
      await page.post({ decision: 'code' });
      if ((await newestCode(service)) !== before) {
        assert.match((await page.post({ decision: 'verify', code: before })).text, /not the code/);
      }
      assert.deepEqual(
        (await service.outbox()).map(({ state }) => state),
        ['pending', 'replaced', 'pending'],
      );
    });

    it('counts against the phone like any other', async () => {
      for (let round = 0; round < 4; round += 1) {
        const { page } = await start();
        await page.post({ decision: 'code' });
        const code = await newestCode(service);
        for (let tries = 0; tries < 5; tries += 1) await page.post({ decision: 'verify', code: code === '000000' ? '000001' : '000000' });
      }
      const { page } = await start();
      assert.match((await page.post({ decision: 'code' })).text, /Too many wrong codes/);
    });

    it('can be requested again after a sign-in with a passkey', async () => {
      await enrolled();
      for (let round = 0; round < 4; round += 1) {
        const { json } = await service.call('POST', '/one-time-passcode/send', { body: sendBody('one-time-passcode') });
        const body = { requestId: json.requestId, code: (await newestCode(service)) === '000000' ? '000001' : '000000' };
        for (let tries = 0; tries < 5; tries += 1) await service.call('POST', '/one-time-passcode/check', { body });
      }
      assert.equal((await service.call('POST', '/one-time-passcode/send', { body: sendBody('one-time-passcode') })).status, 429);
      await (await start()).page.authenticate(device);
      assert.equal((await service.call('POST', '/one-time-passcode/send', { body: sendBody('one-time-passcode') })).status, 200);
    });

    it('can be replaced by a passkey from another device', async () => {
      await enrolled();
      const { page, requestId } = await start();
      assert.match((await page.post({ decision: 'setup' })).text, /Use a passkey from another device/);
      const { json } = await page.begin('prove');
      const proof = proofIn(await page.post({ decision: 'prove', answer: device.get(json) }));
      const another = makeAuthenticator(originOf());
      const options = (await page.begin('enrol', proof)).json;
      assert.equal(options.excludeCredentials.length, 1, 'the one there is need not be made again');
      assert.equal((await page.post({ decision: 'enrol', proof, answer: another.create(options) })).status, 200);
      assert.equal((await result(requestId)).status, 404);
      assert.equal((await page.authenticate(another)).status, 200);
    });
  });

  describe('refuse', () => {
    const deviations: [string, Deviation][] = [
      ['another origin', { origin: 'http://localhost:1' }],
      ['a phishing site', { origin: 'https://evil.example' }],
      ['another relying party', { rpId: 'evil.example' }],
      ['a user who was not verified', { userVerified: false }],
      ['a user who was not there', { userPresent: false }],
      ['a challenge of its own', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
      ['an answer to another question', { type: 'webauthn.create' }],
      ['a forged signature', { forged: true }],
      ['no user handle', { userHandle: undefined }],
      ['the user handle of another', { userHandle: 'AAAA' }],
    ];
    for (const [what, deviation] of deviations) {
      it(`a sign-in with ${what}, and let the customer try again`, async () => {
        await enrolled();
        const { page, requestId } = await start();
        const { json } = await page.begin('authenticate');
        const reply = await page.post({ decision: 'authenticate', answer: device.get(json, deviation) });
        assert.equal(reply.status, 422, reply.text);
        assert.equal((await result(requestId)).status, 404);
        assert.equal((await page.authenticate(device)).status, 200);
      });
    }

    for (const [what, deviation] of deviations.filter(([, { forged, ...rest }]) => !forged && !('userHandle' in rest))) {
      const other = deviation.type ? { type: 'webauthn.get' } : deviation;
      it(`a new passkey with ${what}`, async () => {
        const { page, requestId } = await start();
        const proof = await page.prove();
        const { json } = await page.begin('enrol', proof);
        const reply = await page.post({ decision: 'enrol', proof, answer: device.create(json, other) });
        assert.equal(reply.status, 422);
        assert.equal((await result(requestId)).status, 404);
        const again = (await page.begin('enrol', proof)).json;
        assert.equal((await page.post({ decision: 'enrol', proof, answer: device.create(again) })).status, 200);
      });
    }

    it('the passkey of another customer', async () => {
      await enrolled('0101');
      const { page, requestId } = await start('0102');
      const { json } = await page.begin('authenticate');
      const reply = await page.post({ decision: 'authenticate', answer: device.get(json) });
      assert.equal(reply.status, 422);
      assert.match(reply.text, /belongs to somebody else/);
      assert.equal((await result(requestId)).status, 404);
      assert.ok(lines.some((line) => line.includes('passkey_of_another')));
    });

    it('an answer that was used before, for this request or another', async () => {
      await enrolled();
      const { page } = await start();
      const { json } = await page.begin('authenticate');
      const answer = device.get(json);
      const other = await start();
      assert.equal((await other.page.post({ decision: 'authenticate', answer })).status, 422);
      const replies = await Promise.all(Array.from({ length: 20 }, () => page.post({ decision: 'authenticate', answer })));
      assert.equal(replies.filter(({ status }) => status === 200).length, 1);
      assert.equal((await result(other.requestId)).status, 404);
    });

    it('an answer for another purpose', async () => {
      await enrolled();
      const { page, requestId } = await start();
      const { json } = await page.begin('prove');
      assert.equal((await page.post({ decision: 'authenticate', answer: device.get(json) })).status, 422);
      assert.equal((await result(requestId)).status, 404);
    });

    it('an answer that took too long', async () => {
      await enrolled();
      const { page } = await start();
      const { json } = await page.begin('authenticate');
      await time.advance(productionLimits.passkeys.ceremonyMs + 10_000, () => service.running.settled());
      assert.match((await page.post({ decision: 'authenticate', answer: device.get(json) })).text, /took too long/);
    });

    for (const answer of ['', 'nothing', '{}', '[]', '{"id":"a"}', `{"id":"${'a'.repeat(9000)}"}`, 'null']) {
      it(`an answer like ${answer.slice(0, 12) || 'nothing at all'}, and keep running`, async () => {
        await enrolled();
        const { page, requestId } = await start();
        for (const decision of ['authenticate', 'prove', 'enrol', 'accept']) {
          const { status } = await page.post({ decision, answer });
          assert.ok(status === 422 || decision === 'accept', decision);
        }
        assert.equal((await result(requestId)).status, 404);
      });
    }

    it('more ceremonies than a customer needs', async () => {
      const { page } = await start();
      for (let times = 0; times < 10; times += 1) assert.equal((await page.begin('authenticate')).status, 200);
      const reply = await page.begin('authenticate');
      assert.equal(reply.status, 429);
      assert.equal(reply.json.code, 'too_many_ceremonies');
    });

    const bodies: [unknown, number][] = [
      [{}, 422],
      [{ purpose: 'anything' }, 422],
      [[], 422],
      ['{', 400],
      [{ purpose: 'enrol', proof: 'x'.repeat(5000) }, 413],
    ];
    for (const [body, status] of bodies) {
      it(`a start like ${JSON.stringify(body).slice(0, 30)} with ${status}`, async () => {
        const { link } = await start();
        assert.equal((await service.open('POST', `${link}/passkey`, { body })).status, status);
      });
    }

    it('a start from another site, for another app, or without a valid link', async () => {
      const { link } = await start();
      const headers = { 'sec-fetch-site': 'cross-site' };
      assert.equal((await service.open('POST', `${link}/passkey`, { body: { purpose: 'authenticate' }, headers })).status, 403);
      await service.call('POST', '/payments/send', { body: sendBody('payments') });
      const payment = (await service.outbox())[0]?.link ?? '';
      for (const address of [payment, '/r/unknown-unknown-unknown']) {
        assert.equal((await service.open('POST', `${address}/passkey`, { body: { purpose: 'authenticate' } })).status, 404);
      }
    });
  });

  describe('that exist twice', () => {
    it('raise an alarm, fail, and are revoked', async () => {
      await enrolled();
      const thief = device.copy();
      await (await start()).page.authenticate(device);
      const { page, requestId } = await start();
      assert.match((await page.authenticate(thief)).text, /This passkey cannot be trusted/);
      assert.equal((await result(requestId)).json.status, 'failure');
      assert.equal(lines.filter((line) => line.includes('passkey_cloned') && line.includes(requestId)).length, 1);
      const next = await start();
      assert.match((await service.open('GET', next.link)).text, /Set up a passkey/);
      const { json } = await next.page.begin('authenticate');
      assert.equal((await next.page.post({ decision: 'authenticate', answer: device.get(json) })).status, 422);
    });

    it('cannot be faked by somebody without the key', async () => {
      await enrolled();
      const { page } = await start();
      const { json } = await page.begin('authenticate');
      await page.post({ decision: 'authenticate', answer: device.copy().get(json, { counter: 1, forged: true }) });
      assert.ok(!lines.some((line) => line.includes('passkey_cloned')));
      assert.equal((await page.authenticate(device)).status, 200);
    });

    it('are not suspected if the authenticator has no counter', async () => {
      const first = await start();
      const proof = await first.page.prove();
      const { json } = await first.page.begin('enrol', proof);
      await first.page.post({ decision: 'enrol', proof, answer: device.create(json, { counter: 0 }) });
      for (let times = 0; times < 3; times += 1) assert.equal((await (await start()).page.authenticate(device)).status, 200);
    });
  });

  describe('that the customer cancelled', () => {
    it('are reported with one event each, and can be tried again', async () => {
      await enrolled();
      const { page, requestId } = await start();
      for (let times = 0; times < 2; times += 1) {
        const { json } = await page.begin('authenticate');
        for (let told = 0; told < 3; told += 1) assert.equal((await page.giveUp(json.challenge)).status, 204);
        const late = await page.post({ decision: 'authenticate', answer: device.get(json) });
        assert.equal(late.status, 422, 'its challenge is spent');
      }
      assert.equal((await events(requestId)).filter((type) => type === 'webauthn.timeout_or_cancelled').length, 2);
      await page.giveUp('made-up-made-up-made-up');
      assert.equal((await events(requestId)).filter((type) => type === 'webauthn.timeout_or_cancelled').length, 2);
      assert.equal((await page.authenticate(device)).status, 200);
    });
  });

  it('leave no secret and no personal data in the log', async () => {
    await enrolled();
    const log = lines.join('');
    for (const secret of ['2025550102', 'Mei', 'mei.tanaka', await newestCode(service)]) assert.ok(!log.includes(secret), secret);
  });

  it('are the only enrolments outside demo mode', async () => {
    const production = await startTestService({ demo: false, delivery: { deliver: async () => ({ accepted: true }) } });
    try {
      const { json } = await production.call('POST', '/passkeys/bootstrap', {
        body: { phoneNumber: '+12025550102', sessionRef: 'session-0001' },
      });
      assert.equal(json.customers[0].isEnrolled, false);
      assert.equal(json.authentication, null);
    } finally {
      await production.close();
    }
  });

  const originOf = () => `http://localhost:${service.running.port}`;
});
