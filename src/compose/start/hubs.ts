// The hubs that the settings name, each with what it needs.
import type { DeskOpenId } from '../../desk/index.ts';
import {
  channelHubs,
  type Hub,
  isInChannel,
  makeChatwootHub,
  makeDeskHub,
  makeHubConnections,
  makeWebhookHub,
  readRules,
} from '../../handoff/index.ts';
import { keptSecret } from '../../platform/secrets/kept-secret.ts';
import type { HubOptions } from '../hub-options.ts';
import type { Settings } from './settings.ts';
import { isPublic } from './settings-faults.ts';

type HubSettings = Pick<
  Settings,
  | 'CHATWOOT_ACCOUNT'
  | 'CHATWOOT_CALLBACK_KEY'
  | 'CHATWOOT_CALLBACK_SECRET'
  | 'CHATWOOT_INBOX'
  | 'CHATWOOT_TOKEN'
  | 'CHATWOOT_URL'
  | 'DESK_KEY'
  | 'DESK_OIDC_AGENTS'
  | 'DESK_OIDC_CLIENT_ID'
  | 'DESK_OIDC_CLIENT_SECRET'
  | 'DESK_OIDC_ISSUER'
  | 'DESK_OIDC_ROLE_CLAIM'
  | 'DESK_OIDC_SCOPES'
  | 'DESK_OIDC_SUPERVISORS'
  | 'DATA_DIR'
  | 'HANDOFF'
  | 'HANDOFF_FILE'
  | 'HANDOFF_KEY'
  | 'HANDOFF_WEBHOOK_SECRET'
  | 'HANDOFF_WEBHOOK_URL'
  | 'MicrosoftAppId'
  | 'NODE_ENV'
>;

/**
 * `undefined` where nobody sits anywhere.
 * @throws {SettingsError} when the file of rules or the data folder cannot be used.
 */
export const hubsOf = (settings: HubSettings): HubOptions | undefined => {
  const { CHATWOOT_CALLBACK_KEY, DATA_DIR, DESK_KEY, HANDOFF: names, HANDOFF_FILE, HANDOFF_KEY } = settings;
  if (names.length === 0) return undefined;
  const connections = makeHubConnections();
  const desk = makeDeskHub();
  const makers: Readonly<Record<Exclude<(typeof names)[number], keyof typeof channelHubs>, () => Hub>> = {
    desk: () => desk,
    chatwoot: () => {
      const { CHATWOOT_ACCOUNT: account = 0, CHATWOOT_INBOX: inbox = 0, CHATWOOT_TOKEN: token = '', CHATWOOT_URL: url = '' } = settings;
      return makeChatwootHub({ url, token, account, inbox, connections });
    },
    webhook: () => {
      const { HANDOFF_WEBHOOK_URL: url = '', HANDOFF_WEBHOOK_SECRET: secrets = [] } = settings;
      return makeWebhookHub({ url, secrets, connections });
    },
  };
  const openId = deskOpenIdOf(settings);
  // Nobody signs in by a link where everybody could come.
  const panel =
    names.includes('chatwoot') && settings.CHATWOOT_URL && (openId || !isPublic(settings))
      ? { hub: 'chatwoot', frame: new URL(settings.CHATWOOT_URL).origin }
      : undefined;
  return {
    hubs: names.map((name) => (isInChannel(name) ? channelHubs[name] : makers[name]())),
    rules: HANDOFF_FILE ? readRules(HANDOFF_FILE, names) : undefined,
    key: names.includes('webhook') ? (HANDOFF_KEY ?? keptSecret(DATA_DIR, 'handoff.key')) : undefined,
    chatwoot: names.includes('chatwoot')
      ? { key: CHATWOOT_CALLBACK_KEY ?? keptSecret(DATA_DIR, 'chatwoot.key'), secrets: settings.CHATWOOT_CALLBACK_SECRET }
      : undefined,
    desk: names.includes('desk') || panel ? { hub: desk, openId, key: DESK_KEY ?? keptSecret(DATA_DIR, 'desk.key'), panel } : undefined,
    close: () => connections.close(),
  };
};

/** Where people sign in who sit at the desk; `undefined`: by the link. */
const deskOpenIdOf = (settings: HubSettings): DeskOpenId | undefined => {
  const { DESK_OIDC_CLIENT_ID: clientId, DESK_OIDC_CLIENT_SECRET: clientSecret, DESK_OIDC_ISSUER: issuer } = settings;
  if (!issuer || !clientId || !clientSecret) return undefined;
  const {
    DESK_OIDC_AGENTS: agents,
    DESK_OIDC_ROLE_CLAIM: roleClaim,
    DESK_OIDC_SCOPES: scopes,
    DESK_OIDC_SUPERVISORS: supervisors,
  } = settings;
  return { issuer, clientId, clientSecret, scopes, roleClaim, agents, supervisors };
};
