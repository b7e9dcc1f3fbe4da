// Keeps routes that trust this machine's user out of reach of others: of web pages that rebind their name to 127.0.0.1,
// and of proxies.
import type { IncomingHttpHeaders } from 'node:http';
import { HttpProblem } from '../http/http-problem.ts';

/** Whether a Host header is one of this machine's three usual names, with any port. */
export const isLoopbackHost = (host: string | undefined): boolean =>
  host !== undefined && /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i.test(host);

/** Whether an address, as Node writes it, belongs to this machine. */
export const isLoopbackAddress = (address: string): boolean => /^(?:(?:::ffff:)?127(?:\.\d{1,3}){3}|::1)$/i.test(address);

/**
 * Headers that proxies, load balancers and content networks add. A proxy on this machine connects from loopback too and
 * may write any Host, so one of these headers is enough to know that the request comes from elsewhere.
 */
const handedOn =
  /^(?:forwarded|via|cdn-loop|client-ip|true-client-ip|x-(?:client|cluster-client|proxyuser|real)-ip|x-(?:forwarded|original|envoy|azure|arr|amzn?|appengine|vercel)\b.*|(?:cf|fly|fastly|akamai|do|wl-proxy)-.+|proxy-.+)$/;

/** The parts of a request that show where it comes from. `remoteAddress`: the other end of the connection. */
type RequestOrigin = { readonly remoteAddress: string; readonly headers: IncomingHttpHeaders; readonly httpVersion: string };

/**
 * Whether this machine's user is asking: from loopback, under one of its usual names, with no proxy in between. No
 * current browser or library uses HTTP/1.0, but nginx does by default when it forwards requests, and adds no header
 * (nginx.org, proxy_http_version).
 */
export const isFromThisMachine = ({ remoteAddress, headers, httpVersion }: RequestOrigin): boolean =>
  isLoopbackAddress(remoteAddress) &&
  isLoopbackHost(headers.host) &&
  httpVersion !== '1.0' &&
  !Object.keys(headers).some((name) => handedOn.test(name));

/** Refuses requests from anywhere but this machine. @throws {HttpProblem} 421. */
export const admitLoopbackOnly = (asking: RequestOrigin): void => {
  if (!isFromThisMachine(asking)) throw new HttpProblem(421, 'wrong_host', 'This server answers to its own machine only, as localhost.');
};
