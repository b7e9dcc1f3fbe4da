// Traces by OpenTelemetry's SDK, sent to a collector over OTLP. Loaded only if a collector is configured.
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { faultFields } from './log.ts';
import { type Attributes, admitOnly, type SamplerName, type Tracing, type Vocabulary } from './telemetry.ts';
import { withTimeout } from './time/waits.ts';

/** The program whose spans they are, as its package names it. */
export interface TracedProgram {
  readonly name: string;
  readonly version: string;
}

export type Traces = ReturnType<typeof openTraces>;

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER, internal: SpanKind.INTERNAL };

/** One batch is given up after this long (ms). */
const exportDeadline = 5000;

/**
 * Traces for a collector. Nothing of OpenTelemetry's global state is used: the provider and the storage that carries a
 * span along are ours. OpenTelemetry's exporter reads the headers for the collector from `OTEL_EXPORTER_OTLP_HEADERS`, and
 * its detector further attributes from `OTEL_RESOURCE_ATTRIBUTES`. `close` sends remaining spans, for at most `graceMs`
 * (1,500).
 */
export const openTraces = ({
  endpoint,
  program,
  serviceName,
  sampler,
  share,
  vocabulary,
  onLost,
}: {
  /** The collector's base address, as in `OTEL_EXPORTER_OTLP_ENDPOINT`; spans are posted to `/v1/traces` below it. */
  readonly endpoint: string;
  /** The program, whose name counts where neither `serviceName` nor `OTEL_RESOURCE_ATTRIBUTES` gives one. */
  readonly program: TracedProgram;
  readonly serviceName?: string | undefined;
  /** Unset: every trace is sent, unless the caller's is not. */
  readonly sampler?: SamplerName | undefined;
  /** The share of traces that a sampler by ratio sends (1). */
  readonly share?: number | undefined;
  readonly vocabulary: Partial<Vocabulary>;
  /** Called for each batch of spans that the collector did not accept. They are lost. */
  readonly onLost: (fault: unknown) => void;
}): Tracing & { close(graceMs?: number): Promise<void> } => {
  const exporter = telling(
    new OTLPTraceExporter({ url: `${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces`, timeoutMillis: exportDeadline }),
    onLost,
  );
  const processor = new BatchSpanProcessor({ exporter, exportTimeoutMillis: exportDeadline });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': program.name, 'service.version': program.version })
      .merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceInstanceIdDetector] }))
      .merge(resourceFromAttributes(serviceName === undefined ? {} : { 'service.name': serviceName })),
    sampler: samplerOf(sampler, share),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer(program.name);
  const here = new AsyncLocalStorage<Context>();
  const current = () => {
    const context = here.getStore();
    return context && trace.getSpan(context);
  };
  const admit = admitOnly(vocabulary);
  const attributesOf = (said: Attributes) =>
    Object.fromEntries(Object.entries(admit(said)).map(([name, value]) => [`countersign.${name}`, value]));

  return {
    span: (name, attributes, work, { kind = 'internal', from } = {}) => {
      const parent = (from === undefined ? undefined : contextOf(from)) ?? here.getStore() ?? ROOT_CONTEXT;
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes: attributesOf(attributes) }, parent);
      return here.run(trace.setSpan(parent, span), async () => {
        try {
          return await work();
        } catch (fault) {
          // By its class, since a fault's message may quote its input.
          span.setAttribute('error.type', faultFields(fault).error ?? 'unknown');
          span.setStatus({ code: SpanStatusCode.ERROR });
          throw fault;
        } finally {
          span.end();
        }
      });
    },

    note: (attributes) => {
      current()?.setAttributes(attributesOf(attributes));
    },

    mark: (event, attributes = {}) => {
      current()?.addEvent(event, attributesOf(attributes));
    },

    wayBack: () => AsyncLocalStorage.snapshot(),

    traceparent: () => {
      const span = current()?.spanContext();
      return span && `00-${span.traceId}-${span.spanId}-${(span.traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0')}`;
    },

    traceId: () => current()?.spanContext().traceId,

    close: async (graceMs = 1500) => {
      // The exporter has already reported the last batch's result.
      await withTimeout(
        provider.shutdown().catch(() => {}),
        graceMs,
        () => {},
      );
    },
  };
};

const samplerOf = (name: SamplerName = 'parentbased_always_on', share = 1): Sampler => {
  const makers = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(share),
  };
  const root = makers[name.replace('parentbased_', '') as keyof typeof makers]();
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
};

const contextOf = (traceparent: string): Context | undefined => {
  const span = parseTraceParent(traceparent);
  return span ? trace.setSpanContext(ROOT_CONTEXT, { ...span, isRemote: true }) : undefined;
};

/** Wraps the exporter to report lost spans. The SDK would only report them to its own logger, which is not set. */
const telling = (exporter: SpanExporter, onLost: (fault: unknown) => void): SpanExporter => ({
  export: (spans, done) =>
    exporter.export(spans, (result) => {
      if (result.code === ExportResultCode.FAILED) onLost(result.error);
      done(result);
    }),
  shutdown: () => exporter.shutdown(),
  forceFlush: async () => exporter.forceFlush?.(),
});
