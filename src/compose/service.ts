// The service that the bot works with: the one the settings name, or the reference service on this machine.
import { keptSecret } from '../platform/kept-secret.ts';
import type { Log } from '../platform/log.ts';
import {
  type GatewaySettings,
  type OpenIdSettings,
  type RunningService,
  type SigningFiles,
  startService,
  type Ways,
} from '../service/index.ts';
import type { ServiceAccess } from './service-access.ts';
import type { Settings } from './settings.ts';

/**
 * Starts the reference service: in production for whoever reaches this machine, else on loopback and in demo mode.
 * @throws {SettingsError}
 */
export const startReferenceService = (settings: Settings, log: Log): Promise<RunningService> => {
  const production = settings.NODE_ENV === 'production';
  return startService({
    port: settings.SERVICE_PORT,
    host: production ? '0.0.0.0' : '127.0.0.1',
    dataDir: settings.DATA_DIR,
    databaseUrl: settings.SERVICE_DATABASE_URL,
    publicUrl: settings.SERVICE_PUBLIC_URL,
    hosts: settings.SERVICE_HOSTS,
    proxies: settings.TRUSTED_PROXIES,
    pepper: settings.SERVICE_PEPPER,
    accountKeyFile: settings.SERVICE_ACCOUNT_KEY,
    secretKey: settings.SERVICE_SECRET_KEY,
    demo: !production,
    catalogueFile: settings.SERVICE_CATALOGUE,
    themeFile: settings.SERVICE_THEME,
    gateway: gatewayOf(settings),
    signing: signingOf(settings),
    ways: waysOf(settings),
    smsCountries: settings.SMS_COUNTRIES,
    openId: openIdOf(settings),
    accessLogDays: settings.SERVICE_ACCESS_LOG_DAYS,
    retentionDays: settings.SERVICE_RETENTION_DAYS,
    log,
  });
};

/** The ways to customers. Each is there with all it needs, or not at all. */
const waysOf = (settings: Settings): Ways => {
  const { MAIL_FROM: from, SMS_ACCOUNT_SID: accountSid, SMS_AUTH_TOKEN: authToken, SMS_FROM, SMS_GATEWAY_URL, SMTP_URL } = settings;
  return {
    ...(SMS_GATEWAY_URL && accountSid && authToken && SMS_FROM && { sms: { url: SMS_GATEWAY_URL, accountSid, authToken, from: SMS_FROM } }),
    ...(SMTP_URL && from && { mail: { url: SMTP_URL, from } }),
  };
};

/** Who takes the money. What each needs has been checked with the settings. */
const gatewayOf = (settings: Settings): GatewaySettings => {
  const { SERVICE_GATEWAY_SECRET: secret = '', SERVICE_GATEWAY_URL: url, SERVICE_PAYMENT_GATEWAY: name } = settings;
  const { STRIPE_SECRET_KEY: secretKey = '', STRIPE_WEBHOOK_SECRET: webhookSecret = '' } = settings;
  if (name === 'stripe') return { name, secretKey, webhookSecret, url };
  return name === 'http' ? { name, url: url ?? '', secret } : { name };
};

const signingOf = ({ SERVICE_SIGNING_CERTIFICATE: certificateFile, SERVICE_SIGNING_KEY: keyFile }: Settings): SigningFiles | undefined =>
  keyFile !== undefined && certificateFile !== undefined ? { keyFile, certificateFile } : undefined;

/** The provider that people sign in to the console at, if there is one. What belongs together has been checked with the settings. */
export const openIdOf = (settings: Settings): OpenIdSettings | undefined => {
  const { SERVICE_OIDC_CLIENT_ID: clientId, SERVICE_OIDC_CLIENT_SECRET: clientSecret, SERVICE_OIDC_ISSUER } = settings;
  if (!SERVICE_OIDC_ISSUER || !clientId || !clientSecret) return undefined;
  const { SERVICE_OIDC_OPERATORS: operators, SERVICE_OIDC_ROLE_CLAIM: roleClaim, SERVICE_OIDC_SCOPES: scopes } = settings;
  return { issuer: SERVICE_OIDC_ISSUER, clientId, clientSecret, scopes, roleClaim, operators, viewers: settings.SERVICE_OIDC_VIEWERS };
};

/** How to reach the service: where the settings say; else on this machine, with the key that it keeps in the same data folder. */
export const serviceAccess = (settings: Settings): ServiceAccess => {
  const {
    DATA_DIR,
    SERVICE_BASE_URL,
    SERVICE_IDEMPOTENT,
    SERVICE_MULTIPLEX,
    SERVICE_PORT,
    SERVICE_SECRET_KEY,
    SERVICE_SHOWS_CODE,
    SERVICE_WS_URL,
  } = settings;
  const baseUrl = SERVICE_BASE_URL ?? `http://127.0.0.1:${SERVICE_PORT}`;
  return {
    baseUrl,
    wsUrl: SERVICE_WS_URL ?? `${baseUrl.replace(/^http/, 'ws').replace(/\/$/, '')}/ws`,
    secretKey: SERVICE_SECRET_KEY ?? keptSecret(DATA_DIR, 'service.key'),
    idempotent: SERVICE_IDEMPOTENT ?? SERVICE_BASE_URL === undefined,
    multiplex: SERVICE_MULTIPLEX ?? SERVICE_BASE_URL === undefined,
    showsCode: SERVICE_SHOWS_CODE ?? SERVICE_BASE_URL === undefined,
  };
};
