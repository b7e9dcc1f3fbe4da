// Where agents work, from the environment.
import { z } from 'zod';
import { isPublic, publicly } from '../compose/settings/core-faults.ts';
import { webhookKey } from '../platform/secrets/webhook-signature.ts';
import {
  address,
  type Environment,
  inTheClear,
  linesOf,
  list,
  needs,
  secretLength,
  visible,
  words,
} from '../platform/settings/environment.ts';
import { issuer, openIdScopes, roleValues } from '../platform/settings/openid.ts';
import { channelHubs } from './event/channel-hubs.ts';
import { readRules } from './rules.ts';

const hubNames = ['desk', 'chatwoot', ...(Object.keys(channelHubs) as (keyof typeof channelHubs)[]), 'webhook'] as const;
export type HubName = (typeof hubNames)[number];

/** The hubs of agents who take chats over: none, or several in order. */
const hubs = list
  .transform((names) => names.filter((name) => name !== 'none'))
  .pipe(z.array(z.enum(hubNames, { error: `must be none, or some of ${hubNames.join(', ')}, separated by commas` })));

/** A Chatwoot account or inbox, by its number in Chatwoot's addresses. */
const numberThere = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'must be its number in the addresses of Chatwoot, such as 3')
  .transform(Number);
const notInAddress = 'must consist of letters, digits, hyphens and underscores: it is part of an address';

export const handoffShape = {
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
  DESK_OIDC_ISSUER: issuer.optional(),
  DESK_OIDC_CLIENT_ID: visible.optional(),
  DESK_OIDC_CLIENT_SECRET: visible.optional(),
  DESK_OIDC_SCOPES: openIdScopes.default('openid profile email'),
  DESK_OIDC_ROLE_CLAIM: words.max(200, 'must have at most 200 characters').default('roles'),
  DESK_OIDC_AGENTS: roleValues.default(['countersign-agent']),
  DESK_OIDC_SUPERVISORS: roleValues.default(['countersign-supervisor']),
  DESK_KEY: visible.min(secretLength, `must have at least ${secretLength} characters`).optional(),
};

/** The hubs as the environment names them; if it names none, the desk on this machine only. */
const hubsIn = ({ HANDOFF, ...set }: Environment): string => (HANDOFF === 'none' ? '' : HANDOFF || (isPublic(set) ? '' : 'desk'));

/** What is wrong in the file of rules, and in combinations. */
export const handoffFaults = (set: Environment): readonly string[] => {
  const named = hubsIn(set);
  const { HANDOFF_FILE } = set;
  return [
    ...(HANDOFF_FILE && named ? linesOf(() => readRules(HANDOFF_FILE, named.split(/[\s,]+/).filter(Boolean))) : []),
    ...(/\bwebhook\b/.test(named) ? needs(set, ['HANDOFF_WEBHOOK_URL', 'HANDOFF_WEBHOOK_SECRET'], 'HANDOFF has webhook') : []),
    ...(/\bchatwoot\b/.test(named)
      ? needs(set, ['CHATWOOT_URL', 'CHATWOOT_TOKEN', 'CHATWOOT_ACCOUNT', 'CHATWOOT_INBOX'], 'HANDOFF has chatwoot')
      : []),
    ...deskFaults(set, named),
    ...(HANDOFF_FILE && !named ? ['HANDOFF_FILE: is read only if HANDOFF names a hub.'] : []),
    ...publicly(set, (when) => [...inTheClear(set, ['HANDOFF_WEBHOOK_URL', 'CHATWOOT_URL'], when), ...unshared(set, when)]),
  ];
};

/** The settings of a sign-in at the desk belong together, and a public desk has no sign-in link. */
const deskFaults = (set: Environment, hubs: string): readonly string[] => {
  const needed = ['DESK_OIDC_ISSUER', 'DESK_OIDC_CLIENT_ID', 'DESK_OIDC_CLIENT_SECRET'] as const;
  const given = needed.find((name) => set[name]);
  if (given !== undefined) return needs(set, [...needed, 'PUBLIC_URL'], `${given} is`);
  return /\bdesk\b/.test(hubs) && isPublic(set) ? needs(set, needed, 'HANDOFF has desk, and others can reach the bot') : [];
};

/** Replicas must have the same keys. */
const unshared = (set: Environment, when: string): readonly string[] => {
  const { ASSERTION_KEY, CHATWOOT_CALLBACK_KEY, DATABASE_URL, DESK_KEY, DESK_OIDC_ISSUER, HANDOFF = 'none', HANDOFF_KEY } = set;
  if (!DATABASE_URL || HANDOFF === 'none') return [];
  return [
    ...(ASSERTION_KEY
      ? []
      : [`ASSERTION_KEY: must be set ${when} and DATABASE_URL and HANDOFF are set: replicas prove who is verified with the same key.`]),
    ...((HANDOFF.includes('desk') || (HANDOFF.includes('chatwoot') && DESK_OIDC_ISSUER)) && !DESK_KEY
      ? [`DESK_KEY: must be set ${when} and DATABASE_URL is set: a sign-in at one replica counts at all of them.`]
      : []),
    ...(HANDOFF.includes('chatwoot') && !CHATWOOT_CALLBACK_KEY
      ? [`CHATWOOT_CALLBACK_KEY: must be set ${when} and DATABASE_URL is set: Chatwoot calls one address for all replicas.`]
      : []),
    ...(HANDOFF.includes('webhook') && !HANDOFF_KEY
      ? [`HANDOFF_KEY: must be set ${when} and DATABASE_URL is set: a platform uses one key for all replicas.`]
      : []),
  ];
};
