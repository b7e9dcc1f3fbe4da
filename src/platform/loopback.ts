// Keeping what trusts this machine's user out of reach of everybody else: of web pages that rebind their name to 127.0.0.1, and of proxies.
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { makeLoopbackCheck } from './guarded-lookup.ts';
import { HttpProblem } from './http-problem.ts';

/** Whether a Host header names this machine by one of its three usual names, with any port. */
export const isLoopbackHost = (host: string | undefined): boolean =>
  host !== undefined && /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i.test(host);

/** Refuses a request that was sent to another name. @throws {HttpProblem} 421. */
export const admitLoopbackOnly = ({ host }: IncomingHttpHeaders): void => {
  if (!isLoopbackHost(host)) throw new HttpProblem(421, 'wrong_host', 'This server answers to localhost only.');
};

const onLoopback = makeLoopbackCheck();

/**
 * Headers by which proxies, load balancers and content networks hand a request on. A proxy on this machine connects from loopback too and may
 * write any Host, so one of these is enough to tell that somebody else asked.
 */
const handedOn =
  /^(?:forwarded|via|cdn-loop|client-ip|true-client-ip|x-(?:client|cluster-client|proxyuser|real)-ip|x-(?:forwarded|original|envoy|azure|arr|amzn?|appengine|vercel)\b.*|(?:cf|fly|fastly|akamai|do|wl-proxy)-.+|proxy-.+)$/;

/** Whether this machine's user asks: from loopback, by one of its usual names, with no proxy in between. */
export const isFromThisMachine = ({ remoteAddress, headers }: { readonly remoteAddress: string; readonly headers: IncomingHttpHeaders }) =>
  onLoopback({ address: remoteAddress, family: isIP(remoteAddress) }) &&
  isLoopbackHost(headers.host) &&
  !Object.keys(headers).some((name) => handedOn.test(name));
