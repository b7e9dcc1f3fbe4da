// Pages for this machine only: they show what nobody else may see, and ask nobody who they are.
import { HttpProblem } from '../../platform/http-problem.ts';
import type { HttpRequest } from '../../platform/http-server.ts';
import { isFromThisMachine } from '../../platform/loopback.ts';

/** Only this machine's own user, see {@link isFromThisMachine}; the service's public name is nobody's own. @throws {HttpProblem} 403 */
export const refuseStrangers = (request: Pick<HttpRequest, 'headers' | 'httpVersion' | 'remoteAddress'>): void => {
  if (!isFromThisMachine(request)) throw new HttpProblem(403, 'forbidden', 'This page is for the machine that the service runs on.');
};
