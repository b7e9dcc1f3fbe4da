import assert from 'node:assert/strict';
import { makeTrails } from '../../src/designer/trails.ts';
import { viewParts } from '../../src/designer/view.ts';
import { flowOf, flowsOf } from '../support/flows.ts';

describe('the funnel of a flow', () => {
  const of = (conversation: string) => ({ flow: 'trial', version: 'v', conversation });

  it('does not count flows that were begun before the bot started', () => {
    const { observe, funnelOf } = makeTrails();
    observe({ ...of('before'), reached: 'do.1' });
    observe({ ...of('before'), ended: 'timeout', at: { flow: 'trial', place: 'do.1' } });
    observe({ ...of('since'), begun: true });
    observe({ ...of('since'), reached: 'do.0' });
    observe({ ...of('since'), ended: 'success', at: { flow: 'trial', place: 'do.0' } });
    const { begun, ended, reached } = funnelOf('trial');
    assert.deepEqual({ begun, ended, reached }, { begun: 1, ended: { success: 1 }, reached: { 'do.0': 1 } });
    observe({ ...of('before'), begun: true });
    observe({ ...of('before'), ended: 'left', at: { flow: 'trial', place: 'do.0' } });
    assert.deepEqual(funnelOf('trial').ended, { success: 1, left: 1 });
  });

  it('says since when it counts, and the step names its line', () => {
    const { observe, funnelOf } = makeTrails();
    observe({ ...of('one'), begun: true });
    const flow = flowsOf({ trial: flowOf('- say: Hello\n- passkeys:\n  else: end') }).flows.get('trial');
    assert.ok(flow);
    const shown = { source: flow.source, written: flow, current: true, lit: { now: 'do.1', trail: undefined }, funnel: funnelOf('trial') };
    const parts = viewParts({ names: ['trial'], shown, faults: [], waiting: [], canEnd: true, ahead: undefined, now: 0 });
    assert.match(String(parts.funnel), /since the bot started/);
    assert.match(String(parts.diagram), /<code>do\.1<\/code> <code>trial\.yaml:5<\/code>/);
  });
});

describe('the warnings of flows', () => {
  it('keeps each warning of a run once, and only while the file is the one that it is about', () => {
    const trails = makeTrails();
    const warning = { file: 'a.yaml', line: 3, column: 1, code: 'names-nothing', message: 'no form is named “x”', warning: true } as const;
    for (const conversation of ['c-1', 'c-2']) trails.observe({ flow: 'a', version: 'v1', conversation, warning });
    assert.deepEqual(trails.warnings(new Set(['v1', 'v2'])), [warning]);
    assert.deepEqual(trails.warnings(new Set(['v2'])), []);
  });
});
