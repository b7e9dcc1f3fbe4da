// The origin of an action, as far as an audit trail stores it: the network and the kind of program.
import ipaddr from 'ipaddr.js';
import type { HttpRequest } from '../../../platform/http/http-server.ts';
import type { By } from './actions.ts';

/** The origin of a call, as far as it is known. */
export type Origin = { readonly [Part in 'ipAddress' | 'userAgent']?: string | undefined };

/** The origin of a call. */
export const originOf = ({ headers, clientAddress }: Pick<HttpRequest, 'clientAddress' | 'headers'>): Origin => ({
  ipAddress: clientAddress,
  userAgent: headers['user-agent'],
});

/** The service itself, as the actor. */
export const system: By = { actor: 'system' };

const from = ({ ipAddress, userAgent }: Origin) => ({
  ip: ipAddress === undefined ? undefined : trailNetworkOf(ipAddress),
  userAgent: userAgent === undefined ? undefined : familyOf(userAgent),
});

/** The customer, on whatever device has the link. */
export const customerAt = (origin: Origin): By => ({ actor: 'customer', ...from(origin) });

/** The account's system, by the key that it used. `keyId` distinguishes keys and opens nothing. */
export const accountAt = (keyId: string, origin: Origin): By => ({ actor: `account:${keyId}`, ...from(origin) });

/** A person at the console. */
export const operatorAt = (person: string, origin: Origin): By => ({ actor: `operator:${person}`, ...from(origin) });

/** The network of an address: /24 for IPv4, /48 for IPv6; `undefined` if it is not an address. */
export const trailNetworkOf = (address: string): string | undefined => {
  if (!ipaddr.isValid(address)) return undefined;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv4
    ? `${[...parsed.octets.slice(0, 3), 0].join('.')}/24`
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString().replace(/%.*$/s, '')}/48`)}/48`;
};

/** Browsers by distinctive strings; those that imitate others come first. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ (?:Mobile\/\w+ )?Safari\//, 'Safari'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bWindows NT\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** A program by its family, such as `Safari on iOS`: versions and models reveal more than a trail needs. */
export const familyOf = (userAgent: string): string => {
  const named = (table: readonly (readonly [RegExp, string])[]) => table.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = named(browsers) ?? 'another program';
  const on = named(systems);
  return on === undefined ? browser : `${browser} on ${on}`;
};
