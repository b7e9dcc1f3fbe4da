// Where a request comes from, behind a known number of proxies.
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
