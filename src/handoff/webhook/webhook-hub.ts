// The hub behind a webhook: any platform that receives signed posts (standardwebhooks.com) and answers through
// routes.ts.
import type { Agent as Connections } from 'undici';
import { contextOf, type HandoffCase } from '../../../dialogs/index.ts';
import { makePost } from '../../platform/outgoing/webhook-post.ts';
import { webhookKey } from '../../platform/secrets/webhook-signature.ts';
import { type Clock, iso, systemClock } from '../../platform/time/clock.ts';
import { shownConversation } from '../../verification/index.ts';
import { makeHubConnections } from '../connections.ts';
import type { Hub } from '../hub.ts';
import { caseReference, type HandoffRecord, type HubEvent } from '../record.ts';
import { dataOf, handoffSchema } from './webhook-events.ts';

export interface WebhookHubOptions {
  readonly url: string;
  /** `whsec_…`; two while one is being replaced, which both sign. */
  readonly secrets: readonly string[];
  /** Unset: own connections, for as long as the program runs. */
  readonly connections?: Connections | undefined;
  readonly clock?: Clock | undefined;
}

const aboutOf = ({ conversation, ...record }: HandoffRecord) => ({ ...record, conversation: shownConversation(conversation) });

/** The body of a webhook, and of an event that is read later. */
export const payloadOf = ({ createdAt, data, id, number, type }: HubEvent, handoff: HandoffRecord, assertion?: string) => ({
  type: `handoff.${type}`,
  timestamp: iso(createdAt),
  data: dataOf(type).parse({
    event: { id, number },
    handoff: aboutOf(handoff),
    ...data,
    ...(type === 'requested' && { context: contextOf(data as HandoffCase, caseReference(handoff, assertion)) }),
    ...(assertion !== undefined && { assertion }),
  }),
});

/** A handoff in the routes' answers. */
export const handoffView = (handoff: HandoffRecord) => handoffSchema.parse(aboutOf(handoff));

export const makeWebhookHub = ({ url, secrets, connections = makeHubConnections(), clock = systemClock }: WebhookHubOptions): Hub => {
  const keys = secrets.flatMap((secret) => webhookKey(secret) ?? []);
  const post = makePost(connections, clock);
  return {
    name: 'webhook',
    audience: new URL(url).origin,
    deliver: (event, handoff, assertion, signal) =>
      post({ url, keys, id: event.id, body: Buffer.from(JSON.stringify(payloadOf(event, handoff, assertion))) }, signal),
  };
};
