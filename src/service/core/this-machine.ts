// Pages for this machine only, which need no sign-in.
import { HttpProblem } from '../../platform/http/http-problem.ts';
import type { HttpRequest } from '../../platform/http/http-server.ts';
import { isFromThisMachine } from '../../platform/outgoing/loopback.ts';

/**
 * For this machine's own user only, see {@link isFromThisMachine}. The service's public name never passes. @throws
 * {HttpProblem} 403
 */
export const refuseStrangers = (request: Pick<HttpRequest, 'headers' | 'httpVersion' | 'remoteAddress'>): void => {
  if (!isFromThisMachine(request)) throw new HttpProblem(403, 'forbidden', 'This page is for the machine that the service runs on.');
};
