// What is measured of the service, beside its process: how long each route takes, how it answers, and what is given up.
import { problemOf } from '../../platform/http/http-problem.ts';
import type { HttpServer } from '../../platform/http/http-server.ts';
import { makeMetricsHandler } from '../../platform/http/metrics-route.ts';
import { makeMetrics } from '../../platform/metrics.ts';

/** What the service tries again for a while, and then gives up. */
const kinds = ['messages', 'webhooks', 'checkouts'] as const;

/** Counts what is given up. */
export type GivenUp = (kind: (typeof kinds)[number]) => void;

/** Routes by their patterns, so that nothing of a request is in them. */
const vocabulary = { operation: /^[A-Z]{3,7} \/[\w/:.-]{0,100}$/, status: /^\d{3}$/, kind: kinds } as const;

/**
 * Measures the routes that are added from now on, and serves `GET /metrics`. `token`: see `METRICS_TOKEN`.
 */
export const observe = (server: HttpServer, token: string | undefined): { readonly server: HttpServer; readonly givenUp: GivenUp } => {
  const metrics = makeMetrics(vocabulary);
  const took = metrics.histogram('countersign_service_request_duration_seconds', 'Requests by route and status', ['operation', 'status']);
  const count = metrics.counter('countersign_service_given_up_total', 'Messages, webhooks and open checkouts that were given up', ['kind']);
  server.route('GET', '/metrics', makeMetricsHandler({ metrics, token }));
  const route: HttpServer['route'] = (method, path, handler, options) =>
    server.route(
      method,
      path,
      async (request) => {
        const since = performance.now();
        const answered = (status: number) =>
          took({ operation: `${method} ${path}`, status: String(status) }, (performance.now() - since) / 1000);
        try {
          const answer = await handler(request);
          answered(answer.status);
          return answer;
        } catch (fault) {
          answered(problemOf(fault).status);
          throw fault;
        }
      },
      options,
    );
  return { server: { ...server, route }, givenUp: (kind) => count({ kind }) };
};
