// The service's settings, read from the environment once. All mistakes are reported together, by name.
import { z } from 'zod';
import type { Log } from '../platform/log.ts';
import { telemetryShape } from '../platform/open-telemetry.ts';
import { loadTheme } from '../platform/pages/theme.ts';
import {
  address,
  common,
  days,
  type Environment,
  flag,
  inTheClear,
  linesOf,
  list,
  needs,
  port,
  postgres,
  readEnvironment,
  shortSecrets,
  unsaidProxies,
  visible,
  words,
} from '../platform/settings/environment.ts';
import { SettingsError } from '../platform/settings/settings-error.ts';
import { openIdOf, signInFields, signInWrong } from './console/openid/settings.ts';
import { loadAccounts } from './core/catalogue/load.ts';
import { deliveryFields, deliveryWrong, waysOf } from './delivery/settings.ts';
import type { ServiceOptions } from './options.ts';
import type { GatewaySettings } from './payments/open.ts';

const schema = z.object({
  ...common,
  ...telemetryShape,
  SERVICE_PORT: port(4010),
  SERVICE_DATABASE_URL: postgres('service').optional(),
  SERVICE_SECRET_KEY: visible.optional(),
  SERVICE_CATALOGUE: words.optional(),
  SERVICE_THEME: words.optional(),
  SERVICE_PAYMENT_GATEWAY: z.enum(['sandbox', 'stripe', 'http'], { error: 'must be sandbox, stripe or http' }).default('sandbox'),
  STRIPE_SECRET_KEY: visible.optional(),
  STRIPE_WEBHOOK_SECRET: visible.optional(),
  SERVICE_GATEWAY_URL: address(/^https?$/, 'https://payments.example.com/checkout').optional(),
  SERVICE_GATEWAY_SECRET: visible.min(24, 'must have at least 24 characters').optional(),
  SERVICE_PEPPER: visible.min(32, 'must have at least 32 characters').optional(),
  SERVICE_ACCOUNT_KEY: words.optional(),
  SERVICE_SIGNING_KEY: words.optional(),
  SERVICE_SIGNING_CERTIFICATE: words.optional(),
  ...signInFields,
  SERVICE_ACCESS_LOG_DAYS: days(400),
  SERVICE_RETENTION_DAYS: days(365),
  ...deliveryFields,
  SERVICE_PUBLIC_URL: address(/^https?$/, 'https://verify.example.com').optional(),
  SERVICE_HOSTS: list
    .pipe(z.array(z.hostname('must be host names such as service.internal, without ports, separated by commas')))
    .optional(),
  SERVICE_RETURNS_LINKS: flag.optional(),
});

/** The settings, checked; the manual lists their names and defaults. */
export type ServiceSettings = z.output<typeof schema> & { readonly LOG_LEVEL: string };

/** The names of all settings that the service reads, for the warning of misspelt ones and for the test of its documents. */
export const settingNames: readonly string[] = Object.keys(schema.shape);

/**
 * Reads the settings; an empty variable counts as unset.
 * @throws {SettingsError} with a line for every mistake: in a setting, in a file it names, or in a combination.
 */
export const readServiceSettings = (environment: Environment): ServiceSettings => {
  const settings = readEnvironment(schema, environment, (set) => [...filesWrong(set), ...productionWrong(set), ...togetherWrong(set)]);
  return { ...settings, LOG_LEVEL: settings.LOG_LEVEL ?? (settings.NODE_ENV === 'production' ? 'info' : 'warn') };
};

/** Mistakes in the files that settings name. */
const filesWrong = (set: Environment): string[] => {
  const { SERVICE_CATALOGUE, SERVICE_THEME } = set;
  return [
    ...(SERVICE_CATALOGUE ? linesOf(() => loadAccounts(SERVICE_CATALOGUE, set)) : []),
    ...(SERVICE_THEME ? linesOf(() => loadTheme(SERVICE_THEME, 'SERVICE_THEME')) : []),
  ];
};

/** Settings that production lacks: it has no defaults for them. */
const productionWrong = (set: Environment): string[] => {
  if (set.NODE_ENV !== 'production') return [];
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
    ...unsaidProxies(set),
    ...shortSecrets(set, ['SERVICE_SECRET_KEY', 'SERVICE_GATEWAY_SECRET', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'SMS_AUTH_TOKEN']),
    ...inTheClear(set, ['SERVICE_GATEWAY_URL']),
  ];
};

const sellsSomething = (set: Environment) => {
  const { SERVICE_CATALOGUE } = set;
  try {
    return SERVICE_CATALOGUE !== undefined && loadAccounts(SERVICE_CATALOGUE, set).some(({ products }) => products.length > 0);
  } catch (fault) {
    // The file's mistakes are already among the lines about files.
    if (fault instanceof SettingsError) return false;
    throw fault;
  }
};

/** Mistakes in combinations. */
const togetherWrong = (set: Environment): string[] => {
  const { SERVICE_DATABASE_URL, SERVICE_PAYMENT_GATEWAY, SERVICE_SIGNING_CERTIFICATE, SERVICE_SIGNING_KEY } = set;
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
    ...deliveryWrong(set),
    ...signInWrong(set),
  ];
};

/** Settings that must be the same on all replicas, so that none generates its own. */
const sharedSettings = ['SERVICE_SECRET_KEY', 'SERVICE_PEPPER', 'SERVICE_SIGNING_KEY', 'SERVICE_SIGNING_CERTIFICATE', 'SERVICE_PUBLIC_URL'];

/**
 * The options from the settings: in production for every network interface, otherwise on loopback and in demo mode.
 */
export const optionsOf = (settings: ServiceSettings, log: Log): ServiceOptions => {
  const production = settings.NODE_ENV === 'production';
  const { SERVICE_SIGNING_CERTIFICATE: certificateFile, SERVICE_SIGNING_KEY: keyFile } = settings;
  return {
    port: settings.SERVICE_PORT,
    host: production ? '0.0.0.0' : '127.0.0.1',
    dataDir: settings.DATA_DIR,
    databaseUrl: settings.SERVICE_DATABASE_URL,
    publicUrl: settings.SERVICE_PUBLIC_URL,
    hosts: settings.SERVICE_HOSTS,
    proxies: settings.TRUSTED_PROXIES,
    metricsToken: settings.METRICS_TOKEN,
    tracing: settings,
    pepper: settings.SERVICE_PEPPER,
    accountKeyFile: settings.SERVICE_ACCOUNT_KEY,
    secretKey: settings.SERVICE_SECRET_KEY,
    demo: !production,
    catalogueFile: settings.SERVICE_CATALOGUE,
    themeFile: settings.SERVICE_THEME,
    gateway: gatewayOf(settings),
    signing: keyFile !== undefined && certificateFile !== undefined ? { keyFile, certificateFile } : undefined,
    ways: waysOf(settings),
    smsCountries: settings.SMS_COUNTRIES,
    openId: openIdOf(settings),
    accessLogDays: settings.SERVICE_ACCESS_LOG_DAYS,
    retentionDays: settings.SERVICE_RETENTION_DAYS,
    returnsLinks: settings.SERVICE_RETURNS_LINKS,
    log,
  };
};

/** The payment gateway. Its own settings have already been checked. */
const gatewayOf = (settings: ServiceSettings): GatewaySettings => {
  const { SERVICE_GATEWAY_SECRET: secret = '', SERVICE_GATEWAY_URL: url, SERVICE_PAYMENT_GATEWAY: name } = settings;
  const { STRIPE_SECRET_KEY: secretKey = '', STRIPE_WEBHOOK_SECRET: webhookSecret = '' } = settings;
  if (name === 'stripe') return { name, secretKey, webhookSecret, url };
  return name === 'http' ? { name, url: url ?? '', secret } : { name };
};
