// Measures flows from outside: starts, progress, endings and durations.

import type { Telemetry } from '../platform/telemetry.ts';
import type { FlowEvent } from './running/events.ts';

/** Upper bounds in seconds: a flow takes minutes, or longer if its customer pauses. */
const buckets = [5, 15, 30, 60, 120, 300, 600, 1800, 3600, 14_400, 86_400];

/**
 * Counts what happens in flows, and marks it in the trace of the turn in which it happens. It contains only names
 * that designers wrote, and nothing that a customer said.
 */
export const observeFlows = (telemetry: Telemetry): ((event: FlowEvent) => void) => {
  const begins = telemetry.counter('countersign_flows_begun_total', 'Flows that were begun', ['flow']);
  const reaches = telemetry.counter('countersign_flow_steps_total', 'Flows that came to a step, once each however often it is tried', [
    'flow',
    'step',
  ]);
  const leaves = telemetry.counter('countersign_flows_left_total', 'Flows whose customer went away to something else, by the step', [
    'flow',
    'step',
  ]);
  const ends = telemetry.counter('countersign_flows_ended_total', 'Flows that ended', ['flow', 'ending']);
  const takes = telemetry.histogram(
    'countersign_flow_duration_seconds',
    'From the beginning of a flow to its end',
    ['flow', 'ending'],
    buckets,
  );

  return ({ flow, begun, reached, edge, ended, at, took }) => {
    if (begun) {
      begins({ flow });
      telemetry.mark('flow begun', { flow });
    }
    if (reached !== undefined) {
      reaches({ flow, step: reached });
      telemetry.note({ flow, step: reached });
      telemetry.mark('flow step', { flow, step: reached });
    }
    if (edge) telemetry.mark('flow way', { flow, step: edge.place, way: edge.edge });
    if (ended === undefined) return;
    ends({ flow, ending: ended });
    if (ended === 'left' && at?.place !== undefined) leaves({ flow: at.flow, step: at.place });
    if (took !== undefined) takes({ flow, ending: ended }, took / 1000);
    telemetry.mark('flow ended', { flow, ending: ended });
  };
};
