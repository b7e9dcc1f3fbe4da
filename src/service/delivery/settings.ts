// The settings of delivery: the form of each, and which belong together.
import { isSupportedCountry } from 'libphonenumber-js';
import { z } from 'zod';
import { type Environment, isInTheClear, list, needs, visible } from '../../platform/settings/environment.ts';
import type { Ways } from './open.ts';

const bare = 'must be an address without query or fragment';
const hostOf = (url: string) => URL.parse(url)?.hostname;

/** The SMS gateway's address. It receives the account's password. */
const smsGateway = z
  .url({ protocol: /^https?$/, error: 'must be an address such as https://api.twilio.com', abort: true })
  .refine((url) => !/[?#@]/.test(url), 'must be an address without credentials, query or fragment')
  .refine((url) => !isInTheClear(url), 'must be an https address, unless it is on this machine');

/** A number, a short code, a name as some countries allow it, or a messaging service. */
const smsSender = z
  .string()
  .regex(
    /^(?:\+[1-9]\d{6,14}|\d{3,8}|MG[0-9a-f]{32}|(?=.*[A-Za-z])[A-Za-z0-9 ]{2,11})$/,
    'must be a phone number such as +15005550006, a short code, a name of at most 11 letters, or a messaging service (MG…)',
  );

/** Countries as ISO 3166 writes them. */
const countries = list.refine(
  (codes) => codes.length > 0 && codes.every((code) => isSupportedCountry(code)),
  'must be country codes of two capital letters such as US, separated by commas',
);

/** An SMTP server, with user and password if it requires them. */
const mailServer = z
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

/** The sender of mail: an address, or a name with an address in angle brackets. */
const mailSender = z
  .string()
  .trim()
  .refine(
    (value) => z.email().safeParse(/^[^<>"\r\n]{1,100}<([^<>]+)>$/.exec(value)?.[1] ?? value).success,
    'must be an e-mail address, or a name with one: Example <no-reply@example.com>',
  );

export const deliveryFields = {
  SMS_GATEWAY_URL: smsGateway.optional(),
  SMS_ACCOUNT_SID: visible.optional(),
  SMS_AUTH_TOKEN: visible.optional(),
  SMS_FROM: smsSender.optional(),
  SMS_COUNTRIES: countries.optional(),
  SMTP_URL: mailServer.optional(),
  MAIL_FROM: mailSender.optional(),
};

/** A line for each missing setting of a channel that is partly configured. */
export const deliveryWrong = (set: Environment): string[] => {
  const sms = ['SMS_GATEWAY_URL', 'SMS_ACCOUNT_SID', 'SMS_AUTH_TOKEN', 'SMS_FROM'];
  const given = sms.find((name) => set[name]);
  return [
    ...(given ? needs(set, sms, `${given} is`) : []),
    ...(set.SMTP_URL ? needs(set, ['MAIL_FROM'], 'SMTP_URL is') : []),
    ...(set.MAIL_FROM ? needs(set, ['SMTP_URL'], 'MAIL_FROM is') : []),
  ];
};

/** The delivery channels. Each is configured completely or not at all. */
export const waysOf = (settings: z.output<z.ZodObject<typeof deliveryFields>>): Ways => {
  const { MAIL_FROM: from, SMS_ACCOUNT_SID: accountSid, SMS_AUTH_TOKEN: authToken, SMS_FROM, SMS_GATEWAY_URL, SMTP_URL } = settings;
  return {
    ...(SMS_GATEWAY_URL && accountSid && authToken && SMS_FROM && { sms: { url: SMS_GATEWAY_URL, accountSid, authToken, from: SMS_FROM } }),
    ...(SMTP_URL && from && { mail: { url: SMTP_URL, from } }),
  };
};
