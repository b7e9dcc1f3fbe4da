// The settings that every bot has, read from the environment; capabilities have their own beside them.
import { isSupportedCountry } from 'libphonenumber-js';
import { z } from 'zod';
import { chatLanguages } from '../../../dialogs/index.ts';
import { type AppId, isAppId, phoneNumber } from '../../contract/index.ts';
import { telemetryShape } from '../../platform/open-telemetry.ts';
import { address, common, days, flag, list, port, postgres, secretLength, visible, words } from '../../platform/settings/environment.ts';

/** A limit. */
const amount = z
  .string()
  .regex(/^[1-9]\d{0,5}$/, 'must be a whole number, 1 to 999999')
  .transform(Number)
  .optional();

const isMinutes = (text: string | undefined) => text !== undefined && /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 10_080;

const notMinutes = 'must be a list such as payments=30,e-form=45, of apps and whole minutes from 1 to 10080 (a week)';

/**
 * How long each app's requests are valid if the service does not say. An app that is not named keeps the default.
 */
const waitMinutes = z
  .string()
  .transform((list) => list.split(',').map((entry) => entry.trim().split('=')))
  .refine((entries) => entries.every(([app, minutes, more]) => isAppId(app) && isMinutes(minutes) && more === undefined), notMinutes)
  .refine((entries) => new Set(entries.map(([app]) => app)).size === entries.length, 'must name each app once')
  .transform((entries): Partial<Record<AppId, number>> => Object.fromEntries(entries.map(([app, minutes]) => [app, Number(minutes)])));

/** A host as in links, with its port unless that is the default. */
const isHost = (given: string) => {
  const { host, hostname } = URL.parse(`https://${given}`) ?? {};
  return host === given.toLowerCase() && z.hostname().safeParse(hostname).success;
};

const notHosts = 'must be hosts such as verify.example.com, separated by commas';

/** Their forms; docs/operations.md lists their names and defaults. */
export const coreShape = {
  ...common,
  PORT: port(3978),
  SERVICE_PORT: port(4010),
  DATABASE_URL: postgres('bot').optional(),
  RETENTION_DAYS: days(30),
  SERVICE_BASE_URL: address(/^https?$/, 'https://service.example.com').optional(),
  SERVICE_WS_URL: address(/^wss?$/, 'wss://service.example.com/ws').optional(),
  SERVICE_SECRET_KEY: visible.optional(),
  SERVICE_BOOTSTRAP: z.enum(['body', 'query', 'post'], { error: 'must be body, query or post' }).default('body'),
  SERVICE_IDEMPOTENT: flag.optional(),
  SERVICE_MULTIPLEX: flag.optional(),
  WAIT_MINUTES: waitMinutes.optional(),
  SERVICE_SHOWS_CODE: flag.optional(),
  SERVICE_LINK_HOSTS: list.pipe(z.array(z.string().refine(isHost, notHosts))).optional(),
  MicrosoftAppId: words.optional(),
  MicrosoftAppType: words.optional(),
  MicrosoftAppTenantId: words.optional(),
  MicrosoftAppPassword: words.optional(),
  CHAT_THEME: words.optional(),
  PUBLIC_URL: address(/^https?$/, 'https://chat.example.com').optional(),
  TEAMS_PHONE: z.enum(['ask', 'graph'], { error: 'must be ask or graph' }).default('ask'),
  TEAMS_TENANTS: list
    .pipe(z.array(z.guid('must be tenant ids such as 66666666-7777-4888-9999-000000000000, separated by commas')))
    .optional(),
  LOOKUP_REPLIES: z.enum(['offer', 'alike'], { error: 'must be offer or alike' }).optional(),
  CATALOGUE_NUMBER: z
    .string()
    .refine((number) => phoneNumber.safeParse(number).success, 'must be a phone number such as +12025550102')
    .optional(),
  DEFAULT_REGION: z.string().refine(isSupportedCountry, 'must be two capital letters, an ISO 3166 country code such as US').default('US'),
  DEFAULT_LOCALE: z.enum(chatLanguages, { error: `must be a language the bot speaks: ${chatLanguages.join(', ')}` }).default('en'),
  DIRECTLINE_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  DIRECTLINE_ORIGINS: list
    .pipe(z.array(z.url({ protocol: /^https?$/, error: 'must be origins such as https://www.example.com, separated by commas' })))
    .optional(),
  VOICE_TRANSFER: z
    .string()
    .regex(
      /^(?:tel:\+\d{7,15}|sips?:[\w.+-]+@[\w.-]+(?::\d{1,5})?)$/,
      'must be an address such as tel:+12025550100 or sip:team@example.com',
    )
    .optional(),
  FORMS_FILE: words.optional(),
  MENU_FILE: words.optional(),
  TEXTS_DIR: words.optional(),
  AGENT_CONTACT: words.optional(),
  ASSERTION_KEY: words.optional(),
  CHAT_TOKEN_KEY: visible.min(secretLength, `must have at least ${secretLength} characters`).optional(),
  CHATS_PER_ADDRESS: amount,
  CHAT_MESSAGES: amount,
  CHAT_REQUESTS: amount,
  CHAT_MEGABYTES: amount,
  ...telemetryShape,
};

/** The core's settings, checked. */
export type CoreSettings = z.output<z.ZodObject<typeof coreShape>> & { readonly LOG_LEVEL: string };
