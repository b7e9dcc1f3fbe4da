// Every optional feature of the bot, and the settings that are none. To add a feature, add an entry to one of the
// lists, or name its setting in `noFeature` with the reason.
import type { Feature } from './feature.ts';
import { own } from './own.ts';
import { people } from './people.ts';
import { programs } from './programs.ts';
import { running } from './running.ts';

export const features: readonly Feature[] = [...people, ...own, ...programs, ...running];

const value = 'a number or a name, which switches nothing on';
const everywhere = 'part of every start';

/** Settings that no feature needs, with the reasons. */
export const noFeature: Readonly<Record<string, string>> = {
  DATA_DIR: everywhere,
  PORT: everywhere,
  SERVICE_BASE_URL: everywhere,
  SERVICE_WS_URL: everywhere,
  SERVICE_SECRET_KEY: everywhere,
  TRUSTED_PROXIES: everywhere,
  LOG_LEVEL: everywhere,
  SERVICE_PORT: 'of the service that starts beside the bot, which has no part of the bot',
  NODE_ENV: 'production asks for more settings and starts nothing else',
  SERVICE_BOOTSTRAP: 'how a request is written, for services other than ours',
  SERVICE_LINK_HOSTS: 'hosts of links, for services other than ours',
  MicrosoftAppType: 'how the bot’s identity is proved, to Microsoft only',
  MicrosoftAppTenantId: 'whose identity it is, to Microsoft only; its accounts count like those of TEAMS_TENANTS',
  TEAMS_PHONE: 'asks Microsoft’s Graph, which is not on this machine',
  CHATWOOT_CALLBACK_SECRET: 'signs what Chatwoot sends: part of Chatwoot’s own tests',
  DESK_OIDC_SCOPES: value,
  DESK_OIDC_ROLE_CLAIM: value,
  DESK_OIDC_AGENTS: value,
  DESK_OIDC_SUPERVISORS: value,
  DEFAULT_REGION: value,
  DEFAULT_LOCALE: value,
  OTEL_SDK_DISABLED: 'turns traces off',
  OTEL_TRACES_SAMPLER: value,
  OTEL_TRACES_SAMPLER_ARG: value,
  SHUTDOWN_DELAY: value,
  WAIT_MINUTES: value,
  RETENTION_DAYS: value,
  CHATS_PER_ADDRESS: value,
  CHAT_MESSAGES: value,
  CHAT_REQUESTS: value,
  CHAT_MEGABYTES: value,
};
