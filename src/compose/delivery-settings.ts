// What the settings of the ways to customers must be.
import { isSupportedCountry } from 'libphonenumber-js';
import { z } from 'zod';
import { isLoopbackHost } from '../platform/loopback.ts';

const bare = 'must be an address without query or fragment';
const hostOf = (url: string) => URL.parse(url)?.hostname;

/** Where the SMS gateway is. The account's password travels there. */
export const smsGateway = z
  .url({ protocol: /^https?$/, error: 'must be an address such as https://api.twilio.com', abort: true })
  .refine((url) => !/[?#@]/.test(url), 'must be an address without credentials, query or fragment')
  .refine((url) => url.startsWith('https:') || isLoopbackHost(hostOf(url)), 'must be an https address, unless it is on this machine');

/** A number, a short code, a name as some countries allow it, or a messaging service. */
export const smsSender = z
  .string()
  .regex(
    /^(?:\+[1-9]\d{6,14}|\d{3,8}|MG[0-9a-f]{32}|(?=.*[A-Za-z])[A-Za-z0-9 ]{2,11})$/,
    'must be a phone number such as +15005550006, a short code, a name of 11 letters at most, or a messaging service (MG…)',
  );

/** Countries as ISO 3166 writes them. */
export const countries = z
  .string()
  .transform((value) => value.split(/[\s,]+/).filter(Boolean))
  .refine(
    (codes) => codes.length > 0 && codes.every((code) => isSupportedCountry(code)),
    'must be country codes of two capital letters such as US, apart by commas',
  );

/** An SMTP server, with user and password where it asks for them. */
export const mailServer = z
  .url({ protocol: /^smtps?$/, error: 'must be an address such as smtp://user:password@mail.example.com:587', abort: true })
  .refine((url) => !/[?#]/.test(url), bare)
  .refine((url) => (hostOf(url) ?? '') !== '', 'must name a server')
  .refine(decodes, 'must have its user and password percent-encoded');

function decodes(url: string) {
  const { username, password } = new URL(url);
  try {
    return decodeURIComponent(username + password) !== undefined;
  } catch {
    return false;
  }
}

/** Who mail comes from: an address, or a name with an address in angle brackets. */
export const mailSender = z
  .string()
  .trim()
  .refine(
    (value) => z.email().safeParse(/^[^<>"\r\n]{1,100}<([^<>]+)>$/.exec(value)?.[1] ?? value).success,
    'must be an e-mail address, or a name with one: Example <no-reply@example.com>',
  );
