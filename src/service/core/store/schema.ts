// The service's tables, as Kysely types. Instants are epoch milliseconds, structured values JSON text: the same on
// SQLite and Postgres.
import type { Generated } from 'kysely';

/** An accepted send and its state. */
export interface RequestTable {
  id: string;
  account_id: string;
  app: string;
  state: string;
  session_ref: string;
  customer_ref: string;
  channel: string;
  language: string;
  /** The customer and the contents, sealed; null once emptied. */
  details: string | null;
  /** Keyed digests of the addresses in the details, separated by spaces. */
  addresses: string;
  /** The behaviour of a test phone number; null for a request that waits for its customer. */
  behaviour: string | null;
  /** The next step of that behaviour. */
  step: number;
  created_at: number;
  expires_at: number;
  /** When the scheduler must next process it: at the next step's instant, or at `expires_at`. */
  due_at: number;
  /** SHA-256 of the token, like all tokens here: the stored value opens nothing. */
  ws_token_hash: string | null;
  link_hash: string | null;
  code_hash: string | null;
  checks: number;
  resends: number;
  sent_at: number;
  /** The highest sequence number given to one of its events. */
  last_seq: number;
  finished_at: number | null;
  result: string | null;
  /** The end of its audit trail, sealed with a key that is not in the database. */
  audit_seq: number;
  audit_hash: string;
  audit_seal: string;
}

/** An action on a request: what, by whom, when and from where; each entry is chained to the one before. */
export interface AuditTable {
  request_id: string;
  /** From 1 on, without gaps. */
  seq: number;
  at: number;
  actor: string;
  action: string;
  /** The facts as compact JSON, sorted by name. */
  detail: string;
  ip: string | null;
  user_agent: string | null;
  /** The digest of the previous entry; 64 zeros for the first. */
  previous: string;
  hash: string;
}

/** The hash of a link that became void when its message was sent again. */
interface FormerLinkTable {
  link_hash: string;
  request_id: string;
}

/** The events of a request, in order. */
export interface EventTable {
  request_id: string;
  seq: number;
  id: string;
  type: string;
  created_at: number;
}

/** A message still to be delivered to its customer. The row is deleted once it is. */
export interface DeliveryTable {
  id: string;
  request_id: string;
  sealed: string;
  attempts: number;
  due_at: number;
  created_at: number;
  /** 1 for the request's own message, whose delivery is an event; 0 for one requested on its page. Left out: 1. */
  announced: Generated<number>;
  /** 1 while an attempt runs, or after one with unknown outcome: the message may have arrived. Left out: 0. */
  begun: Generated<number>;
}

/** What happened to a request besides its events: delivery of its messages, and replacement by another request. */
export interface NoteTable {
  request_id: string;
  /** The message concerned; empty if there is none. */
  message_id: string;
  type: string;
  channel: string | null;
  /** The reason, as the gateway's code. */
  code: string | null;
  /** The gateway's identifier of the message. */
  reference: string | null;
  /** When the message was sent. */
  message_at: number | null;
  created_at: number;
}

/** The answer to a send with an idempotency key. */
export interface IdempotencyTable {
  account_id: string;
  key: string;
  digest: string;
  request_id: string;
  answer: string;
  created_at: number;
}

/** How much of a quota is used. */
export interface QuotaTable {
  key: string;
  taken: number;
  resets_at: number;
}

/** All tables of the core. Every other part of the service adds its own to this interface, in its `tables.ts`. */
export interface Schema {
  requests: RequestTable;
  events: EventTable;
  former_links: FormerLinkTable;
  deliveries: DeliveryTable;
  idempotency: IdempotencyTable;
  quotas: QuotaTable;
  audit: AuditTable;
  notes: NoteTable;
}
