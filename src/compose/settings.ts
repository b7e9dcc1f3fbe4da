// Every setting, read from the environment once. All that is wrong is told together, by name.
import { z } from 'zod';
import { SettingsError } from '../platform/settings-error.ts';

const port = (preset: number) =>
  z.coerce.number({ error: 'must be a port number' }).int().min(0).max(65_535, 'must be a port number').default(preset);
const address = (protocol: RegExp, example: string) => z.url({ protocol, error: `must be an address such as ${example}` }).optional();
const words = z.string().trim().min(1, 'must not be empty').optional();

const flag = z.enum(['true', 'false'], { error: 'must be true or false' }).transform((value) => value === 'true');

const schema = z.object({
  PORT: port(3978),
  SERVICE_PORT: port(4010),
  DATA_DIR: z.string().trim().min(1).default('.data'),
  DATABASE_URL: z
    .undefined({ error: 'Postgres is not supported by this version; unset it to use the embedded database under DATA_DIR' })
    .optional(),
  SERVICE_BASE_URL: address(/^https?$/, 'https://service.example.com'),
  SERVICE_WS_URL: address(/^wss?$/, 'wss://service.example.com/ws'),
  SERVICE_SECRET_KEY: words,
  SERVICE_BOOTSTRAP: z.enum(['body', 'query', 'post'], { error: 'must be body, query or post' }).default('body'),
  SERVICE_IDEMPOTENT: flag.optional(),
  SERVICE_CATALOGUE: words,
  SERVICE_PAYMENT_GATEWAY: z.enum(['sandbox', 'stripe', 'http'], { error: 'must be sandbox, stripe or http' }).default('sandbox'),
  STRIPE_SECRET_KEY: words,
  STRIPE_WEBHOOK_SECRET: words,
  SERVICE_GATEWAY_URL: address(/^https?$/, 'https://payments.example.com/checkout'),
  SERVICE_GATEWAY_SECRET: z.string().trim().min(24, 'must have 24 characters at least').optional(),
  SERVICE_SIGNING_KEY: words,
  SERVICE_SIGNING_CERTIFICATE: words,
  SERVICE_PUBLIC_URL: address(/^https?$/, 'https://verify.example.com'),
  MicrosoftAppId: words,
  MicrosoftAppType: words,
  MicrosoftAppTenantId: words,
  MicrosoftAppPassword: words,
  PUBLIC_URL: address(/^https?$/, 'https://chat.example.com'),
  TEAMS_PHONE: z.enum(['ask', 'graph'], { error: 'must be ask or graph' }).default('ask'),
  DEFAULT_REGION: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be two capital letters, an ISO 3166 country code such as US')
    .default('US'),
  DEFAULT_LOCALE: z.enum(['en', 'es'], { error: 'must be a language the bot speaks: en or es' }).default('en'),
  DIRECTLINE_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  DIRECTLINE_ORIGINS: z
    .string()
    .transform((value) => value.split(/[\s,]+/).filter(Boolean))
    .pipe(z.array(z.url({ protocol: /^https?$/, error: 'must be origins such as https://www.example.com, apart by commas' })))
    .optional(),
  FORMS_FILE: words,
  HANDOFF: z.enum(['none', 'event'], { error: 'must be none or event' }).default('none'),
  AGENT_CONTACT: words,
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'], { error: 'must be trace, debug, info, warn, error or silent' })
    .optional(),
  NODE_ENV: z.string().optional(),
});

/** The settings, checked. Names and defaults as in decisions: Settings every build keeps, and the README. */
export type Settings = z.output<typeof schema> & { readonly LOG_LEVEL: string };

/** Reads the environment; an empty variable counts as unset. @throws {SettingsError} with a line for each setting that is wrong. */
export const readSettings = (environment: Readonly<Record<string, string | undefined>>): Settings => {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''));
  const { success, data, error } = schema.safeParse(set);
  const lines = success ? togetherWrong(data) : error.issues.map(({ path, message }) => `${path.join('.')}: ${message}.`);
  if (!success || lines.length > 0) throw new SettingsError(lines);
  // Whoever tries it out on a terminal reads the addresses, not a log.
  return { ...data, LOG_LEVEL: data.LOG_LEVEL ?? (data.NODE_ENV === 'production' || data.MicrosoftAppId ? 'info' : 'warn') };
};

/** What is wrong only in combination. */
const togetherWrong = (settings: z.output<typeof schema>): string[] => {
  const missing = (name: keyof typeof settings, when: string, needed: unknown) =>
    needed && settings[name] === undefined ? [`${name}: must be set when ${when}.`] : [];
  const { SERVICE_BASE_URL, SERVICE_PAYMENT_GATEWAY, SERVICE_SIGNING_CERTIFICATE, SERVICE_SIGNING_KEY, SERVICE_WS_URL } = settings;
  const gateway = `SERVICE_PAYMENT_GATEWAY is ${SERVICE_PAYMENT_GATEWAY}`;
  const [stripe, http] = [SERVICE_PAYMENT_GATEWAY === 'stripe', SERVICE_PAYMENT_GATEWAY === 'http'];
  return [
    ...missing('SERVICE_SECRET_KEY', 'SERVICE_BASE_URL is', SERVICE_BASE_URL),
    ...missing('SERVICE_BASE_URL', 'SERVICE_WS_URL is', SERVICE_WS_URL),
    ...missing('STRIPE_SECRET_KEY', gateway, stripe),
    ...missing('STRIPE_WEBHOOK_SECRET', gateway, stripe),
    ...missing('SERVICE_GATEWAY_URL', gateway, http),
    ...missing('SERVICE_GATEWAY_SECRET', gateway, http),
    ...missing('SERVICE_SIGNING_CERTIFICATE', 'SERVICE_SIGNING_KEY is', SERVICE_SIGNING_KEY),
    ...missing('SERVICE_SIGNING_KEY', 'SERVICE_SIGNING_CERTIFICATE is', SERVICE_SIGNING_CERTIFICATE),
  ];
};
