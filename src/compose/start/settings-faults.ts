// Faults of settings beyond their form: in the files that they name, and in combinations.
import { graphUnusable, unsafeSettings } from '../../bot/index.ts';
import { readRules } from '../../handoff/index.ts';
import { loadTheme } from '../../platform/pages/theme.ts';
import {
  type Environment,
  inProduction,
  inTheClear,
  linesOf,
  needs,
  shortSecrets,
  unsaidProxies,
} from '../../platform/settings/environment.ts';
import type { Program } from '../commands/command.ts';
import { readForms, readMenu } from './forms.ts';
import { readOwnTexts } from './own-texts.ts';

/** Mistakes in the files that settings name. */
export const filesWrong = ({ CHAT_THEME, FORMS_FILE, HANDOFF_FILE, MENU_FILE, TEXTS_DIR, ...set }: Environment): string[] => [
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
  ...(MENU_FILE ? linesOf(() => readMenu(MENU_FILE)) : []),
  ...(TEXTS_DIR ? linesOf(() => readOwnTexts(TEXTS_DIR)) : []),
  ...(CHAT_THEME ? linesOf(() => loadTheme(CHAT_THEME, 'CHAT_THEME')) : []),
];

/** Mistakes in combinations. */
export const togetherWrong = (set: Environment, program: Program): string[] => {
  const { HANDOFF_FILE, NODE_ENV, SERVICE_BASE_URL, SERVICE_WS_URL, SKILL_CALLERS, TEAMS_PHONE } = set;
  const HANDOFF = hubsIn(set);
  const production = NODE_ENV === 'production';
  return [
    ...unsafeSettings(set),
    ...exposed(set),
    ...(TEAMS_PHONE === 'graph' && !production ? needs(set, ['MicrosoftAppId'], 'TEAMS_PHONE is graph') : []),
    ...(TEAMS_PHONE === 'graph' ? graphUnusable(set) : []),
    ...(SKILL_CALLERS && !production ? needs(set, ['MicrosoftAppId'], 'SKILL_CALLERS is') : []),
    ...(set.AZURE_DIRECTLINE_SECRET ? needs(set, ['MicrosoftAppId', 'PUBLIC_URL'], 'AZURE_DIRECTLINE_SECRET is') : []),
    ...(set.AZURE_DIRECTLINE_URL ? needs(set, ['AZURE_DIRECTLINE_SECRET'], 'AZURE_DIRECTLINE_URL is') : []),
    ...(/\bwebhook\b/.test(HANDOFF) ? needs(set, ['HANDOFF_WEBHOOK_URL', 'HANDOFF_WEBHOOK_SECRET'], 'HANDOFF has webhook') : []),
    ...(/\bchatwoot\b/.test(HANDOFF)
      ? needs(set, ['CHATWOOT_URL', 'CHATWOOT_TOKEN', 'CHATWOOT_ACCOUNT', 'CHATWOOT_INBOX'], 'HANDOFF has chatwoot')
      : []),
    ...deskWrong(set, HANDOFF),
    ...(HANDOFF_FILE && /^(?:none)?$/.test(HANDOFF) ? ['HANDOFF_FILE: is read only if HANDOFF names a hub.'] : []),
    ...(set.MCP_AUDIENCE ? needs(set, ['MCP_ISSUER'], 'MCP_AUDIENCE is') : []),
    ...(set.MCP_SCOPE ? needs(set, ['MCP_ISSUER'], 'MCP_SCOPE is') : []),
    ...(SERVICE_BASE_URL ? needs(set, ['SERVICE_SECRET_KEY'], 'SERVICE_BASE_URL is') : []),
    ...(SERVICE_WS_URL ? needs(set, ['SERVICE_BASE_URL'], 'SERVICE_WS_URL is') : []),
    ...(!SERVICE_BASE_URL && !SERVICE_WS_URL && production
      ? ['SERVICE_BASE_URL: must be set when NODE_ENV is production. The built-in service is for trying the bot out.']
      : []),
    ...(program === 'all' && !SERVICE_BASE_URL ? samePort(set) : []),
  ];
};

/** The hubs as the environment names them; if it names none, the desk on this machine only. */
const hubsIn = ({ HANDOFF, ...set }: Environment): string => HANDOFF || (isPublic(set) ? '' : 'desk');

/** The settings of a sign-in at the desk belong together, and a public desk has no sign-in link. */
const deskWrong = (set: Environment, hubs: string): string[] => {
  const needed = ['DESK_OIDC_ISSUER', 'DESK_OIDC_CLIENT_ID', 'DESK_OIDC_CLIENT_SECRET'] as const;
  const given = needed.find((name) => set[name]);
  if (given !== undefined) return needs(set, [...needed, 'PUBLIC_URL'], `${given} is`);
  return /\bdesk\b/.test(hubs) && isPublic(set) ? needs(set, needed, 'HANDOFF has desk, and others can reach the bot') : [];
};

/** Both would start, and only one can have the port. */
const samePort = ({ PORT = '3978', SERVICE_PORT = '4010' }: Environment): string[] =>
  PORT !== '0' && Number(PORT) === Number(SERVICE_PORT) ? ['SERVICE_PORT: must differ from PORT.'] : [];

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
  const { ASSERTION_KEY, CHATWOOT_CALLBACK_KEY, DATABASE_URL, CHAT_TOKEN_KEY, DESK_KEY, HANDOFF = 'none' } = set;
  const { DESK_OIDC_ISSUER, HANDOFF_KEY, NODE_ENV, PUBLIC_URL } = set;
  const shared = DATABASE_URL && HANDOFF !== 'none';
  const when = NODE_ENV === 'production' ? inProduction : 'when MicrosoftAppId is set';
  return [
    ...(PUBLIC_URL ? [] : [`PUBLIC_URL: must be set ${when}: the public address of the chat.`]),
    ...unsaidProxies(set, when),
    ...shortSecrets(set, ['SERVICE_SECRET_KEY'], when),
    ...inTheClear(
      set,
      ['SERVICE_BASE_URL', 'SERVICE_WS_URL', 'PUBLIC_URL', 'HANDOFF_WEBHOOK_URL', 'CHATWOOT_URL', 'MCP_ISSUER', 'AZURE_DIRECTLINE_URL'],
      when,
    ),
    ...(DATABASE_URL && !CHAT_TOKEN_KEY
      ? [`CHAT_TOKEN_KEY: must be set ${when} and DATABASE_URL is set: replicas sign chat tokens with the same key.`]
      : []),
    ...(shared && !ASSERTION_KEY
      ? [`ASSERTION_KEY: must be set ${when} and DATABASE_URL and HANDOFF are set: replicas prove who is verified with the same key.`]
      : []),
    ...(shared && (HANDOFF.includes('desk') || (HANDOFF.includes('chatwoot') && DESK_OIDC_ISSUER)) && !DESK_KEY
      ? [`DESK_KEY: must be set ${when} and DATABASE_URL is set: a sign-in at one replica counts at all of them.`]
      : []),
    ...(shared && HANDOFF.includes('chatwoot') && !CHATWOOT_CALLBACK_KEY
      ? [`CHATWOOT_CALLBACK_KEY: must be set ${when} and DATABASE_URL is set: Chatwoot calls one address for all replicas.`]
      : []),
    ...(shared && HANDOFF.includes('webhook') && !HANDOFF_KEY
      ? [`HANDOFF_KEY: must be set ${when} and DATABASE_URL is set: a platform uses one key for all replicas.`]
      : []),
  ];
};
