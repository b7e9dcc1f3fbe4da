import assert from 'node:assert/strict';
import { request } from 'undici';
import { readSettings } from '../../src/compose/start/settings.ts';
import { type OpenTelemetry, openTelemetry } from '../../src/compose/start/telemetry.ts';
import { openWorld } from '../support/hubs.ts';
import { type BotUnderTest, startBot } from '../support/running-bot.ts';
import { talkTo } from '../support/talk.ts';
import { until } from '../support/until.ts';
import { startWhole, type Whole } from '../support/whole.ts';

const token = 'a-token-of-at-least-32-characters';

describe('GET /metrics', () => {
  let telemetry: OpenTelemetry;
  let whole: Whole | undefined;
  let bot: BotUnderTest | undefined;
  beforeEach(async () => {
    telemetry = await openTelemetry(readSettings({}), (fault) => assert.fail(String(fault)));
  });
  afterEach(async () => {
    await whole?.close();
    await bot?.close();
    whole = bot = undefined;
  });
  /** A bot that everybody can reach: it has an app id. */
  const startPublic = (secret: string | undefined) =>
    startBot(async () => {}, {
      identity: { MicrosoftAppId: '6f1c0000-0000-4000-8000-000000000001', MicrosoftAppPassword: 'secret' },
      metrics: { metrics: telemetry, token: secret },
    });
  const get = async (headers: Record<string, string> = {}) => {
    const {
      statusCode,
      headers: answered,
      body,
    } = await request(`${bot?.base ?? `http://127.0.0.1:${whole?.bot().port}`}/metrics`, { headers });
    return { status: statusCode, headers: answered, text: await body.text() };
  };

  it('counts the events that a hub will never get', async () => {
    const world = await openWorld('webhook', {}, { telemetry: () => telemetry });
    try {
      await world.talk.say('agent');
      await until(() => world.events('requested').length === 1, 'the request');
      await world.accept();
      world.platform.answer = 410;
      await world.talk.say('my house is on fire');
      const counted = /^countersign_hub_events_given_up_total\{hub="webhook",event="message"\} 1$/m;
      await until(async () => counted.test((await telemetry.expose())?.body ?? ''), 'the number');
    } finally {
      await world.close();
    }
  });

  it('reports what happened, as numbers with units', async () => {
    whole = await startWhole({ telemetry: () => telemetry });
    const talk = await talkTo(whole);
    await talk.say('I want to pay my bill');
    await talk.say('+12025550112');
    await talk.say('1');
    await talk.asks();
    await until(() => whole?.lines.some((line) => line.includes('the socket is up')));
    const { headers, text: before } = await get();
    assert.match(String(headers['content-type']), /^text\/plain; version=0\.0\.4/);
    assert.match(before, /^countersign_interactions_waiting 1$/m);
    assert.match(before, /^countersign_lease_held 1$/m);
    assert.match(before, /^countersign_sockets\{state="up"\} 1$/m);

    await talk.outcome();
    await until(() => whole?.lines.some((line) => line.includes('an outcome was delivered')));
    const { text } = await get();
    const table = [
      /^countersign_interactions_ended_total\{app="payments",ending="timeout"\} 1$/m,
      /^countersign_interactions_waiting 0$/m,
      /^countersign_sockets\{state="up"\} 0$/m,
      /^countersign_outcome_latency_seconds_count\{app="payments"\} 1$/m,
      /^countersign_outcome_latency_seconds_bucket\{le="5",app="payments"\} 1$/m,
      /^countersign_service_calls_total\{operation="payments\.send",status="ok"\} 1$/m,
      /^countersign_service_call_duration_seconds_count\{operation="payments\.bootstrap"\} 1$/m,
      /^countersign_turn_duration_seconds_count\{kind="message",ending="ok"\} 3$/m,
      /^countersign_turn_duration_seconds_count\{kind="outcome",ending="ok"\} 1$/m,
      /^countersign_turn_lock_wait_seconds_count\{ending="ok"\} \d+$/m,
      /^nodejs_eventloop_lag_p99_seconds [\d.e-]+$/m,
    ];
    for (const line of table) assert.match(text, line);
  });

  it('counts calls that the service refuses, by status', async () => {
    whole = await startWhole({ telemetry: () => telemetry });
    whole.proxy.refuse(/bootstrap/, 401);
    const talk = await talkTo(whole);
    await talk.say('I want to pay my bill');
    await talk.say('+12025550102');
    const { text } = await get();
    assert.match(text, /^countersign_service_calls_total\{operation="payments\.bootstrap",status="401"\} 1$/m);
  });

  describe('without a token', () => {
    const handedOn = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'x-forwarded-host', 'cf-connecting-ip', 'x-forwarded-proto'];
    for (const header of handedOn) {
      it(`does not exist for a request through a proxy, with ${header}`, async () => {
        bot = await startPublic(undefined);
        assert.equal((await get({ [header]: '203.0.113.7' })).status, 404);
        assert.equal((await get()).status, 200);
      });
    }

    it('does not exist under another host name than this machine’s', async () => {
      bot = await startPublic(undefined);
      assert.equal((await get({ host: 'chat.example.com' })).status, 404);
    });

    it('does not exist if nothing is counted', async () => {
      whole = await startWhole();
      assert.equal((await get()).status, 404);
    });
  });

  describe('with a token', () => {
    const table: [what: string, headers: Record<string, string>, status: number][] = [
      ['the token', { authorization: `Bearer ${token}` }, 200],
      ['the token, handed on by a proxy', { authorization: `bearer ${token}`, 'x-forwarded-for': '203.0.113.7' }, 200],
      ['none', {}, 401],
      ['another', { authorization: `Bearer ${token}x` }, 401],
      ['another way of signing in', { authorization: `Basic ${token}` }, 401],
      ['no more than its beginning', { authorization: `Bearer ${token.slice(0, 8)}` }, 401],
    ];
    for (const [what, headers, status] of table) {
      it(`answers ${what} with ${status}`, async () => {
        bot = await startPublic(token);
        const answer = await get(headers);
        assert.equal(answer.status, status);
        if (status === 401) assert.equal(answer.headers['www-authenticate'], 'Bearer');
      });
    }
  });
});
