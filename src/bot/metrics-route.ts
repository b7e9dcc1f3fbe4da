// GET /metrics: what the process counts, for those who watch it.
import { createHash, timingSafeEqual } from 'node:crypto';
import { HttpProblem } from '../platform/http-problem.ts';
import type { Handler } from '../platform/http-server.ts';
import { isFromThisMachine } from '../platform/loopback.ts';
import type { Metrics } from '../platform/telemetry.ts';

export interface MetricsRouteOptions {
  readonly metrics: Pick<Metrics, 'expose'>;
  /** Whoever has it may read from anywhere; unset, only this machine may. */
  readonly token: string | undefined;
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** With a token, 401 to whoever does not have it. Without one, 404 to everybody but this machine, as if there were nothing. */
export const makeMetricsHandler = ({ metrics, token }: MetricsRouteOptions): Handler => {
  const expected = token === undefined ? undefined : digest(token);
  return async (request) => {
    if (expected) {
      if (!timingSafeEqual(digest(/^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''), expected)) {
        throw new HttpProblem(401, 'unauthorized', 'A token is needed to read the metrics.', { headers: { 'WWW-Authenticate': 'Bearer' } });
      }
    } else if (!isFromThisMachine(request)) throw nothing();
    const { contentType, body } = (await metrics.expose()) ?? {};
    if (contentType === undefined || body === undefined) throw nothing();
    return { status: 200, headers: { 'Content-Type': contentType }, body };
  };
};

const nothing = () => new HttpProblem(404, 'not_found', 'There is nothing at this address.');
