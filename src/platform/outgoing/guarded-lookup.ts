// Name resolution for outgoing connections that never returns an address outside its bounds, so that rebinding a name
// gains nothing.
import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { BlockList, type LookupFunction } from 'node:net';

/**
 * Every range outside the public internet (IANA special-purpose address registries). The IPv4 rules apply to
 * IPv4-mapped IPv6.
 */
const special: readonly (readonly [network: string, prefix: number, family: 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  ['192.88.99.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  ['224.0.0.0', 4, 'ipv4'],
  ['240.0.0.0', 4, 'ipv4'],
  ['::', 96, 'ipv6'],
  // IPv4 in IPv6 under a prefix other than the mapped one (RFC 2765).
  ['::ffff:0:0:0', 96, 'ipv6'],
  ['64:ff9b::', 96, 'ipv6'],
  ['64:ff9b:1::', 48, 'ipv6'],
  ['100::', 64, 'ipv6'],
  ['2001::', 23, 'ipv6'],
  ['2001:db8::', 32, 'ipv6'],
  ['2002::', 16, 'ipv6'],
  ['3fff::', 20, 'ipv6'],
  ['5f00::', 16, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  // Site-local: deprecated (RFC 3879), but still routed on some networks.
  ['fec0::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
];

const listOf = (ranges: typeof special) => {
  const list = new BlockList();
  for (const [network, prefix, family] of ranges) list.addSubnet(network, prefix, family);
  return list;
};

const family = ({ family }: LookupAddress) => (family === 6 ? 'ipv6' : 'ipv4');

/** Whether an address is on the public internet. */
export const makePublicAddressCheck = () => {
  const list = listOf(special);
  return (address: LookupAddress) => !list.check(address.address, family(address));
};

/** Whether an address belongs to this machine. */
export const makeLoopbackCheck = () => {
  const list = listOf([
    ['127.0.0.0', 8, 'ipv4'],
    ['::1', 128, 'ipv6'],
  ]);
  return (address: LookupAddress) => list.check(address.address, family(address));
};

/** The error code of a lookup that finds no allowed address. */
export const addressRefused = 'ERR_ADDRESS_REFUSED';

type Resolve = (name: string, options: { all: true }, done: (fault: Error | null, addresses: LookupAddress[]) => void) => void;

/**
 * A `lookup` for `net.connect` and `tls.connect` that keeps a name's allowed addresses, and fails when there are none.
 */
export const makeGuardedLookup =
  (allowed: (address: LookupAddress) => boolean, resolve: Resolve = systemLookup): LookupFunction =>
  (name, options, done) =>
    resolve(name, { ...options, all: true }, (fault, addresses) => {
      if (fault) return done(fault, []);
      const kept = addresses.filter(allowed);
      const first = kept[0];
      if (!first) return done(Object.assign(new Error(addressRefused), { code: addressRefused }), []);
      return options.all ? done(null, kept) : done(null, first.address, first.family);
    });
