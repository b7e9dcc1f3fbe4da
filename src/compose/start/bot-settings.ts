// A bot's options, from the settings of the environment.
import type { Log } from '../../platform/log.ts';
import type { Telemetry } from '../../platform/telemetry.ts';
import type { AnyCapability } from '../bot/capability.ts';
import type { CoreOptions, StoragePlace } from '../bot/core-options.ts';
import { type Limits, limitsFor } from '../bot/limits.ts';
import type { BotOptions } from '../bot-options.ts';
import { capabilities } from '../capabilities.ts';
import { isPublic } from '../settings/core-faults.ts';
import type { CoreSettings } from '../settings/core-settings.ts';
import { conversationOf, themeOf } from '../settings/operator.ts';
import { readOwnTexts } from '../settings/own-texts.ts';
import type { ServiceAccess } from './service.ts';
import type { Settings } from './settings.ts';

/** A customer of the reference service's demo account, with everything that it offers. */
const demoNumber = '+12025550102';

/** The place of storage that the settings name. */
export const storageOf = ({ ASSERTION_KEY, CHAT_TOKEN_KEY, DATABASE_URL, DATA_DIR }: CoreSettings): StoragePlace => ({
  folder: DATA_DIR,
  postgres: DATABASE_URL,
  tokenKey: CHAT_TOKEN_KEY,
  assertionKey: ASSERTION_KEY,
});

/** @throws {SettingsError} when a file that a setting names cannot be used. */
export const botOptionsOf = (
  settings: Settings,
  service: ServiceAccess,
  log: Log,
  telemetry?: Telemetry,
  list: readonly AnyCapability[] = capabilities,
): BotOptions => {
  const options = coreOptionsOf(settings, service, log, telemetry);
  for (const { settings: own } of list) Object.assign(options, own?.options(settings, options));
  return options;
};

const coreOptionsOf = (settings: CoreSettings, service: ServiceAccess, log: Log, telemetry: Telemetry | undefined): CoreOptions => {
  const { LOOKUP_REPLIES, SERVICE_BASE_URL } = settings;
  return {
    ...conversationOf(settings),
    service: { ...service, bootstrap: settings.SERVICE_BOOTSTRAP, linkHosts: settings.SERVICE_LINK_HOSTS },
    storage: storageOf(settings),
    identity: settings,
    publicUrl: settings.PUBLIC_URL,
    proxies: settings.TRUSTED_PROXIES,
    theme: themeOf(settings) ?? service.theme,
    pageTexts: settings.TEXTS_DIR === undefined ? undefined : readOwnTexts(settings.TEXTS_DIR).page,
    // On their own machine, people who try it out see everything.
    lookupReplies: LOOKUP_REPLIES ?? (isPublic(settings) ? undefined : 'offer'),
    tenants: [...(settings.MicrosoftAppTenantId ? [settings.MicrosoftAppTenantId] : []), ...(settings.TEAMS_TENANTS ?? [])],
    catalogueNumber: settings.CATALOGUE_NUMBER ?? (SERVICE_BASE_URL === undefined ? demoNumber : undefined),
    teamsPhone: settings.TEAMS_PHONE,
    directLine: {
      secret: settings.DIRECTLINE_SECRET,
      origins: settings.DIRECTLINE_ORIGINS,
    },
    voice: { transferTo: settings.VOICE_TRANSFER },
    waitMinutes: settings.WAIT_MINUTES,
    retentionDays: settings.RETENTION_DAYS,
    limits: limitsOf(settings),
    metricsToken: settings.METRICS_TOKEN,
    log,
    telemetry,
  };
};

/** The public's limits with an app id, else this machine's. Settings override either. */
export const limitsOf = ({ CHATS_PER_ADDRESS, CHAT_MEGABYTES, CHAT_MESSAGES, CHAT_REQUESTS, ...identity }: CoreSettings): Limits => {
  const usual = limitsFor(identity);
  const { turns, chats, directLine } = usual;
  const { requests, bytes, chat } = directLine;
  const chatsPoints = CHATS_PER_ADDRESS ?? chats.points;
  return {
    ...usual,
    turns: { ...turns, points: CHAT_MESSAGES ?? turns.points },
    chats: { ...chats, points: chatsPoints },
    directLine: {
      ...directLine,
      requests: { ...requests, points: CHAT_REQUESTS ?? requests.points },
      // More people behind one address send more.
      bytes: { ...bytes, points: Math.max(bytes.points, (bytes.points * chatsPoints) / chats.points) },
      chat: { ...chat, bytes: CHAT_MEGABYTES === undefined ? chat.bytes : CHAT_MEGABYTES * 1024 * 1024 },
    },
  };
};
