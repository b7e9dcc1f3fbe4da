// Converts rows of handoffs and their events to the form that callers use.
import type { Selectable } from 'kysely';
import type { ClaimedRow } from '../../platform/retry-queue.ts';
import type { HandoffEnding, HandoffRecord, HubEvent, PendingHubEvent } from '../record.ts';
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

export const asHubEvent = (row: Selectable<HubEventTable>): HubEvent => ({
  id: row.id,
  handoffId: row.handoff_id,
  number: row.number,
  type: row.type,
  data: JSON.parse(row.data),
  createdAt: row.created_at,
});

export const asPending = (row: Selectable<HubEventTable>): PendingHubEvent => ({
  ...asHubEvent(row),
  attempts: row.attempts,
  claim: row.due_at as number,
});

/** A handoff that this process works on. */
export type ClaimedHandoff = ClaimedRow & { readonly handoff: HandoffRecord };
