// Where a request comes from: the client behind a known number of proxies, and the page in a browser.
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/**
 * The client's address. Each proxy appends the address of its caller to `X-Forwarded-For`, so only the entries of our
 * own proxies can be trusted; anything before them was written by the client. Without proxies, or where the header is
 * missing or unreadable, it is the other end of the connection.
 */
export const clientAddress = ({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>, proxies: number): string => {
  const peer = socket.remoteAddress ?? '';
  if (proxies === 0) return peer;
  const entry = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .at(-proxies)
    ?.trim();
  // Some proxies add a port, as in a URL.
  const host = entry && (ipaddr.isValid(entry) ? entry : URL.parse(`http://${entry}`)?.hostname.replace(/^\[(.*)\]$/, '$1'));
  return host && ipaddr.isValid(host) ? host : peer;
};

/**
 * The network that one customer has alone: an IPv4 address, or the first 64 bits of an IPv6 one (RFC 6177, section 2).
 */
export const networkOf = (address: string): string => {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString();
};

/**
 * Whether a request comes from a page of ours, by headers that browsers set and pages cannot change. Uses `Sec-Fetch-Site` where the browser sends it (Fetch Metadata), else `Origin`, which every browser sends with a
 * POST. A request with neither comes from a program, not from a page. Refusing it would keep nobody out, since a
 * program could name any origin.
 */
export const isSameOrigin = ({ headers }: Pick<IncomingMessage, 'headers'>, publicUrl: string | undefined): boolean => {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  if (headers.origin === undefined) return true;
  const origin = URL.parse(headers.origin);
  if (!origin) return false;
  return origin.host === headers.host || (publicUrl !== undefined && origin.origin === new URL(publicUrl).origin);
};
