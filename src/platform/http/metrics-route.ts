// `GET /metrics`, for readers with the token, or on this machine.
import { isFromThisMachine } from '../outgoing/loopback.ts';
import { makeBearerCheck } from '../secrets/sealing.ts';
import type { Metrics } from '../telemetry.ts';
import { HttpProblem } from './http-problem.ts';
import type { Handler } from './http-server.ts';

/**
 * With a token set, 401 without it. Otherwise 404 except for this machine, as if the route did not exist.
 * @param token - the bearer token of remote readers; `undefined`: only this machine may read
 */
export const makeMetricsHandler = (metrics: Pick<Metrics, 'expose'>, token: string | undefined): Handler => {
  const isReader = token === undefined ? undefined : makeBearerCheck(token);
  return async (request) => {
    if (isReader && !isReader(request.headers.authorization))
      throw new HttpProblem(401, 'unauthorized', 'A token is needed to read the metrics.', { headers: { 'WWW-Authenticate': 'Bearer' } });
    if (!isReader && !isFromThisMachine(request)) throw nothing();
    const { contentType, body } = (await metrics.expose()) ?? {};
    if (contentType === undefined || body === undefined) throw nothing();
    return { status: 200, headers: { 'Content-Type': contentType }, body };
  };
};

const nothing = () => new HttpProblem(404, 'not_found', 'There is nothing at this address.');
