// Telemetry of a process: always numbers, and traces if a collector is configured.
import { z } from 'zod';
import { makeMetrics } from './metrics.ts';
import { address, flag, words } from './settings/environment.ts';
import { noTracing, samplerNames, type Telemetry, type Vocabulary } from './telemetry.ts';
import type { TracedProgram } from './traces.ts';

/** OpenTelemetry's standard variables (opentelemetry.io, "Environment Variable Specification"). */
export const telemetryShape = {
  OTEL_EXPORTER_OTLP_ENDPOINT: address(/^https?$/, 'http://collector.example.com:4318').optional(),
  OTEL_SDK_DISABLED: flag.optional(),
  OTEL_SERVICE_NAME: words.optional(),
  OTEL_TRACES_SAMPLER: z.enum(samplerNames, { error: `must be ${samplerNames.join(', ')}` }).optional(),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/, 'must be a share of the traces, 0 to 1')
    .transform(Number)
    .optional(),
};

export type TelemetrySettings = z.output<z.ZodObject<typeof telemetryShape>>;

export type OpenTelemetry = Awaited<ReturnType<typeof openTelemetryOf>>;

/**
 * Numbers, and traces when `OTEL_EXPORTER_OTLP_ENDPOINT` is set and `OTEL_SDK_DISABLED` is not; without them the tracing
 * library is not even loaded. `close` sends waiting spans, for a moment.
 * @param onLost - called when a collector did not accept spans
 */
export const openTelemetryOf = async (
  settings: TelemetrySettings,
  program: TracedProgram,
  vocabulary: Partial<Vocabulary>,
  onLost: (fault: unknown) => void,
): Promise<Telemetry & { close(): Promise<void> }> => {
  const metrics = makeMetrics(vocabulary);
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: disabled } = settings;
  if (endpoint === undefined || disabled) return { ...metrics, ...noTracing, close: async () => {} };
  const { openTraces } = await import('./traces.ts');
  const lost = metrics.counter('countersign_trace_exports_failed_total', 'Batches of spans that the collector did not take', []);
  const traces = openTraces({
    endpoint,
    program,
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
