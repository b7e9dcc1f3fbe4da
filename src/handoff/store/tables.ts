// The tables of handoffs, as Kysely types. Instants are epoch milliseconds.
import { type Generated, sql } from 'kysely';
import { day } from '../../platform/database/retention.ts';
import type { OwnedTables } from '../../storage/index.ts';
import { handoffs } from './migrations/0012-handoffs.ts';
import { hubPlaces } from './migrations/0026-hub-places.ts';
import { callers, said, verifications } from './migrations/columns.ts';

/** A person's help, requested in a chat. */
export interface HandoffTable {
  id: string;
  conversation: string;
  address: string;
  hub: string;
  state: string;
  reason: string;
  app: string | null;
  language: string;
  /** JSON. */
  agent: string | null;
  created_at: number;
  /** When it times out; null once somebody has joined, or without a timeout. */
  due_at: number | null;
  accepted_at: number | null;
  ended_at: number | null;
  ending: string | null;
  wrap_up: string | null;
  /** How many events it has. */
  letters: number;
  /** The verification status of the chat's user, as of the last event that contained it; JSON. */
  verification: Generated<string | null>;
  /** Earlier versions stored the number here that `verification` has now. */
  caller: Generated<string | null>;
  /** What the customer has said, for a list. */
  said: Generated<string | null>;
  /** Its name at the hub. */
  place: Generated<string | null>;
  /** The number of the last entry of the hub's agents that has been carried out. */
  seen: Generated<number | null>;
  /** When the hub is read again; null: at the next hint. */
  look_at: Generated<number | null>;
  quiet: Generated<number | null>;
}

/** A message to a hub about a handoff. */
export interface HubEventTable {
  id: string;
  handoff_id: string;
  hub: string;
  number: number;
  type: string;
  key: string;
  data: string;
  created_at: number;
  attempts: number;
  /** When its next delivery is due; null once it has arrived or is given up. */
  due_at: number | null;
  given_up: string | null;
}

export interface HandoffSchema {
  handoff: HandoffTable;
  handoff_letter: HubEventTable;
}

export const handoffTables: OwnedTables = {
  migrations: (kind) => ({
    '0012-handoffs': handoffs(kind),
    '0026-hub-places': hubPlaces,
    '0029-callers': callers,
    '0039-said': said,
    '0043-handoff-verification': verifications(kind),
  }),
  // A handoff is removed with all its events.
  retention: (days) => [
    { table: 'handoff', age: 'ended_at', after: days * day, batch: 100 },
    // Nobody came back to end it: neither side has said anything for so long that the bot has forgotten the chat.
    {
      table: 'handoff',
      age: 'created_at',
      after: days * day,
      only: 'ended_at is null and not exists (select 1 from bot_state where key = handoff.conversation)',
      batch: 100,
    },
  ],
  addressed: [{ table: 'handoff', only: 'ended_at is null' }],
  erasure: (keys) => [
    { table: 'handoff', where: sql`conversation in ${keys}` },
    { table: 'handoff_letter', where: sql`handoff_id in (select id from handoff where conversation in ${keys})` },
  ],
};
