// Converts rows of handoffs and their events to the form that callers use. Instants are epoch milliseconds.
import type { Selectable } from 'kysely';
import type { ClaimedRow } from '../../platform/retry-queue.ts';
import type { HandoffEnding, HandoffRecord } from '../record.ts';
import type { HandoffTable, HubEventTable } from './tables.ts';

export const asRecord = (row: Selectable<HandoffTable>): HandoffRecord => ({
  id: row.id,
  conversation: row.conversation,
  address: row.address,
  hub: row.hub,
  state: row.state as HandoffRecord['state'],
  reason: row.reason,
  language: row.language,
  createdAt: row.created_at,
  events: row.letters,
  ...(row.verification !== null && { verification: JSON.parse(row.verification) }),
  ...(row.app !== null && { app: row.app }),
  ...(row.agent !== null && { agent: JSON.parse(row.agent) }),
  ...(row.due_at !== null && { dueAt: row.due_at }),
  ...(row.accepted_at !== null && { acceptedAt: row.accepted_at }),
  ...(row.ended_at !== null && { endedAt: row.ended_at }),
  ...(row.ending !== null && { ending: row.ending as HandoffEnding }),
  ...(row.wrap_up !== null && { wrapUp: row.wrap_up }),
  ...(row.said !== null && { said: row.said }),
  ...(row.place !== null && { place: row.place }),
  ...(row.seen !== null && { seen: row.seen }),
});

/** An event of a handoff. */
export type HubEvent = ReturnType<typeof asHubEvent>;

export const asHubEvent = (row: Selectable<HubEventTable>) => ({
  id: row.id,
  handoffId: row.handoff_id,
  /** Its number among the events of its handoff, from 1. */
  number: row.number,
  type: row.type,
  data: JSON.parse(row.data) as object,
  createdAt: row.created_at,
});

/** An event that this process delivers. */
export type PendingHubEvent = ClaimedRow & HubEvent;

export const asPending = (row: Selectable<HubEventTable>): PendingHubEvent => ({
  ...asHubEvent(row),
  attempts: row.attempts,
  claim: row.due_at as number,
});

/** A handoff that this process works on. */
export type ClaimedHandoff = ClaimedRow & { readonly handoff: HandoffRecord };
