import assert from 'node:assert/strict';
import { makeMetrics } from '../../src/platform/metrics.ts';
import { admitOnly, noTelemetry, type Vocabulary } from '../../src/platform/telemetry.ts';

const vocabulary: Vocabulary = {
  app: ['payments'],
  channel: ['directline'],
  ending: ['success'],
  event: [],
  flow: /^[a-z-]{1,8}$/,
  hub: [],
  kind: ['message'],
  operation: ['payments.send'],
  reason: ['lost'],
  state: ['up'],
  status: ['ok'],
  step: ['do.0'],
  outcome: ['success'],
  value: ['like'],
  way: ['success'],
};

describe('attributes of spans and metrics', () => {
  const table: [said: Record<string, string | undefined>, admitted: Record<string, string>][] = [
    [
      { app: 'payments', ending: 'success' },
      { app: 'payments', ending: 'success' },
    ],
    [{ app: '+12025550101' }, { app: 'other' }],
    [
      { flow: 'settle', step: 'do.0' },
      { flow: 'settle', step: 'do.0' },
    ],
    [
      { flow: 'Jane Doe', step: '+12025550101' },
      { flow: 'other', step: 'other' },
    ],
    [{ app: undefined }, {}],
    [{ customer: 'Jane' }, {}],
    [JSON.parse('{"__proto__":"x","constructor":"y"}'), {}],
    [
      { app: 'constructor', channel: '' },
      { app: 'other', channel: 'other' },
    ],
  ];
  for (const [said, admitted] of table) {
    it(`${JSON.stringify(said)} are reduced to ${JSON.stringify(admitted)}`, () => assert.deepEqual(admitOnly(vocabulary)(said), admitted));
  }
});

describe('the metrics', () => {
  const textOf = async (metrics: ReturnType<typeof makeMetrics>) => (await metrics.expose())?.body ?? assert.fail();

  it('are counted, by labels of the vocabulary only', async () => {
    const metrics = makeMetrics(vocabulary);
    const ended = metrics.counter('ended_total', 'Ended', ['app', 'ending']);
    ended({ app: 'payments', ending: 'success' });
    for (let stranger = 0; stranger < 1000; stranger++) ended({ app: `app-${stranger}`, ending: 'success' });
    const text = await textOf(metrics);
    assert.match(text, /^# TYPE ended_total counter$/m);
    assert.match(text, /^ended_total\{app="payments",ending="success"\} 1$/m);
    assert.match(text, /^ended_total\{app="other",ending="success"\} 1000$/m);
    assert.equal(text.match(/^ended_total\{/gm)?.length, 2);
  });

  it('are spread over buckets in seconds, and never negative', async () => {
    const metrics = makeMetrics(vocabulary);
    const took = metrics.histogram('took_seconds', 'Took', ['kind'], [0.1, 1]);
    for (const seconds of [0.05, 0.5, 5, -1]) took({ kind: 'message' }, seconds);
    const text = await textOf(metrics);
    assert.match(text, /^took_seconds_bucket\{le="0\.1",kind="message"\} 2$/m);
    assert.match(text, /^took_seconds_bucket\{le="1",kind="message"\} 3$/m);
    assert.match(text, /^took_seconds_count\{kind="message"\} 4$/m);
  });

  it('are read when somebody asks', async () => {
    const metrics = makeMetrics(vocabulary);
    let sockets = 3;
    metrics.gauge('sockets', 'Sockets', ['state'], () => [[{ state: 'up' }, sockets]]);
    assert.match(await textOf(metrics), /^sockets\{state="up"\} 3$/m);
    sockets = 0;
    assert.match(await textOf(metrics), /^sockets\{state="up"\} 0$/m);
  });

  it('report the delay of the event loop from the first read on, as numbers', async () => {
    const text = await textOf(makeMetrics(vocabulary));
    const [, delay] = /^nodejs_eventloop_lag_mean_seconds (.+)$/m.exec(text) ?? [];
    assert.ok(Number(delay) >= 0, `the mean is ${delay}`);
    assert.doesNotMatch(text, /nan/i);
  });

  it('are kept apart in each registry', async () => {
    const [one, other] = [makeMetrics(vocabulary), makeMetrics(vocabulary)];
    one.counter('same_total', 'Same', [])({});
    other.counter('same_total', 'Same', []);
    assert.match(await textOf(one), /^same_total 1$/m);
    assert.match(await textOf(other), /^same_total 0$/m);
  });
});

describe('telemetry that is turned off', () => {
  it('runs the work and passes on its result', async () => {
    assert.equal(await noTelemetry.span('x', {}, async () => 7), 7);
    await assert.rejects(
      noTelemetry.span('x', {}, () => Promise.reject(new RangeError('no'))),
      RangeError,
    );
    assert.equal(noTelemetry.traceparent(), undefined);
    assert.equal(await noTelemetry.expose(), undefined);
  });
});
