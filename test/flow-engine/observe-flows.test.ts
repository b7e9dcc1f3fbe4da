import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../../src/compose/start/settings.ts';
import { type OpenTelemetry, openTelemetry } from '../../src/compose/start/telemetry.ts';
import { type Collector, startCollector } from '../support/collector.ts';
import { flowOf } from '../support/flows.ts';
import { talkTo } from '../support/talk.ts';
import { startWhole, type Whole } from '../support/whole.ts';

const number = '+12025550110';

describe('the metrics of flows', () => {
  let folder: string;
  let collector: Collector;
  let telemetry: OpenTelemetry;
  let whole: Whole;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-flows-'));
    writeFileSync(
      join(folder, 'upkeep.yaml'),
      flowOf('- ask: text\n  as: name\n  text: Your name?\n- payments: { product: Fibre router }\n  else: end', '', 'upkeep'),
    );
    collector = await startCollector();
    telemetry = await openTelemetry(readSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint }), (fault) =>
      assert.fail(String(fault)),
    );
    whole = await startWhole({ telemetry: () => telemetry, settings: { FLOWS_DIR: folder } });
  });
  after(async () => {
    await whole.close();
    await collector.close();
    rmSync(folder, { recursive: true });
  });

  it('count how many begin, how far they get, where and how they end, and how long they take, and contain no messages', async () => {
    const talk = await talkTo(whole);
    await talk.say('upkeep');
    await talk.say('start over');
    await talk.say('upkeep');
    await talk.say('Jane Canary');
    await talk.say(number);
    await talk.asks();
    await talk.outcome();
    const { body: text = '' } = (await telemetry.expose()) ?? {};
    const table = [
      /^countersign_flows_begun_total\{flow="upkeep"\} 2$/m,
      /^countersign_flow_steps_total\{flow="upkeep",step="do\.0"\} 2$/m,
      /^countersign_flow_steps_total\{flow="upkeep",step="do\.1"\} 1$/m,
      /^countersign_flows_left_total\{flow="upkeep",step="do\.0"\} 1$/m,
      /^countersign_flows_ended_total\{flow="upkeep",ending="left"\} 1$/m,
      /^countersign_flows_ended_total\{flow="upkeep",ending="success"\} 1$/m,
      /^countersign_flow_duration_seconds_count\{flow="upkeep",ending="success"\} 1$/m,
    ];
    for (const line of table) assert.match(text, line);

    await whole.stopBot();
    await telemetry.close();
    const marks = collector.spans.flatMap(({ name, events }) =>
      events.flatMap(({ name: mark, attributes }) =>
        mark.startsWith('flow ') ? [[name, mark, attributes['countersign.step'] ?? attributes['countersign.ending']].join(' ')] : [],
      ),
    );
    const told = ['turn flow begun ', 'turn flow step do.0', 'turn flow step do.1', 'turn flow way do.1', 'turn flow ended success'];
    for (const mark of told) assert.ok(marks.includes(mark), `${mark} of ${marks}`);
    for (const everything of [text, ...collector.bodies]) assert.doesNotMatch(everything, /Canary|2025550110/);
  });
});
