// What is measured of the service, beside its process: how long each route takes, and how it answers.
import { problemOf } from '../../platform/http-problem.ts';
import type { HttpServer } from '../../platform/http-server.ts';
import { makeMetrics } from '../../platform/metrics.ts';
import { makeMetricsHandler } from '../../platform/metrics-route.ts';

/** Routes by their patterns, so that nothing of a request is in them. */
const vocabulary = { operation: /^[A-Z]{3,7} \/[\w/:.-]{0,100}$/, status: /^\d{3}$/ } as const;

/** Measures the routes that are added from now on, and serves `GET /metrics`. `token`: see `METRICS_TOKEN`. */
export const observeRoutes = (server: HttpServer, token: string | undefined): HttpServer => {
  const metrics = makeMetrics(vocabulary);
  const observe = metrics.histogram('countersign_service_request_duration_seconds', 'Requests by route and status', [
    'operation',
    'status',
  ]);
  server.route('GET', '/metrics', makeMetricsHandler({ metrics, token }));
  return {
    ...server,
    route: (method, path, handler, options) =>
      server.route(
        method,
        path,
        async (request) => {
          const since = performance.now();
          const answered = (status: number) =>
            observe({ operation: `${method} ${path}`, status: String(status) }, (performance.now() - since) / 1000);
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
      ),
  };
};
