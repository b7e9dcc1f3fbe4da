// Where a request comes from, behind as many proxies as the operator says there are.
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/**
 * The client's address. Each proxy adds the address it was asked from at the end of `X-Forwarded-For`; what stands before the entries of our own proxies
 * was written by whoever asks, and is not believed. Without proxies, or where the header is missing or unreadable, the other end of the connection.
 */
export const clientAddress = ({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>, proxies: number): string => {
  const peer = socket.remoteAddress ?? '';
  if (proxies === 0) return peer;
  const entry = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .at(-proxies)
    ?.trim();
  // Some proxies add a port: an address in a URL may have one.
  const host = entry && (ipaddr.isValid(entry) ? entry : URL.parse(`http://${entry}`)?.hostname.replace(/^\[(.*)\]$/, '$1'));
  return host && ipaddr.isValid(host) ? host : peer;
};

/** The network that one customer has to themselves: an IPv4 address, or the first 64 bits of an IPv6 one (RFC 6177, section 2). */
export const networkOf = (address: string): string => {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString();
};
