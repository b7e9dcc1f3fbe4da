// Name resolution for outgoing connections that never returns an address outside its bounds, so that rebinding a name
// gains nothing.
import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The part of IPv6 that is given to networks (RFC 4291, section 2.4). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address is on the public internet: in no special-purpose range (IANA's registries; the rules for IPv4 apply
 * to IPv4-mapped IPv6).
 */
export const isPublicAddress = ({ address }: Pick<LookupAddress, 'address'>): boolean => {
  const parsed = ipaddr.process(address);
  // The library also takes ::8.8.8.8, a form that is deprecated (RFC 4291, section 2.5.5.1), for the address in it.
  const isUsual = parsed instanceof ipaddr.IPv4 ? !/^::(?!ffff:)/i.test(address) : parsed.match(globalUnicast);
  return parsed.range() === 'unicast' && isUsual;
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
