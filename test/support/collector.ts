// An OpenTelemetry collector on loopback that stores the spans it receives (OTLP over HTTP, JSON).
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CollectedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly kind: number;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly { readonly name: string; readonly attributes: Readonly<Record<string, unknown>> }[];
}

export interface Collector {
  readonly endpoint: string;
  readonly spans: CollectedSpan[];
  /** Every request's body. */
  readonly bodies: string[];
  readonly headers: Record<string, unknown>[];
  /** Answers with this status from now on. */
  answer(status: number): void;
  close(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: OTLP's JSON, read where the tests look.
type Otlp = any;

const attributesOf = (list: Otlp): Record<string, unknown> =>
  Object.fromEntries((list ?? []).map(({ key, value }: Otlp) => [key, Object.values(value)[0]]));

const spanOf = (span: Otlp): CollectedSpan => ({
  name: span.name,
  traceId: span.traceId,
  spanId: span.spanId,
  parentSpanId: span.parentSpanId || undefined,
  kind: span.kind,
  failed: span.status?.code === 2,
  attributes: attributesOf(span.attributes),
  events: (span.events ?? []).map(({ name, attributes }: Otlp) => ({ name, attributes: attributesOf(attributes) })),
});

export const startCollector = async (): Promise<Collector> => {
  const spans: CollectedSpan[] = [];
  const bodies: string[] = [];
  const headers: Record<string, unknown>[] = [];
  let status = 200;
  const server = createServer(async (req, res) => {
    let body = '';
    for await (const chunk of req) body += chunk;
    headers.push({ ...req.headers, path: req.url });
    bodies.push(body);
    if (status === 200) {
      for (const resource of JSON.parse(body).resourceSpans)
        for (const scope of resource.scopeSpans) spans.push(...scope.spans.map(spanOf));
    }
    res.writeHead(status, { 'content-type': 'application/json' });
    res.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    headers,
    answer: (next) => {
      status = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
