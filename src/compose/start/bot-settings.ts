// A bot's options, from the settings of the environment.
import { flowsFolder } from '../../../dialogs/index.ts';
import type { Log } from '../../platform/log.ts';
import { keptSecret } from '../../platform/secrets/kept-secret.ts';
import type { Telemetry } from '../../platform/telemetry.ts';
import type { ProgramsOptions } from '../../programs/index.ts';
import type { StoragePlace } from '../bot/core-options.ts';
import { type Limits, limitsFor } from '../bot/limits.ts';
import type { BotOptions } from '../capabilities.ts';
import { hubsOf } from './hubs.ts';
import { conversationOf, themeOf } from './operator.ts';
import { readOwnTexts } from './own-texts.ts';
import type { ServiceAccess } from './service.ts';
import type { Settings } from './settings.ts';
import { isPublic } from './settings-faults.ts';

/** A customer of the reference service's demo account, with everything that it offers. */
const demoNumber = '+12025550102';

/** The place of storage that the settings name. */
export const storageOf = ({ ASSERTION_KEY, CHAT_TOKEN_KEY, DATABASE_URL, DATA_DIR }: Settings): StoragePlace => ({
  folder: DATA_DIR,
  postgres: DATABASE_URL,
  tokenKey: CHAT_TOKEN_KEY,
  assertionKey: ASSERTION_KEY,
});

/** @throws {SettingsError} when a file that a setting names cannot be used. */
export const botOptionsOf = (settings: Settings, service: ServiceAccess, log: Log, telemetry?: Telemetry): BotOptions => {
  const { LOOKUP_REPLIES, SERVICE_BASE_URL } = settings;
  return {
    ...conversationOf(settings),
    service: { ...service, bootstrap: settings.SERVICE_BOOTSTRAP, linkHosts: settings.SERVICE_LINK_HOSTS },
    storage: storageOf(settings),
    identity: settings,
    publicUrl: settings.PUBLIC_URL,
    proxies: settings.TRUSTED_PROXIES,
    flows: { folders: [flowsFolder, ...(settings.FLOWS_DIR === undefined ? [] : [settings.FLOWS_DIR])], reload: !isPublic(settings) },
    theme: themeOf(settings) ?? service.theme,
    pageTexts: settings.TEXTS_DIR === undefined ? undefined : readOwnTexts(settings.TEXTS_DIR).page,
    cards: settings.CARDS_DIR,
    hubs: hubsOf(settings),
    // On their own machine, people who try it out see everything.
    lookupReplies: LOOKUP_REPLIES ?? (isPublic(settings) ? undefined : 'offer'),
    tenants: [...(settings.MicrosoftAppTenantId ? [settings.MicrosoftAppTenantId] : []), ...(settings.TEAMS_TENANTS ?? [])],
    catalogueNumber: settings.CATALOGUE_NUMBER ?? (SERVICE_BASE_URL === undefined ? demoNumber : undefined),
    teamsPhone: settings.TEAMS_PHONE,
    skillCallers: settings.SKILL_CALLERS,
    directLine: {
      secret: settings.DIRECTLINE_SECRET,
      origins: settings.DIRECTLINE_ORIGINS,
      ...(settings.AZURE_DIRECTLINE_SECRET !== undefined && {
        azure: { secret: settings.AZURE_DIRECTLINE_SECRET, url: settings.AZURE_DIRECTLINE_URL ?? 'https://directline.botframework.com' },
      }),
    },
    voice: { key: settings.VOICE_GATEWAY_KEY, transferTo: settings.VOICE_TRANSFER },
    waitMinutes: settings.WAIT_MINUTES,
    retentionDays: settings.RETENTION_DAYS,
    limits: limitsOf(settings),
    programs: programsOf(settings),
    metricsToken: settings.METRICS_TOKEN,
    log,
    telemetry,
  };
};

/**
 * Other agents may come with the key or a token; on one's own machine a key is made, so that it can be tried at once.
 */
const programsOf = (settings: Settings): ProgramsOptions | undefined => {
  const { DATA_DIR, MCP_AUDIENCE: audience, MCP_ISSUER: issuer, MCP_KEY, MCP_SCOPE: scope } = settings;
  const key = MCP_KEY ?? (isPublic(settings) ? undefined : keptSecret(DATA_DIR, 'mcp.key'));
  return key === undefined && issuer === undefined ? undefined : { key, issuer, audience, scope };
};

/** The public's limits with an app id, else this machine's. Settings override either. */
export const limitsOf = ({ CHATS_PER_ADDRESS, CHAT_MEGABYTES, CHAT_MESSAGES, CHAT_REQUESTS, ...identity }: Settings): Limits => {
  const { lookups, lookupsOfNetwork, programs, turns, chats, sendsFromOrigin, sendsToNumber, directLine } = limitsFor(identity);
  const { requests, bytes, reads, chat } = directLine;
  const chatsPoints = CHATS_PER_ADDRESS ?? chats.points;
  return {
    lookups,
    lookupsOfNetwork,
    programs,
    turns: { ...turns, points: CHAT_MESSAGES ?? turns.points },
    chats: { ...chats, points: chatsPoints },
    sendsFromOrigin,
    sendsToNumber,
    directLine: {
      requests: { ...requests, points: CHAT_REQUESTS ?? requests.points },
      // More people behind one address send more.
      bytes: { ...bytes, points: Math.max(bytes.points, (bytes.points * chatsPoints) / chats.points) },
      reads,
      chat: { ...chat, bytes: CHAT_MEGABYTES === undefined ? chat.bytes : CHAT_MEGABYTES * 1024 * 1024 },
    },
  };
};
