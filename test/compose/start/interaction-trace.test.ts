import assert from 'node:assert/strict';
import { readSettings } from '../../../src/compose/start/settings.ts';
import { type OpenTelemetry, openTelemetry } from '../../../src/compose/start/telemetry.ts';
import { type CollectedSpan, type Collector, startCollector } from '../../support/collector.ts';
import { answer, newestLink } from '../../support/device.ts';
import { type Talk, talkTo } from '../../support/talk.ts';
import { until } from '../../support/until.ts';
import { startWhole, type Whole } from '../../support/whole.ts';

describe('the trace of an interaction', () => {
  let collector: Collector;
  let telemetry: OpenTelemetry;
  let whole: Whole;
  const open = () =>
    openTelemetry(readSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint }), (fault) => assert.fail(String(fault)));
  beforeEach(async () => {
    collector = await startCollector();
    telemetry = await open();
    whole = await startWhole({ telemetry: () => telemetry });
  });
  afterEach(async () => {
    await whole.close();
    await telemetry.close();
    await collector.close();
  });

  const pay = async (talk: Talk, number: string) => {
    await talk.say('I want to pay my bill');
    await talk.say(number);
    await talk.say('1');
  };
  /** The spans of the one trace that holds the send, once everything has been sent. */
  const traceOfSend = async (): Promise<CollectedSpan[]> => {
    await whole.stopBot();
    await telemetry.close();
    const sends = collector.spans.filter(({ name }) => name === 'payments.send');
    assert.equal(sends.length, 1);
    return collector.spans.filter(({ traceId }) => traceId === sends[0]?.traceId);
  };
  const parentOf = (spans: readonly CollectedSpan[], span: CollectedSpan | undefined) =>
    spans.find(({ spanId }) => spanId === span?.parentSpanId)?.name;

  it('goes from the chat turn through send, watch and the proactive turn, and reaches the service', async () => {
    const talk = await talkTo(whole);
    await pay(talk, '+12025550110');
    await talk.outcome();
    await until(() => whole.lines.some((line) => line.includes('an outcome was delivered')));
    const spans = await traceOfSend();
    const named = (name: string) => spans.find((span) => span.name === name);
    const proactive = spans.find(({ attributes }) => attributes['countersign.kind'] === 'outcome');
    const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined);
    assert.deepEqual(
      roots.map(({ name, attributes }) => [name, attributes['countersign.kind'], attributes['countersign.channel']]),
      [['turn', 'message', 'directline']],
    );
    assert.deepEqual(
      [named('send'), named('payments.send'), named('watch'), named('results.get'), named('deliver'), proactive].map((span) =>
        parentOf(spans, span),
      ),
      ['turn', 'send', 'turn', 'watch', 'turn', 'deliver'],
    );
    assert.deepEqual(named('deliver')?.attributes, { 'countersign.app': 'payments', 'countersign.ending': 'success' });
    assert.ok(named('watch')?.events.some(({ name }) => name === 'socket up'));
    assert.ok(named('watch')?.events.some(({ attributes }) => attributes['countersign.state'] === 'task.succeeded'));
    const [{ traceparent } = {}] = whole.proxy.headers(/payments\/send/);
    assert.equal(traceparent, `00-${named('payments.send')?.traceId}-${named('payments.send')?.spanId}-01`);
    const delivered = whole.lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'an outcome was delivered');
    assert.equal(delivered.trace_id, named('deliver')?.traceId);
  });

  it('is continued when the bot is started again meanwhile', async () => {
    const talk = await talkTo(whole);
    await pay(talk, '+12025550102');
    await whole.stopBot();
    await telemetry.close();
    telemetry = await open();
    await whole.startBot();
    await talk.reconnect();
    await answer(whole, await newestLink(whole), 'accept');
    await talk.outcome();
    await until(() => whole.lines.some((line) => line.includes('an outcome was delivered')));
    const spans = await traceOfSend();
    assert.equal(spans.filter(({ name }) => name === 'watch').length, 2);
    assert.equal(spans.filter(({ name }) => name === 'deliver').length, 1);
    assert.equal(spans.filter(({ attributes }) => attributes['countersign.kind'] === 'outcome').length, 1);
  });

  it('contains nothing about the customer, and no secrets', async () => {
    const talk = await talkTo(whole);
    await pay(talk, '+12025550110');
    await talk.outcome();
    await traceOfSend();
    const { body = '' } = (await telemetry.expose()) ?? {};
    const everything = [...collector.bodies, body].join('\n');
    assert.match(everything, /payments/);
    const shown = talk.messages().map(({ text }) => text);
    assert.ok(shown.length > 0);
    for (const canary of [
      /2025550110/,
      /bill/,
      /Electricity/,

      new RegExp(whole.service.secretKey),
      new RegExp(talk.chatter.conversationId),
    ])
      assert.doesNotMatch(everything.replaceAll(/\d{19}|[0-9a-f]{16,32}|\d+\.\d+|\d+e-\d+/g, ''), canary);
  });
});

describe('the trace of an interaction in the reference service', () => {
  it('goes on with its requests, which name the route and the status and nothing of a customer', async () => {
    const collector = await startCollector();
    const lost = (fault: unknown) => assert.fail(String(fault));
    const telemetry = await openTelemetry(readSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint }), lost);
    const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint };
    const whole = await startWhole({ telemetry: () => telemetry, service: { tracing } });
    try {
      const talk = await talkTo(whole);
      await talk.say('I want to pay my bill');
      await talk.say('+12025550110');
      await talk.say('1');
      await talk.outcome();
    } finally {
      await whole.close();
      await telemetry.close();
      await collector.close();
    }
    const sent = collector.spans.find(({ name }) => name === 'payments.send');
    const served = collector.spans.find(({ parentSpanId }) => sent !== undefined && parentSpanId === sent.spanId);
    assert.deepEqual(
      [served?.name, served?.kind, served?.attributes],
      ['request', 2, { 'countersign.operation': 'POST /payments/send', 'countersign.status': '200' }],
    );
    const ofService = collector.bodies.filter((body) => body.includes('countersign-service'));
    assert.ok(ofService.length > 0);
    assert.doesNotMatch(ofService.join('\n').replaceAll(/\d{19}|[0-9a-f]{16,32}/g, ''), /2025550110|bill|Electricity/);
  });
});
