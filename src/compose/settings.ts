// Every setting, read from the environment once. All that is wrong is told together, by name.
import { isSupportedCountry } from 'libphonenumber-js';
import { z } from 'zod';
import { unsafeSettings } from '../bot/refuse-unsafe.ts';
import { phoneNumber } from '../contract/index.ts';
import { SettingsError } from '../platform/settings-error.ts';
import { loadTheme } from '../platform/theme.ts';
import { loadAccounts } from '../service/catalogue/load.ts';
import type { Program } from './command.ts';
import { countries, mailSender, mailServer, smsGateway, smsSender } from './delivery-settings.ts';
import { readForms, readTitles } from './forms.ts';
import { exposed, secretLength } from './production-settings.ts';
import { issuer, roleValues, scopes, signInWrong } from './sign-in-settings.ts';
import { waitMinutes } from './wait-settings.ts';

const port = (preset: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/, 'must be a port number, 0 to 65535')
    .transform(Number)
    .refine((number) => number <= 65_535, 'must be a port number, 0 to 65535')
    .default(preset);
const address = (protocol: RegExp, example: string) =>
  z
    .url({ protocol, error: `must be an address such as ${example}`, abort: true })
    .refine((url) => !/[?#@]/.test(url), 'must be an address without credentials, query or fragment')
    .optional();
const words = z.string().trim().min(1, 'must not be empty').optional();

/** What a header can carry. */
const visible = z.string().regex(/^[\x21-\x7e]+$/, 'must be made of visible ASCII characters');

const flag = z.enum(['true', 'false'], { error: 'must be true or false' }).transform((value) => value === 'true');

const days = (preset: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,3}$/, 'must be a number of days, 1 to 9999')
    .transform(Number)
    .default(preset);

/** How often something may be done, or how much it may be. */
const amount = z
  .string()
  .regex(/^[1-9]\d{0,5}$/, 'must be a whole number, 1 to 999999')
  .transform(Number)
  .optional();

const postgres = (database: string) =>
  z
    .url({
      protocol: /^postgres(?:ql)?$/,
      error: `must be an address such as postgres://user:password@db.example.com:5432/${database}; unset it to use the embedded database`,
    })
    .optional();

const schema = z.object({
  PORT: port(3978),
  SERVICE_PORT: port(4010),
  DATA_DIR: z.string().trim().min(1, 'must not be empty').default('.data'),
  DATABASE_URL: postgres('bot'),
  SERVICE_DATABASE_URL: postgres('service'),
  RETENTION_DAYS: days(30),
  TRUSTED_PROXIES: z.string().regex(/^\d$/, 'must be a number, 0 to 9').transform(Number).default(0),
  SERVICE_BASE_URL: address(/^https?$/, 'https://service.example.com'),
  SERVICE_WS_URL: address(/^wss?$/, 'wss://service.example.com/ws'),
  SERVICE_SECRET_KEY: visible.optional(),
  SERVICE_BOOTSTRAP: z.enum(['body', 'query', 'post'], { error: 'must be body, query or post' }).default('body'),
  SERVICE_IDEMPOTENT: flag.optional(),
  SERVICE_MULTIPLEX: flag.optional(),
  WAIT_MINUTES: waitMinutes.optional(),
  SERVICE_SHOWS_CODE: flag.optional(),
  SERVICE_CATALOGUE: words,
  SERVICE_THEME: words,
  SERVICE_PAYMENT_GATEWAY: z.enum(['sandbox', 'stripe', 'http'], { error: 'must be sandbox, stripe or http' }).default('sandbox'),
  STRIPE_SECRET_KEY: visible.optional(),
  STRIPE_WEBHOOK_SECRET: visible.optional(),
  SERVICE_GATEWAY_URL: address(/^https?$/, 'https://payments.example.com/checkout'),
  SERVICE_GATEWAY_SECRET: visible.min(24, 'must have at least 24 characters').optional(),
  SERVICE_PEPPER: visible.min(32, 'must have at least 32 characters').optional(),
  SERVICE_ACCOUNT_KEY: words,
  SERVICE_SIGNING_KEY: words,
  SERVICE_SIGNING_CERTIFICATE: words,
  SERVICE_OIDC_ISSUER: issuer.optional(),
  SERVICE_OIDC_CLIENT_ID: visible.optional(),
  SERVICE_OIDC_CLIENT_SECRET: visible.optional(),
  SERVICE_OIDC_SCOPES: scopes.default('openid profile email'),
  SERVICE_OIDC_ROLE_CLAIM: z.string().trim().min(1, 'must not be empty').max(200, 'must have 200 characters at most').default('roles'),
  SERVICE_OIDC_OPERATORS: roleValues.default(['countersign-operator']),
  SERVICE_OIDC_VIEWERS: roleValues.default(['countersign-viewer']),
  SERVICE_ACCESS_LOG_DAYS: days(400),
  SERVICE_RETENTION_DAYS: days(365),
  SMS_GATEWAY_URL: smsGateway.optional(),
  SMS_ACCOUNT_SID: visible.optional(),
  SMS_AUTH_TOKEN: visible.optional(),
  SMS_FROM: smsSender.optional(),
  SMS_COUNTRIES: countries.optional(),
  SMTP_URL: mailServer.optional(),
  MAIL_FROM: mailSender.optional(),
  SERVICE_PUBLIC_URL: address(/^https?$/, 'https://verify.example.com'),
  SERVICE_HOSTS: z
    .string()
    .transform((value) => value.split(/[\s,]+/).filter(Boolean))
    .pipe(z.array(z.hostname('must be host names such as service.internal, without ports, apart by commas')))
    .optional(),
  MicrosoftAppId: words,
  MicrosoftAppType: words,
  MicrosoftAppTenantId: words,
  MicrosoftAppPassword: words,
  CHAT_THEME: words,
  PUBLIC_URL: address(/^https?$/, 'https://chat.example.com'),
  TEAMS_PHONE: z.enum(['ask', 'graph'], { error: 'must be ask or graph' }).default('ask'),
  LOOKUP_REPLIES: z.enum(['offer', 'alike'], { error: 'must be offer or alike' }).optional(),
  CATALOGUE_NUMBER: z
    .string()
    .refine((number) => phoneNumber.safeParse(number).success, 'must be a phone number such as +12025550102')
    .optional(),
  DEFAULT_REGION: z.string().refine(isSupportedCountry, 'must be two capital letters, an ISO 3166 country code such as US').default('US'),
  DEFAULT_LOCALE: z.enum(['en', 'es'], { error: 'must be a language the bot speaks: en or es' }).default('en'),
  DIRECTLINE_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  DIRECTLINE_ORIGINS: z
    .string()
    .transform((value) => value.split(/[\s,]+/).filter(Boolean))
    .pipe(z.array(z.url({ protocol: /^https?$/, error: 'must be origins such as https://www.example.com, apart by commas' })))
    .optional(),
  FORMS_FILE: words,
  MENU_FILE: words,
  HANDOFF: z.enum(['none', 'event'], { error: 'must be none or event' }).default('none'),
  AGENT_CONTACT: words,
  CHAT_TOKEN_KEY: visible.min(secretLength, `must have at least ${secretLength} characters`).optional(),
  CHATS_PER_ADDRESS: amount,
  CHAT_MESSAGES: amount,
  CHAT_REQUESTS: amount,
  CHAT_MEGABYTES: amount,
  METRICS_TOKEN: z.string().min(32, 'must have at least 32 characters').optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: address(/^https?$/, 'http://collector.example.com:4318'),
  OTEL_SERVICE_NAME: z.string().trim().min(1).default('countersign'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'], { error: 'must be trace, debug, info, warn, error or silent' })
    .optional(),
  NODE_ENV: z.string().optional(),
});

/** The settings, checked. Names and defaults as in decisions: Settings every build keeps, and the README. */
export type Settings = z.output<typeof schema> & { readonly LOG_LEVEL: string };

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the environment for what is to be started; an empty variable counts as unset.
 * @throws {SettingsError} with a line for everything that is wrong: in a setting, in a file it names, or only in combination.
 */
export const readSettings = (environment: Environment, command: Program = 'all'): Settings => {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''));
  const { success, data, error } = schema.safeParse(set);
  // Whoever sets a list sees one setting: what is wrong in several places of it is told once, by its name.
  const own = new Set(success ? [] : error.issues.map(({ path: [name], message }) => `${String(name)}: ${message}.`));
  const lines = [...own, ...filesWrong(set, command), ...togetherWrong(set, command)];
  if (!success || lines.length > 0) throw new SettingsError(lines);
  // Whoever tries it out on a terminal reads the addresses, not a log.
  return { ...data, LOG_LEVEL: data.LOG_LEVEL ?? (data.NODE_ENV === 'production' || data.MicrosoftAppId ? 'info' : 'warn') };
};

/** What is wrong in the files that settings name, as far as they will be read. */
const filesWrong = (set: Environment, command: Program): string[] => {
  const { CHAT_THEME, FORMS_FILE, MENU_FILE, SERVICE_BASE_URL, SERVICE_CATALOGUE, SERVICE_THEME } = set;
  const service = command === 'service' || (command === 'all' && !SERVICE_BASE_URL);
  return [
    ...(FORMS_FILE && command !== 'service' ? linesOf(() => readForms(FORMS_FILE)) : []),
    ...(MENU_FILE && command !== 'service' ? linesOf(() => readTitles(MENU_FILE)) : []),
    ...(CHAT_THEME && command !== 'service' ? linesOf(() => loadTheme(CHAT_THEME, 'CHAT_THEME')) : []),
    ...(SERVICE_CATALOGUE && service ? linesOf(() => loadAccounts(SERVICE_CATALOGUE, set)) : []),
    ...(SERVICE_THEME && service ? linesOf(() => loadTheme(SERVICE_THEME, 'SERVICE_THEME')) : []),
  ];
};

const linesOf = (check: () => unknown): readonly string[] => {
  try {
    check();
    return [];
  } catch (fault) {
    if (fault instanceof SettingsError) return fault.lines;
    throw fault;
  }
};

/** What is wrong only in combination. */
const togetherWrong = (set: Environment, command: Program): string[] => {
  const { NODE_ENV, SERVICE_BASE_URL, SERVICE_SECRET_KEY, SERVICE_WS_URL, TEAMS_PHONE } = set;
  const production = NODE_ENV === 'production';
  if (command === 'service') return [...(production ? [...unfitForProduction(set), ...exposed(set, command)] : []), ...serviceWrong(set)];
  return [
    ...unsafeSettings(set),
    ...(production ? exposed(set, command) : []),
    ...(TEAMS_PHONE === 'graph' && !production ? needs(set, ['MicrosoftAppId'], 'TEAMS_PHONE is graph') : []),
    ...(SERVICE_BASE_URL && !SERVICE_SECRET_KEY ? ['SERVICE_SECRET_KEY: must be set when SERVICE_BASE_URL is.'] : []),
    ...(!SERVICE_BASE_URL && SERVICE_WS_URL ? ['SERVICE_BASE_URL: must be set when SERVICE_WS_URL is.'] : []),
    ...(!SERVICE_BASE_URL && !SERVICE_WS_URL && production
      ? ['SERVICE_BASE_URL: must be set when NODE_ENV is production. The service that comes with the bot is for trying it out.']
      : []),
    ...(command === 'all' && !SERVICE_BASE_URL ? [...samePort(set), ...serviceWrong(set)] : []),
  ];
};

/** Both would be started, and only one can have the port. */
const samePort = ({ PORT = '3978', SERVICE_PORT = '4010' }: Environment): string[] =>
  PORT !== '0' && Number(PORT) === Number(SERVICE_PORT) ? ['SERVICE_PORT: must be another port than PORT.'] : [];

/** A line for each of the names that is not set. */
const needs = (set: Environment, names: readonly string[], when: string) =>
  names.filter((name) => !set[name]).map((name) => `${name}: must be set when ${when}.`);

/** What keeps the service from being a production's own: outside demo mode nothing stands in for what is missing. */
const unfitForProduction = (set: Environment): string[] => {
  const { SERVICE_PAYMENT_GATEWAY = 'sandbox', SERVICE_PUBLIC_URL, SMS_GATEWAY_URL, SMTP_URL } = set;
  return [
    ...needs(set, ['SERVICE_CATALOGUE', 'SERVICE_PUBLIC_URL'], 'NODE_ENV is production'),
    ...(SERVICE_PUBLIC_URL?.startsWith('http:')
      ? ['SERVICE_PUBLIC_URL: must be an https address when NODE_ENV is production: passkeys and secrets need it.']
      : []),
    ...(SMS_GATEWAY_URL || SMTP_URL
      ? []
      : ['SMS_GATEWAY_URL: must be set, or SMTP_URL, when NODE_ENV is production: nothing would reach customers.']),
    ...(SERVICE_PAYMENT_GATEWAY === 'sandbox' && sellsSomething(set)
      ? ['SERVICE_PAYMENT_GATEWAY: must be stripe or http when NODE_ENV is production and there are products: the sandbox moves no money.']
      : []),
  ];
};

const sellsSomething = (set: Environment) => {
  const { SERVICE_CATALOGUE } = set;
  try {
    return SERVICE_CATALOGUE !== undefined && loadAccounts(SERVICE_CATALOGUE, set).some(({ catalogue }) => catalogue.products.length > 0);
  } catch (fault) {
    // What is wrong with the file is told with the files.
    if (fault instanceof SettingsError) return false;
    throw fault;
  }
};

/** What the service lacks, where it is started here. */
const serviceWrong = (set: Environment): string[] => {
  const { MAIL_FROM, SERVICE_DATABASE_URL, SERVICE_PAYMENT_GATEWAY, SERVICE_SIGNING_CERTIFICATE, SERVICE_SIGNING_KEY, SMTP_URL } = set;
  const sms = ['SMS_GATEWAY_URL', 'SMS_ACCOUNT_SID', 'SMS_AUTH_TOKEN', 'SMS_FROM'];
  const given = sms.find((name) => set[name]);
  const gateway = `SERVICE_PAYMENT_GATEWAY is ${SERVICE_PAYMENT_GATEWAY}`;
  return [
    ...(SERVICE_PAYMENT_GATEWAY === 'stripe' ? needs(set, ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'], gateway) : []),
    ...(SERVICE_PAYMENT_GATEWAY === 'http' ? needs(set, ['SERVICE_GATEWAY_URL', 'SERVICE_GATEWAY_SECRET'], gateway) : []),
    ...(SERVICE_DATABASE_URL
      ? needs(set, sharedSettings, 'SERVICE_DATABASE_URL is')
      : [
          ...(SERVICE_SIGNING_KEY ? needs(set, ['SERVICE_SIGNING_CERTIFICATE'], 'SERVICE_SIGNING_KEY is') : []),
          ...(SERVICE_SIGNING_CERTIFICATE ? needs(set, ['SERVICE_SIGNING_KEY'], 'SERVICE_SIGNING_CERTIFICATE is') : []),
        ]),
    ...(given ? needs(set, sms, `${given} is`) : []),
    ...(SMTP_URL ? needs(set, ['MAIL_FROM'], 'SMTP_URL is') : []),
    ...(MAIL_FROM ? needs(set, ['SMTP_URL'], 'MAIL_FROM is') : []),
    ...signInWrong(set),
  ];
};

/** What must be the same on all replicas of the service: nothing of it may be made up by one of them. */
const sharedSettings = ['SERVICE_SECRET_KEY', 'SERVICE_PEPPER', 'SERVICE_SIGNING_KEY', 'SERVICE_SIGNING_CERTIFICATE', 'SERVICE_PUBLIC_URL'];
