// How the process is observed: always by numbers, and by traces if a collector is configured.

import countersign from '../../../package.json' with { type: 'json' };
import { appIds, eventTypes } from '../../contract/index.ts';
import { ratings } from '../../interactions/index.ts';
import { type OpenTelemetry, openTelemetryOf, type TelemetrySettings } from '../../platform/open-telemetry.ts';
import type { Vocabulary } from '../../platform/telemetry.ts';
import { ActivityTypes, Channels } from '../bot/sdk.ts';

export type { OpenTelemetry } from '../../platform/open-telemetry.ts';

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

/** @param onLost - called when a collector did not accept spans */
export const openTelemetry = (settings: TelemetrySettings, onLost: (fault: unknown) => void): Promise<OpenTelemetry> =>
  openTelemetryOf(settings, countersign, vocabulary, onLost);
