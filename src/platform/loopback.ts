// Keeping a server that trusts this machine's user out of the reach of web pages that rebind their name to 127.0.0.1.
import type { IncomingHttpHeaders } from 'node:http';
import { HttpProblem } from './http-problem.ts';

/** Whether a Host header names this machine by one of its three usual names, with any port. */
export const isLoopbackHost = (host: string | undefined): boolean =>
  host !== undefined && /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i.test(host);

/** Refuses a request that was sent to another name. @throws {HttpProblem} 421. */
export const admitLoopbackOnly = ({ host }: IncomingHttpHeaders): void => {
  if (!isLoopbackHost(host)) throw new HttpProblem(421, 'wrong_host', 'This server answers to localhost only.');
};
