// Being watched from outside: the spans of a trace, and numbers. Every part is handed one; the default watches nothing and costs nothing.

/** What a span or a number may be told apart by. Add a name only for what can hold no personal data and has few values. */
export type AttributeName = 'app' | 'channel' | 'ending' | 'kind' | 'operation' | 'reason' | 'state' | 'status';

export type Attributes = { readonly [Name in AttributeName]?: string | undefined };

export interface SpanOptions {
  /** What the work is to others: it answers a request, makes one, takes up what was left for it, or none of these (the default). */
  readonly kind?: 'server' | 'client' | 'consumer' | 'internal';
  /** The trace to continue, as {@link Tracing.traceparent} told it once. Unset or unreadable: the span that this code runs in, else a new trace. */
  readonly from?: string | undefined;
}

/** Traces. Whatever runs within a span, also later and in the background, finds it again without being handed anything. */
export interface Tracing {
  /** Runs the work within a span that ends when it does; a fault is noted by its class and passed on. */
  span<Result>(name: string, attributes: Attributes, work: () => Promise<Result>, options?: SpanOptions): Promise<Result>;
  /** Adds to the span that this code runs in, if there is one. */
  note(attributes: Attributes): void;
  /** Marks an instant in the span that this code runs in, if there is one. `event` must come from a short list. */
  mark(event: string, attributes?: Attributes): void;
  /** A way back into the span that this code runs in: work that is handed to it runs within that span, wherever it is called from. */
  wayBack(): (work: () => void) => void;
  /** Where this code is in its trace, to be kept or sent along (W3C Trace Context, section 3.2). */
  traceparent(): string | undefined;
  /** The trace this code runs in: 32 hexadecimal digits. */
  traceId(): string | undefined;
}

/** The values of some labels. */
export type Labels<Name extends AttributeName> = { readonly [Each in Name]: string };

/** Numbers that somebody reads from time to time. Names and units follow the conventions of Prometheus; durations are in seconds. */
export interface Metrics {
  /** A number that only grows, and the function that adds 1 to it. */
  counter<Name extends AttributeName>(name: string, help: string, labels: readonly Name[]): (values: Labels<Name>) => void;
  /** How a duration is spread, and the function that adds one. `buckets`: upper bounds in seconds. */
  histogram<Name extends AttributeName>(
    name: string,
    help: string,
    labels: readonly Name[],
    buckets?: readonly number[],
  ): (values: Labels<Name>, seconds: number) => void;
  /** A number that is read when somebody asks. */
  gauge<Name extends AttributeName>(
    name: string,
    help: string,
    labels: readonly Name[],
    read: () => readonly (readonly [values: Labels<Name>, value: number])[],
  ): void;
  /** All of them as text, and the type of that text; `undefined` where none are kept. */
  expose(): Promise<{ readonly contentType: string; readonly body: string } | undefined>;
}

export interface Telemetry extends Tracing, Metrics {}

const justRun = (work: () => void): void => work();

/** No traces. */
export const noTracing: Tracing = {
  span: (_name, _attributes, work) => work(),
  note: () => {},
  mark: () => {},
  wayBack: () => justRun,
  traceparent: () => undefined,
  traceId: () => undefined,
};

/** Nothing is watched. */
export const noTelemetry: Telemetry = {
  ...noTracing,
  counter: () => () => {},
  histogram: () => () => {},
  gauge: () => {},
  expose: async () => undefined,
};

/** Which values each attribute may have. */
export type Vocabulary = { readonly [Name in AttributeName]: readonly string[] };

/** Takes attributes as they are said and gives them as they may be kept: a value that the vocabulary does not have becomes `other`. */
export type Admit = (attributes: Attributes) => Record<string, string>;

/** The gate between what is said about a turn or a call, some of it by strangers, and what leaves the process. */
export const admitOnly = (vocabulary: Vocabulary): Admit => {
  const known = new Map(Object.entries(vocabulary).map(([name, values]) => [name, new Set(values)]));
  return (attributes) => {
    const admitted: Record<string, string> = {};
    for (const [name, value] of Object.entries(attributes)) {
      const values = known.get(name);
      if (values && value !== undefined) admitted[name] = values.has(value) ? value : 'other';
    }
    return admitted;
  };
};
