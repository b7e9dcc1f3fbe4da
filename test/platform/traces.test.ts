import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { readSettings } from '../../src/compose/start/settings.ts';
import { openTelemetry } from '../../src/compose/start/telemetry.ts';
import { makeLog } from '../../src/platform/log.ts';
import type { Vocabulary } from '../../src/platform/telemetry.ts';
import { openTraces, type Traces } from '../../src/platform/traces.ts';
import { type CollectedSpan, type Collector, startCollector } from '../support/collector.ts';

const program = { name: 'countersign', version: '1.2.3' };
const vocabulary: Vocabulary = {
  app: ['payments'],
  channel: ['directline'],
  ending: [],
  hub: [],
  kind: [],
  operation: [],
  reason: ['lost'],
  state: [],
  status: ['ok'],
  event: [],
  flow: [],
  step: [],
  outcome: [],
  value: [],
  way: [],
};

describe('traces', () => {
  let collector: Collector;
  let traces: Traces;
  const lost: unknown[] = [];
  beforeEach(async () => {
    collector = await startCollector();
    lost.length = 0;
    traces = openTraces({
      endpoint: `${collector.endpoint}/`,
      program,
      serviceName: 'test',
      vocabulary,
      onLost: (fault) => lost.push(fault),
    });
  });
  afterEach(async () => {
    await traces.close();
    await collector.close();
  });
  /** The spans by name, once all have been sent. */
  const sent = async (): Promise<Record<string, CollectedSpan>> => {
    await traces.close();
    return Object.fromEntries(collector.spans.map((span) => [span.name, span]));
  };

  it('name the process by OpenTelemetry’s standard variables', async () => {
    process.env.OTEL_RESOURCE_ATTRIBUTES = 'deployment.environment=staging,service.name=attributes';
    const resource = async (serviceName?: string) => {
      const one = openTraces({
        endpoint: collector.endpoint,
        program,
        serviceName,
        vocabulary,
        onLost: (fault) => assert.fail(String(fault)),
      });
      await one.span('turn', {}, async () => {});
      await one.close();
      const { attributes } = JSON.parse(collector.bodies.at(-1) ?? '').resourceSpans[0].resource;
      return Object.fromEntries(attributes.map(({ key, value }: { key: string; value: object }) => [key, Object.values(value)[0]]));
    };
    try {
      const named = await resource('own');
      assert.deepEqual([named['service.name'], named['deployment.environment']], ['own', 'staging']);
      assert.match(named['service.version'], /^\d+\.\d+\.\d+/);
      assert.ok(named['service.instance.id']);
      assert.equal((await resource())['service.name'], 'attributes');
    } finally {
      delete process.env.OTEL_RESOURCE_ATTRIBUTES;
    }
    assert.equal((await resource())['service.name'], 'countersign');
  });

  for (const [sampler, share, names] of [
    ['always_off', undefined, []],
    ['parentbased_traceidratio', 0, []],
    ['traceidratio', 1, ['turn']],
    ['always_on', undefined, ['turn']],
  ] as const)
    it(`are sampled as OTEL_TRACES_SAMPLER says: ${sampler} ${share ?? ''}`, async () => {
      const one = openTraces({
        endpoint: collector.endpoint,
        program,
        sampler,
        share,
        vocabulary,
        onLost: (fault) => assert.fail(String(fault)),
      });
      await one.span('turn', {}, async () => {});
      await one.close();
      assert.deepEqual(
        collector.spans.map(({ name }) => name),
        names,
      );
    });

  it('are not made where OTEL_SDK_DISABLED says so', async () => {
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_SDK_DISABLED: 'true' };
    const telemetry = await openTelemetry(readSettings(settings), (fault) => assert.fail(String(fault)));
    await telemetry.span('turn', {}, async () => {});
    await telemetry.close();
    assert.deepEqual(collector.spans, []);
  });

  it('nest like the work, also in the background', async () => {
    let later: Promise<unknown> | undefined;
    await traces.span('turn', { channel: 'directline' }, async () => {
      await setImmediate();
      await traces.span('send', { app: 'payments' }, async () => traces.note({ status: 'ok' }), { kind: 'client' });
      later = setImmediate().then(() => traces.span('watch', {}, async () => traces.mark('socket down', { reason: 'lost' })));
    });
    await later;
    const { turn, send, watch } = await sent();
    assert.deepEqual([turn?.parentSpanId, send?.parentSpanId, watch?.parentSpanId], [undefined, turn?.spanId, turn?.spanId]);
    assert.equal(new Set([turn?.traceId, send?.traceId, watch?.traceId]).size, 1);
    assert.deepEqual(send?.attributes, { 'countersign.app': 'payments', 'countersign.status': 'ok' });
    assert.deepEqual(watch?.events, [{ name: 'socket down', attributes: { 'countersign.reason': 'lost' } }]);
    assert.equal(collector.headers[0]?.path, '/v1/traces');
  });

  it('are continued from their stored context, not from the running code’s', async () => {
    const kept = await traces.span('first', {}, async () => traces.traceparent());
    assert.match(kept ?? '', /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    await traces.span('elsewhere', {}, () => traces.span('second', {}, async () => {}, { from: kept }));
    const { first, second, elsewhere } = await sent();
    assert.deepEqual([second?.traceId, second?.parentSpanId], [first?.traceId, first?.spanId]);
    assert.notEqual(elsewhere?.traceId, first?.traceId);
  });

  for (const nonsense of ['', 'x', '00-00000000000000000000000000000000-0000000000000000-01', '00-abc-def-01'])
    it(`begin anew where “${nonsense}” was kept`, async () => {
      await traces.span('turn', {}, async () => {}, { from: nonsense });
      const { turn } = await sent();
      assert.match(turn?.traceId ?? '', /^[0-9a-f]{32}$/);
      assert.equal(turn?.parentSpanId, undefined);
    });

  it('record a fault by its class, without its message', async () => {
    await assert.rejects(
      traces.span('turn', { app: '+12025550101', channel: 'Jane' }, () => Promise.reject(new RangeError('Jane has +12025550101'))),
      RangeError,
    );
    const { turn } = await sent();
    assert.equal(turn?.failed, true);
    assert.deepEqual(turn?.attributes, { 'countersign.app': 'other', 'countersign.channel': 'other', 'error.type': 'RangeError' });
    assert.doesNotMatch(collector.bodies.join(''), /Jane|2025550101/);
  });

  it('are named in every log line that is written within them, and in no other', async () => {
    const lines: Record<string, unknown>[] = [];
    const log = makeLog('info', { write: (line) => void lines.push(JSON.parse(line)) }, traces.traceId);
    log.info({}, 'before');
    const id = await traces.span('turn', {}, async () => {
      await setImmediate();
      log.child({ component: 'x' }).info({}, 'within');
      return traces.traceId();
    });
    assert.match(id ?? '', /^[0-9a-f]{32}$/);
    assert.deepEqual(
      lines.map(({ msg, trace_id }) => [msg, trace_id]),
      [
        ['before', undefined],
        ['within', id],
      ],
    );
  });

  it('log when the collector refuses them, and continue', async () => {
    collector.answer(400);
    assert.equal(await traces.span('turn', {}, async () => 7), 7);
    await traces.close();
    assert.equal(lost.length, 1);
  });

  it('delay a stop only briefly if the collector is unreachable', async () => {
    await collector.close();
    await traces.span('turn', {}, async () => {});
    const start = performance.now();
    await traces.close(300);
    assert.ok(performance.now() - start < 2000);
  });
});
