// The hubs that the settings name, each with what it needs.
import type { z } from 'zod';
import { isPublic } from '../compose/settings/core-faults.ts';
import type { CoreSettings } from '../compose/settings/core-settings.ts';
import { keptSecret } from '../platform/secrets/kept-secret.ts';
import { makeChatwootHub } from './chatwoot/chatwoot-hub.ts';
import { makeHubConnections } from './connections.ts';
import { makeDeskHub } from './desk/desk-hub.ts';
import { channelHubs, isInChannel } from './event/channel-hubs.ts';
import type { Hub } from './hub.ts';
import type { DeskOpenId, HubOptions } from './hub-options.ts';
import { readRules } from './rules.ts';
import type { HubName, handoffShape } from './settings.ts';
import { makeWebhookHub } from './webhook/webhook-hub.ts';

export type HubSettings = CoreSettings & z.output<z.ZodObject<typeof handoffShape>>;

/** The names of the hubs, in order. People who try it out find a desk at which they can be the agent. */
export const hubNamesOf = ({ HANDOFF, ...settings }: HubSettings): readonly HubName[] => HANDOFF ?? (isPublic(settings) ? [] : ['desk']);

/**
 * `undefined` where nobody sits anywhere.
 * @throws {SettingsError} when the file of rules or the data folder cannot be used.
 */
export const hubsOf = (settings: HubSettings): HubOptions | undefined => {
  const { CHATWOOT_CALLBACK_KEY, DATA_DIR, DESK_KEY, HANDOFF_FILE, HANDOFF_KEY } = settings;
  const names = hubNamesOf(settings);
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
