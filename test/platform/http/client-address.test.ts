import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { clientAddress, networkOf } from '../../../src/platform/http/client-address.ts';

const peer = '10.0.0.1';
const asked = (forwarded?: string) =>
  ({
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    socket: { remoteAddress: peer },
  }) as unknown as IncomingMessage;

describe("a client's address", () => {
  const rows: [string, number, string | undefined, string][] = [
    ['is the other end of the connection without proxies, whatever is said', 0, '203.0.113.7', peer],
    ['is what the one proxy added', 1, '203.0.113.7', '203.0.113.7'],
    ['is not what the client wrote before it', 1, '8.8.8.8, 203.0.113.7', '203.0.113.7'],
    ['is what the outermost of two proxies added', 2, '8.8.8.8,203.0.113.7, 10.0.0.9', '203.0.113.7'],
    ['is the connection’s where fewer proxies spoke than there are', 2, '203.0.113.7', peer],
    ['is the connection’s where none spoke', 1, undefined, peer],
    ['is the connection’s where nonsense is said', 1, 'unknown', peer],
    ['is read where a port stands behind it', 1, '203.0.113.7:51234', '203.0.113.7'],
    ['is read from IPv6', 1, '2001:db8::7', '2001:db8::7'],
    ['is read from IPv6 with a port', 1, '[2001:db8::7]:51234', '2001:db8::7'],
  ];
  for (const [what, proxies, forwarded, expected] of rows) {
    it(what, () => assert.equal(clientAddress(asked(forwarded), proxies), expected));
  }

  const networks: [string, string][] = [
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:db8:1:2::', '2001:db8:1:2::'],
    ['', ''],
  ];
  for (const [address, network] of networks) {
    it(`belongs to the network ${network || 'nobody knows'}: ${address || 'none'}`, () => assert.equal(networkOf(address), network));
  }
});
