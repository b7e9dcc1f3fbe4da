// How the process is observed: always by numbers, and by traces if a collector is configured.

import { appIds, eventTypes } from '../../contract/index.ts';
import { ratings } from '../../interactions/index.ts';
import { makeMetrics } from '../../platform/metrics.ts';
import { noTracing, type Telemetry, type Vocabulary } from '../../platform/telemetry.ts';
import { ActivityTypes, Channels } from '../bot/sdk.ts';
import type { CoreSettings } from '../settings/core-settings.ts';

const statuses = [400, 401, 403, 404, 405, 409, 410, 413, 415, 421, 422, 429, 500, 501, 502, 503, 504];
const closeCodes = [1000, 1001, 1002, 1003, 1005, 1008, 1009, 1011, 1012, 1013, 4400, 4401, 4404];

/**
 * Every value that a span or a number may carry. Any other leaves the process as `other`: strangers choose a channel's
 * name or an error's text, and a label with many values can fill a disk.
 */
const vocabulary: Vocabulary = {
  app: appIds,
  channel: Object.values(Channels),
  ending: [
    'success',
    'failure',
    'timeout',
    'cancelled',
    'refused',
    'unknown',
    'undeliverable',
    'ok',
    'failed',
    'turned_away',
    'handoff',
    'left',
  ],
  event: ['requested', 'waited', 'message', 'verification', 'outcome', 'ended', 'started', 'flow', 'bot'],
  // As the grammar of flows has names and places: nothing that a customer says can be either.
  flow: /^[a-z][a-z0-9-]{0,63}$/,
  // As operators' programs name their hubs, and never customers.
  hub: /^[a-z][a-z0-9-]{0,31}$/,
  kind: [...Object.values(ActivityTypes), 'outcome', 'progress'],
  // As our own code names them, of the service's interface and of programs.
  operation: /^[a-z][a-z-]{0,31}(?:[._][a-z]{1,31}){0,4}$/,
  outcome: ['success', 'failure', 'timeout', 'cancelled'],
  reason: [
    ...['handshake_timeout', 'invalid_frame', 'lost', 'oversized_frame', 'silent', 'unreachable'],
    ...['blocked', 'gone', 'throttled'],
    ...closeCodes.map((code) => `closed_${code}`),
    ...[...statuses, 301, 302, 307, 308].map((status) => `refused_${status}`),
  ],
  state: [
    ...['intended', 'waiting', 'decided', 'delivered', 'refused', 'unknown', 'undeliverable'],
    ...['connecting', 'up'],
    ...['questions', 'dialogs', 'memory'],
    ...eventTypes,
  ],
  status: [
    'ok',
    ...statuses.map(String),
    ...['aborted', 'circuit_open', 'closed', 'connect', 'dns', 'reset', 'timeout', 'tls'],
    ...['content_type', 'encoding', 'http', 'mismatch', 'not_json', 'redirect', 'shape', 'too_deep', 'too_large'],
  ],
  step: /^(?:do|parts)(?:\.[a-z0-9-]{1,64}){1,40}$/,
  value: ratings,
  way: /^(?:success|failure|timeout|cancelled|else)(?: again)?$|^(?:true|false)$|^(?:mcp|connector)$/,
};

export interface OpenTelemetry extends Telemetry {
  /** Sends waiting spans, for a moment. */
  close(): Promise<void>;
}

/**
 * Numbers, and traces when `OTEL_EXPORTER_OTLP_ENDPOINT` is set and `OTEL_SDK_DISABLED` is not; without them the tracing library is not even loaded.
 * @param onLost - called when a collector did not accept spans
 */
export const openTelemetry = async (
  settings: Pick<CoreSettings, `OTEL_${string}` & keyof CoreSettings>,
  onLost: (fault: unknown) => void,
): Promise<OpenTelemetry> => {
  const metrics = makeMetrics(vocabulary);
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: disabled } = settings;
  if (endpoint === undefined || disabled) return { ...metrics, ...noTracing, close: async () => {} };
  const { openTraces } = await import('./traces.ts');
  const lost = metrics.counter('countersign_trace_exports_failed_total', 'Batches of spans that the collector did not take', []);
  const traces = openTraces({
    endpoint,
    serviceName: settings.OTEL_SERVICE_NAME,
    sampler: settings.OTEL_TRACES_SAMPLER,
    share: settings.OTEL_TRACES_SAMPLER_ARG,
    vocabulary,
    onLost: (fault) => {
      lost({});
      onLost(fault);
    },
  });
  return { ...metrics, ...traces };
};
