// What is measured of the service, beside its process: how long each route takes, how it answers, and what is given up.
import { problemOf } from '../../platform/http/http-problem.ts';
import type { HttpRequest, HttpServer } from '../../platform/http/http-server.ts';
import { makeMetricsHandler } from '../../platform/http/metrics-route.ts';
import type { Telemetry, Vocabulary } from '../../platform/telemetry.ts';

/** What the service tries again for a while, and then gives up. */
const kinds = ['messages', 'webhooks', 'checkouts'] as const;

/** Routes by their patterns, so that nothing of a request is in them. */
export const vocabulary = {
  operation: /^[A-Z]{3,7} \/[\w/:.-]{0,100}$/,
  status: /^\d{3}$/,
  kind: kinds,
} as const satisfies Partial<Vocabulary>;

/** The caller's place in a trace (W3C Trace Context, section 3.2). */
const traceparentIn = ({ headers }: HttpRequest) => {
  const { traceparent } = headers;
  return typeof traceparent === 'string' ? traceparent : undefined;
};

/**
 * Measures and traces the routes that are added from now on, and serves `GET /metrics`. `token`: see `METRICS_TOKEN`.
 */
export const observe = (server: HttpServer, telemetry: Telemetry, token: string | undefined) => {
  const took = telemetry.histogram('countersign_service_request_duration_seconds', 'Requests by route and status', ['operation', 'status']);
  const count = telemetry.counter('countersign_service_given_up_total', 'Messages, webhooks and open checkouts that were given up', [
    'kind',
  ]);
  server.route('GET', '/metrics', makeMetricsHandler(telemetry, token));
  const route: HttpServer['route'] = (method, path, handler, options) =>
    server.route(
      method,
      path,
      (request) =>
        telemetry.span(
          'request',
          { operation: `${method} ${path}` },
          async () => {
            const since = performance.now();
            const answered = (status: number) => {
              telemetry.note({ status: String(status) });
              took({ operation: `${method} ${path}`, status: String(status) }, (performance.now() - since) / 1000);
            };
            try {
              const answer = await handler(request);
              answered(answer.status);
              return answer;
            } catch (fault) {
              answered(problemOf(fault).status);
              throw fault;
            }
          },
          { kind: 'server', from: traceparentIn(request) },
        ),
      options,
    );
  return {
    server: { ...server, route },
    /** Counts what is given up. */
    givenUp: (kind: (typeof kinds)[number]) => count({ kind }),
  };
};
