// The hub behind a webhook: any platform that receives signed posts (standardwebhooks.com) and answers through
// routes.ts.
import type { Agent as Connections } from 'undici';
import { type Clock, iso, systemClock } from '../platform/clock.ts';
import { makePost } from '../platform/webhook-post.ts';
import { webhookKey } from '../platform/webhook-signature.ts';
import type { HandoffRecord, Letter } from '../storage/index.ts';
import { shownConversation } from '../verification/index.ts';
import { casePlace, contextOf, type HandoffCase, type Line } from './case.ts';
import { makeHubConnections } from './connections.ts';
import type { Hub } from './hub.ts';
import { inertLine } from './inert-line.ts';

export interface WebhookHubOptions {
  readonly url: string;
  /** `whsec_…`; two while one is being replaced, which both sign. */
  readonly secrets: readonly string[];
  /** Unset: own connections, for as long as the program runs. */
  readonly connections?: Connections | undefined;
  readonly clock?: Clock | undefined;
}

/** What every webhook says about its handoff. */
const aboutOf = ({
  id,
  hub: _,
  address: __,
  conversation,
  letters: ___,
  verification: ____,
  place: _____,
  seen: ______,
  createdAt,
  acceptedAt,
  endedAt,
  dueAt,
  ...rest
}: HandoffRecord) => ({
  id,
  conversation: shownConversation(conversation),
  ...rest,
  createdAt: iso(createdAt),
  ...(dueAt !== undefined && { dueAt: iso(dueAt) }),
  ...(acceptedAt !== undefined && { acceptedAt: iso(acceptedAt) }),
  ...(endedAt !== undefined && { endedAt: iso(endedAt) }),
});

/** Lines of what was said, as a platform may show them. */
const linesOf = (lines: readonly (Line | string)[]) =>
  lines.map((line) => (typeof line === 'string' ? inertLine(line) : { ...line, text: inertLine(line.text) }));

/** The body of a webhook, and of an event that is read later. */
export const payloadOf = ({ createdAt, data, id, number, type }: Letter, handoff: HandoffRecord, assertion?: string) => {
  const { lines, transcript } = data as { readonly lines?: readonly (Line | string)[]; readonly transcript?: readonly Line[] };
  return {
    type: `handoff.${type}`,
    timestamp: iso(createdAt),
    data: {
      event: { id, number },
      handoff: aboutOf(handoff),
      ...data,
      ...(lines && { lines: linesOf(lines) }),
      ...(transcript && { transcript: linesOf(transcript) }),
      ...(type === 'requested' && { context: contextOf(data as HandoffCase, casePlace(handoff, assertion)) }),
      ...(assertion !== undefined && { assertion }),
    },
  };
};

/** A handoff in the routes' answers. */
export const handoffView = aboutOf;

export const makeWebhookHub = ({ url, secrets, connections = makeHubConnections(), clock = systemClock }: WebhookHubOptions): Hub => {
  const keys = secrets.flatMap((secret) => webhookKey(secret) ?? []);
  const post = makePost(connections, clock);
  return {
    name: 'webhook',
    audience: new URL(url).origin,
    bring: (letter, handoff, assertion, signal) =>
      post({ url, keys, id: letter.id, body: Buffer.from(JSON.stringify(payloadOf(letter, handoff, assertion))) }, signal),
  };
};
