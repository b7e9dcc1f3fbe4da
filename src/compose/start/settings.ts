// The connector's settings, read from the environment once. All mistakes are reported together, by name.
import { isSupportedCountry } from 'libphonenumber-js';
import { z } from 'zod';
import { chatLanguages } from '../../../dialogs/index.ts';
import { type AppId, isAppId, phoneNumber } from '../../contract/index.ts';
import { channelHubs } from '../../handoff/index.ts';
import type { SkillCaller } from '../../platform/root-bot.ts';
import { webhookKey } from '../../platform/secrets/webhook-signature.ts';
import {
  address,
  common,
  days,
  type Environment,
  flag,
  list,
  port,
  postgres,
  readEnvironment,
  secretLength,
  visible,
  words,
} from '../../platform/settings/environment.ts';
import { issuer, openIdScopes, roleValues, scopes } from '../../platform/sign-in/openid/settings.ts';
import { samplerNames } from '../../platform/telemetry.ts';
import type { Program } from '../commands/command.ts';
import { filesWrong, isPublic, togetherWrong } from './settings-faults.ts';

const callerEntry = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,})$/;

/**
 * SKILL_CALLERS: the bots that may run this one as a skill, each by its app id and the host that receives answers.
 * There is no wildcard.
 */
const skillCallers = z
  .string()
  .transform((value) =>
    value
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean),
  )
  .pipe(
    z.array(
      z
        .string()
        .regex(
          callerEntry,
          'must be bots such as 66666666-7777-4888-9999-000000000000@bot.example.com, the app id and the host of each, separated by commas',
        ),
    ),
  )
  .transform((entries) => entries.map((written): SkillCaller => callerIn(written)));

const callerIn = (written: string): SkillCaller => {
  const [appId = '', host = ''] = written.split('@');
  return { appId, host };
};

export const hubNames = ['desk', 'chatwoot', ...(Object.keys(channelHubs) as (keyof typeof channelHubs)[]), 'webhook'] as const;

/** The hubs of agents who take chats over: none, or several in order. */
const hubs = list
  .transform((names) => names.filter((name) => name !== 'none'))
  .pipe(z.array(z.enum(hubNames, { error: `must be none, or some of ${hubNames.join(', ')}, separated by commas` })));

/** A limit. */
const amount = z
  .string()
  .regex(/^[1-9]\d{0,5}$/, 'must be a whole number, 1 to 999999')
  .transform(Number)
  .optional();

/** A Chatwoot account or inbox, by its number in Chatwoot's addresses. */
const numberThere = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'must be its number in the addresses of Chatwoot, such as 3')
  .transform(Number);
const notInAddress = 'must consist of letters, digits, hyphens and underscores: it is part of an address';

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
  AZURE_DIRECTLINE_SECRET: visible.min(secretLength, `must have at least ${secretLength} characters`).optional(),
  AZURE_DIRECTLINE_URL: address(/^https?$/, 'https://directline.botframework.com').optional(),
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
  TEXTS_DIR: words.optional(),
  CARDS_DIR: words.optional(),
  HANDOFF: hubs.optional(),
  HANDOFF_FILE: words.optional(),
  HANDOFF_WEBHOOK_URL: address(/^https?$/, 'https://desk.example.com/hooks').optional(),
  HANDOFF_WEBHOOK_SECRET: list
    .pipe(
      z
        .array(z.string().refine((text) => webhookKey(text) !== undefined, 'must be whsec_ and 24 to 64 bytes in base64'))
        .max(2, 'must be at most two'),
    )
    .optional(),
  HANDOFF_KEY: visible.min(secretLength, `must have at least ${secretLength} characters`).optional(),
  CHATWOOT_URL: address(/^https?$/, 'https://app.chatwoot.com').optional(),
  CHATWOOT_TOKEN: visible.optional(),
  CHATWOOT_ACCOUNT: numberThere.optional(),
  CHATWOOT_INBOX: numberThere.optional(),
  CHATWOOT_CALLBACK_KEY: visible
    .min(secretLength, `must have at least ${secretLength} characters`)
    .regex(/^[\w-]+$/, notInAddress)
    .optional(),
  CHATWOOT_CALLBACK_SECRET: list.pipe(z.array(visible).max(4, 'must be at most four')).optional(),
  MCP_KEY: visible.min(secretLength, `must have at least ${secretLength} characters`).optional(),
  MCP_ISSUER: address(/^https?$/, 'https://login.example.com').optional(),
  MCP_AUDIENCE: visible.optional(),
  MCP_SCOPE: scopes.optional(),
  ASSERTION_KEY: words.optional(),
  DESK_OIDC_ISSUER: issuer.optional(),
  DESK_OIDC_CLIENT_ID: visible.optional(),
  DESK_OIDC_CLIENT_SECRET: visible.optional(),
  DESK_OIDC_SCOPES: openIdScopes.default('openid profile email'),
  DESK_OIDC_ROLE_CLAIM: words.max(200, 'must have at most 200 characters').default('roles'),
  DESK_OIDC_AGENTS: roleValues.default(['countersign-agent']),
  DESK_OIDC_SUPERVISORS: roleValues.default(['countersign-supervisor']),
  DESK_KEY: visible.min(secretLength, `must have at least ${secretLength} characters`).optional(),
  AGENT_CONTACT: words.optional(),
  CHAT_TOKEN_KEY: visible.min(secretLength, `must have at least ${secretLength} characters`).optional(),
  CHATS_PER_ADDRESS: amount,
  CHAT_MESSAGES: amount,
  CHAT_REQUESTS: amount,
  CHAT_MEGABYTES: amount,
  OTEL_EXPORTER_OTLP_ENDPOINT: address(/^https?$/, 'http://collector.example.com:4318').optional(),
  OTEL_SDK_DISABLED: flag.optional(),
  OTEL_SERVICE_NAME: words.optional(),
  OTEL_TRACES_SAMPLER: z.enum(samplerNames, { error: `must be ${samplerNames.join(', ')}` }).optional(),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/, 'must be a share of the traces, 0 to 1')
    .transform(Number)
    .optional(),
});

/** The connector's settings, checked; docs/operations.md lists their names and defaults. The service reads its own. */
export type Settings = z.output<typeof schema> & { readonly HANDOFF: readonly (typeof hubNames)[number][]; readonly LOG_LEVEL: string };

/** The names of all settings that the connector reads, for the warning of misspelt ones and for the test of its documents. */
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
    // People who try it out find a desk at which they can be the agent.
    HANDOFF: settings.HANDOFF ?? (isPublic(settings) ? [] : ['desk']),
    LOG_LEVEL: settings.LOG_LEVEL ?? (isPublic(settings) ? 'info' : 'warn'),
  };
};
