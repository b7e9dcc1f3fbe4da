// Observing the process: spans of traces, and numbers. Every part receives one; the default observes nothing and costs
// nothing.

/** Attributes of a span or labels of a number. Add a name only for values that are few and never personal data. */
export type AttributeName =
  | 'app'
  | 'channel'
  | 'ending'
  | 'event'
  | 'flow'
  | 'hub'
  | 'kind'
  | 'operation'
  | 'outcome'
  | 'reason'
  | 'state'
  | 'status'
  | 'step'
  | 'value'
  | 'way';

export type Attributes = { readonly [Name in AttributeName]?: string | undefined };

/**
 * `kind`: the kind of work, seen from outside: it serves a request, makes one, continues stored work, or none of these
 * (the default). `from`: the trace to continue, as {@link Tracing.traceparent} returned it; unset or unreadable: the
 * current span, else a new trace.
 */
type SpanOptions = { readonly kind?: 'server' | 'client' | 'consumer' | 'internal'; readonly from?: string | undefined };

/** Traces. Code that runs within a span, also later and in the background, finds it without being passed anything. */
export interface Tracing {
  /** Runs the work within a span that ends with it. A fault is recorded by its class and rethrown. */
  span<Result>(name: string, attributes: Attributes, work: () => Promise<Result>, options?: SpanOptions): Promise<Result>;
  /** Adds to the current span, if there is one. */
  note(attributes: Attributes): void;
  /** Marks an instant in the current span, if there is one. `event` must come from a short list. */
  mark(event: string, attributes?: Attributes): void;
  /** A way back into the current span: work passed to it runs within that span, wherever it is called from. */
  wayBack(): (work: () => void) => void;
  /** The current place in the trace, to store or send along (W3C Trace Context, section 3.2). */
  traceparent(): string | undefined;
  /** The current trace's id: 32 hexadecimal digits. */
  traceId(): string | undefined;
}

export type Labels<Name extends AttributeName> = { readonly [Each in Name]: string };

/**
 * Numbers that are read from time to time. Names and units follow Prometheus's conventions; durations are in seconds.
 */
export interface Metrics {
  /** A counter. Returns the function that adds 1 to it. */
  counter<Name extends AttributeName>(name: string, help: string, labels: readonly Name[]): (values: Labels<Name>) => void;
  /** A histogram of durations. Returns the function that adds one. `buckets`: upper bounds in seconds. */
  histogram<Name extends AttributeName>(
    name: string,
    help: string,
    labels: readonly Name[],
    buckets?: readonly number[],
  ): (values: Labels<Name>, seconds: number) => void;
  /** A gauge, read on demand. */
  gauge<Name extends AttributeName>(
    name: string,
    help: string,
    labels: readonly Name[],
    read: () => readonly (readonly [values: Labels<Name>, value: number])[],
  ): void;
  /** All of them as text, with its content type; `undefined` where no numbers are kept. */
  expose(): Promise<{ readonly contentType: string; readonly body: string } | undefined>;
}

export type Telemetry = Tracing & Metrics;

const justRun = (work: () => void): void => work();

export const noTracing: Tracing = {
  span: (_name, _attributes, work) => work(),
  note: () => {},
  mark: () => {},
  wayBack: () => justRun,
  traceparent: () => undefined,
  traceId: () => undefined,
};

/** The default: observes nothing. */
export const noTelemetry: Telemetry = {
  ...noTracing,
  counter: () => () => {},
  histogram: () => () => {},
  gauge: () => {},
  expose: async () => undefined,
};

/** The values that each attribute may have; or their form, if they come only from files of the operator. */
export type Vocabulary = { readonly [Name in AttributeName]: readonly string[] | RegExp };

/** Replaces values that are not in the vocabulary by `other`. */
export type Admit = (attributes: Attributes) => Record<string, string>;

/** The gate for observations, some of which come from strangers, before they leave the process. */
export const admitOnly = (vocabulary: Partial<Vocabulary>): Admit => {
  const known = new Map(Object.entries(vocabulary).map(([name, values]) => [name, isAdmitted(values)]));
  return (attributes) => {
    const admitted: Record<string, string> = {};
    for (const [name, value] of Object.entries(attributes)) {
      const admits = known.get(name);
      if (admits && value !== undefined) admitted[name] = admits(value) ? value : 'other';
    }
    return admitted;
  };
};

const isAdmitted = (values: readonly string[] | RegExp): ((value: string) => boolean) => {
  if (values instanceof RegExp) return (value) => values.test(value);
  const set = new Set(values);
  return (value) => set.has(value);
};

/** The samplers of traces, by their names in OTEL_TRACES_SAMPLER (opentelemetry.io, "Environment variable specification"). */
const kinds = ['always_on', 'always_off', 'traceidratio'] as const;
export const samplerNames = [...kinds, ...kinds.map((kind) => `parentbased_${kind}` as const)] as const;
export type SamplerName = (typeof samplerNames)[number];
