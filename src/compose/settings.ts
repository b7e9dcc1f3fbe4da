// The connector's settings, read from the environment once. All mistakes are reported together, by name.
import { isSupportedCountry } from 'libphonenumber-js';
import { z } from 'zod';
import { chatLanguages } from '../../dialogs/index.ts';
import { graphUnusable, unsafeSettings } from '../bot/index.ts';
import { type AppId, isAppId, phoneNumber } from '../contract/index.ts';
import { readRules } from '../handoff/index.ts';
import {
  address,
  common,
  days,
  type Environment,
  flag,
  inProduction,
  inTheClear,
  linesOf,
  list,
  needs,
  port,
  postgres,
  readEnvironment,
  secretLength,
  shortSecrets,
  unsaidProxies,
  visible,
  words,
} from '../platform/environment.ts';
import { issuer, roleValues, scopes } from '../platform/sign-in/openid/settings.ts';
import { loadTheme } from '../platform/theme.ts';
import { webhookKey } from '../platform/webhook-signature.ts';
import type { Program } from './command.ts';
import { readForms, readTitles } from './forms.ts';
import { skillCallers } from './skill-callers.ts';

const hubNames = ['desk', 'event', 'webhook'] as const;

/** Where people sit who take chats over; none of them, or several in their order. */
const hubs = list
  .transform((names) => names.filter((name) => name !== 'none'))
  .pipe(z.array(z.enum(hubNames, { error: 'must be none, or desk, event and webhook apart by commas' })));

/** A limit: how often, or how much. */
const amount = z
  .string()
  .regex(/^[1-9]\d{0,5}$/, 'must be a whole number, 1 to 999999')
  .transform(Number)
  .optional();

const isMinutes = (text: string | undefined) => text !== undefined && /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 10_080;

const notMinutes = 'must be a list such as payments=30,e-form=45, of apps and whole minutes from 1 to 10080 (a week)';

/**
 * How long each app's requests are valid if the service does not say. An app that is not named keeps the usual time.
 */
const waitMinutes = z
  .string()
  .transform((list) => list.split(',').map((entry) => entry.trim().split('=')))
  .refine((entries) => entries.every(([app, minutes, more]) => isAppId(app) && isMinutes(minutes) && more === undefined), notMinutes)
  .refine((entries) => new Set(entries.map(([app]) => app)).size === entries.length, 'must name each app once')
  .transform((entries): Partial<Record<AppId, number>> => Object.fromEntries(entries.map(([app, minutes]) => [app, Number(minutes)])));

/** A host as links name it, with its port where that is not the usual one. */
const isHost = (given: string) => {
  const { host, hostname } = URL.parse(`https://${given}`) ?? {};
  return host === given.toLowerCase() && z.hostname().safeParse(hostname).success;
};

const notHosts = 'must be hosts such as verify.example.com, separated by commas';

const schema = z.object({
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
  SKILL_CALLERS: skillCallers.optional(),
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
  VOICE_GATEWAY_KEY: visible.min(secretLength, `must have at least ${secretLength} characters`).optional(),
  VOICE_TRANSFER: z
    .string()
    .regex(
      /^(?:tel:\+\d{7,15}|sips?:[\w.+-]+@[\w.-]+(?::\d{1,5})?)$/,
      'must be an address such as tel:+12025550100 or sip:team@example.com',
    )
    .optional(),
  FORMS_FILE: words.optional(),
  FLOWS_DIR: words.optional(),
  MENU_FILE: words.optional(),
  HANDOFF: hubs.optional(),
  HANDOFF_FILE: words.optional(),
  HANDOFF_WEBHOOK_URL: address(/^https?$/, 'https://desk.example.com/hooks').optional(),
  HANDOFF_WEBHOOK_SECRET: list
    .pipe(
      z
        .array(z.string().refine((text) => webhookKey(text) !== undefined, 'must be whsec_ and 24 to 64 bytes in base64'))
        .max(2, 'must be two at the most'),
    )
    .optional(),
  HANDOFF_KEY: visible.min(secretLength, `must have at least ${secretLength} characters`).optional(),
  MCP_KEY: visible.min(secretLength, `must have at least ${secretLength} characters`).optional(),
  MCP_ISSUER: address(/^https?$/, 'https://login.example.com').optional(),
  MCP_AUDIENCE: visible.optional(),
  ASSERTION_KEY: words.optional(),
  DESK_OIDC_ISSUER: issuer.optional(),
  DESK_OIDC_CLIENT_ID: visible.optional(),
  DESK_OIDC_CLIENT_SECRET: visible.optional(),
  DESK_OIDC_SCOPES: scopes.default('openid profile email'),
  DESK_OIDC_ROLE_CLAIM: words.max(200, 'must have 200 characters at most').default('roles'),
  DESK_OIDC_AGENTS: roleValues.default(['countersign-agent']),
  DESK_OIDC_SUPERVISORS: roleValues.default(['countersign-supervisor']),
  DESK_KEY: visible.min(secretLength, `must have at least ${secretLength} characters`).optional(),
  AGENT_CONTACT: words.optional(),
  CHAT_TOKEN_KEY: visible.min(secretLength, `must have at least ${secretLength} characters`).optional(),
  CHATS_PER_ADDRESS: amount,
  CHAT_MESSAGES: amount,
  CHAT_REQUESTS: amount,
  CHAT_MEGABYTES: amount,
  METRICS_TOKEN: z.string().min(32, 'must have at least 32 characters').optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: address(/^https?$/, 'http://collector.example.com:4318').optional(),
  OTEL_SERVICE_NAME: z.string().trim().min(1).default('countersign'),
});

/** The connector's settings, checked; docs/operations.md lists their names and defaults. The service reads its own. */
export type Settings = z.output<typeof schema> & { readonly HANDOFF: readonly (typeof hubNames)[number][]; readonly LOG_LEVEL: string };

/** The names of all settings that the connector reads, for the test of its documents. @internal */
export const settingNames: readonly string[] = Object.keys(schema.shape);

/**
 * Reads the settings for the parts to be started. An empty variable counts as unset.
 * @throws {SettingsError} with a line for every mistake: in a setting, in a file it names, or in a combination.
 */
export const readSettings = (environment: Environment, program: Program = 'all'): Settings => {
  const settings = readEnvironment(schema, environment, (set) => [...filesWrong(set), ...togetherWrong(set, program)]);
  // On a terminal, people who try it out want to see the addresses, not a log.
  return {
    ...settings,
    // Whoever tries it out finds a desk at which they can be the person.
    HANDOFF: settings.HANDOFF ?? (isPublic(settings) ? [] : ['desk']),
    LOG_LEVEL: settings.LOG_LEVEL ?? (isPublic(settings) ? 'info' : 'warn'),
  };
};

/** Mistakes in the files that settings name. */
const filesWrong = ({ CHAT_THEME, FORMS_FILE, HANDOFF_FILE, MENU_FILE, ...set }: Environment): string[] => [
  ...(HANDOFF_FILE && hubsIn(set)
    ? linesOf(() =>
        readRules(
          HANDOFF_FILE,
          hubsIn(set)
            .split(/[\s,]+/)
            .filter(Boolean),
        ),
      )
    : []),
  ...(FORMS_FILE ? linesOf(() => readForms(FORMS_FILE)) : []),
  ...(MENU_FILE ? linesOf(() => readTitles(MENU_FILE)) : []),
  ...(CHAT_THEME ? linesOf(() => loadTheme(CHAT_THEME, 'CHAT_THEME')) : []),
];

/** Mistakes in combinations. */
const togetherWrong = (set: Environment, program: Program): string[] => {
  const { HANDOFF_FILE, NODE_ENV, SERVICE_BASE_URL, SERVICE_WS_URL, SKILL_CALLERS, TEAMS_PHONE } = set;
  const HANDOFF = hubsIn(set);
  const production = NODE_ENV === 'production';
  return [
    ...unsafeSettings(set),
    ...exposed(set),
    ...(TEAMS_PHONE === 'graph' && !production ? needs(set, ['MicrosoftAppId'], 'TEAMS_PHONE is graph') : []),
    ...(TEAMS_PHONE === 'graph' ? graphUnusable(set) : []),
    ...(SKILL_CALLERS && !production ? needs(set, ['MicrosoftAppId'], 'SKILL_CALLERS is') : []),
    ...(/\bwebhook\b/.test(HANDOFF) ? needs(set, ['HANDOFF_WEBHOOK_URL', 'HANDOFF_WEBHOOK_SECRET'], 'HANDOFF has webhook') : []),
    ...deskWrong(set, HANDOFF),
    ...(HANDOFF_FILE && !/desk|event|webhook/.test(HANDOFF) ? ['HANDOFF_FILE: is read only where HANDOFF names a hub.'] : []),
    ...(set.MCP_AUDIENCE ? needs(set, ['MCP_ISSUER'], 'MCP_AUDIENCE is') : []),
    ...(SERVICE_BASE_URL ? needs(set, ['SERVICE_SECRET_KEY'], 'SERVICE_BASE_URL is') : []),
    ...(SERVICE_WS_URL ? needs(set, ['SERVICE_BASE_URL'], 'SERVICE_WS_URL is') : []),
    ...(!SERVICE_BASE_URL && !SERVICE_WS_URL && production
      ? ['SERVICE_BASE_URL: must be set when NODE_ENV is production. The service that comes with the bot is for trying it out.']
      : []),
    ...(program === 'all' && !SERVICE_BASE_URL ? samePort(set) : []),
  ];
};

/** The hubs that an environment names, as it names them; on this machine alone the desk where it names none. */
const hubsIn = ({ HANDOFF, ...set }: Environment): string => HANDOFF || (isPublic(set) ? '' : 'desk');

/** The parts of a sign-in at the desk go together, and everybody's desk is not opened by a link. */
const deskWrong = (set: Environment, hubs: string): string[] => {
  const needed = ['DESK_OIDC_ISSUER', 'DESK_OIDC_CLIENT_ID', 'DESK_OIDC_CLIENT_SECRET'] as const;
  const given = needed.find((name) => set[name]);
  if (given !== undefined) return needs(set, [...needed, 'PUBLIC_URL'], `${given} is`);
  return /\bdesk\b/.test(hubs) && isPublic(set) ? needs(set, needed, 'HANDOFF has desk, and others can reach the bot') : [];
};

/** Both would start, and only one can have the port. */
const samePort = ({ PORT = '3978', SERVICE_PORT = '4010' }: Environment): string[] =>
  PORT !== '0' && Number(PORT) === Number(SERVICE_PORT) ? ['SERVICE_PORT: must be another port than PORT.'] : [];

/** Whether the bot is reachable by everybody: in production, and with an app id, since channels must reach it. */
export const isPublic = ({
  MicrosoftAppId,
  NODE_ENV,
}: {
  readonly MicrosoftAppId?: string | undefined;
  readonly NODE_ENV?: string | undefined;
}): boolean => NODE_ENV === 'production' || Boolean(MicrosoftAppId);

/** A line for each setting that would leave a public bot open. */
const exposed = (set: Environment): string[] => {
  if (!isPublic(set)) return [];
  const { ASSERTION_KEY, DATABASE_URL, CHAT_TOKEN_KEY, DESK_KEY, HANDOFF = 'none', HANDOFF_KEY, NODE_ENV, PUBLIC_URL } = set;
  const shared = DATABASE_URL && HANDOFF !== 'none';
  const when = NODE_ENV === 'production' ? inProduction : 'when MicrosoftAppId is set';
  return [
    ...(PUBLIC_URL ? [] : [`PUBLIC_URL: must be set ${when}: the address at which customers find the chat.`]),
    ...unsaidProxies(set, when),
    ...shortSecrets(set, ['SERVICE_SECRET_KEY'], when),
    ...inTheClear(set, ['SERVICE_BASE_URL', 'SERVICE_WS_URL', 'PUBLIC_URL', 'HANDOFF_WEBHOOK_URL', 'MCP_ISSUER'], when),
    ...(DATABASE_URL && !CHAT_TOKEN_KEY
      ? [`CHAT_TOKEN_KEY: must be set ${when} and DATABASE_URL is set: replicas sign the tokens of chats with the same key.`]
      : []),
    ...(shared && !ASSERTION_KEY
      ? [`ASSERTION_KEY: must be set ${when} and DATABASE_URL and HANDOFF are set: replicas prove who is verified with the same key.`]
      : []),
    ...(shared && HANDOFF.includes('desk') && !DESK_KEY
      ? [`DESK_KEY: must be set ${when} and DATABASE_URL is set: people signed in at one replica are at all of them.`]
      : []),
    ...(shared && HANDOFF.includes('webhook') && !HANDOFF_KEY
      ? [`HANDOFF_KEY: must be set ${when} and DATABASE_URL is set: a platform has one key for all replicas.`]
      : []),
  ];
};
