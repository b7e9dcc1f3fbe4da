import type { Generated } from 'kysely';
// The tables of handoffs, as Kysely types. Instants are epoch milliseconds.

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
