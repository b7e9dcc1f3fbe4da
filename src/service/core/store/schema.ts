// The service's tables, as Kysely types. Instants are epoch milliseconds, structured values JSON text: the same on
// SQLite and Postgres.
import type { Generated } from 'kysely';
import type { AccessTable, LoginTable, SessionTable } from '../../../platform/sign-in/tables.ts';
import type { SignedDocumentTable } from './tables/documents.ts';
import type { PasskeyChallengeTable, PasskeyTable, PasskeyUserTable, PhoneProofTable } from './tables/passkeys.ts';
import type { CheckoutTable, GatewayEventTable, SandboxCheckoutTable } from './tables/payments.ts';
import type { WebhookEndpointTable, WebhookTable } from './tables/webhooks.ts';

/** One accepted send and where it stands. */
export interface RequestTable {
  id: string;
  account_id: string;
  app: string;
  state: string;
  session_ref: string;
  customer_ref: string;
  channel: string;
  language: string;
  /** Whom it is for and what it is about, sealed; null once it was emptied. */
  details: string | null;
  /** Keyed digests of the addresses in it, with spaces between. */
  addresses: string;
  /** How a test phone number behaves, or null for a request that waits for its customer. */
  behaviour: string | null;
  /** The next step of that behaviour. */
  step: number;
  created_at: number;
  expires_at: number;
  /** When the scheduler has to look at it: the next step's instant, or `expires_at`. */
  due_at: number;
  /** SHA-256 of the token, as for every token here: what is stored opens nothing. */
  ws_token_hash: string | null;
  link_hash: string | null;
  code_hash: string | null;
  checks: number;
  resends: number;
  sent_at: number;
  /** The highest sequence number handed to one of its events. */
  last_seq: number;
  finished_at: number | null;
  result: string | null;
  /** Where its audit trail ends, sealed under a key that is not in the database. */
  audit_seq: number;
  audit_hash: string;
  audit_seal: string;
}

/** What was done with a request, by whom, when and from where; each entry bound to the one before. */
export interface AuditTable {
  request_id: string;
  seq: number;
  at: number;
  actor: string;
  action: string;
  /** Compact JSON. */
  detail: string;
  ip: string | null;
  user_agent: string | null;
  previous: string;
  hash: string;
}

/** The hash of a link that a message sent again has made void. */
interface FormerLinkTable {
  link_hash: string;
  request_id: string;
}

/** What happened to a request, in order. */
export interface EventTable {
  request_id: string;
  seq: number;
  id: string;
  type: string;
  created_at: number;
}

/** A message that still has to reach its customer. The row goes when it has. */
export interface DeliveryTable {
  id: string;
  request_id: string;
  sealed: string;
  attempts: number;
  due_at: number;
  created_at: number;
  /** 1 for the request's own message, whose arrival is an event; 0 for one that its page asked for. Left out: 1. */
  announced: Generated<number>;
  /** 1 while an attempt runs, or ended with nobody knowing how: the message may have arrived. Left out: 0. */
  begun: Generated<number>;
}

/** What happened to a request besides its events: delivery of its messages, and replacement by another request. */
export interface NoteTable {
  request_id: string;
  /** The message that it is about; empty where it is about none. */
  message_id: string;
  type: string;
  channel: string | null;
  /** Why, in the code of the gateway that said so. */
  code: string | null;
  /** What the gateway calls the message. */
  reference: string | null;
  /** When the message was sent off. */
  message_at: number | null;
  created_at: number;
}

/** A message as the outbox keeps it, in place of the customer's phone. */
export interface OutboxTable {
  id: string;
  request_id: string;
  sealed: string;
  created_at: number;
}

/** What a send with an idempotency key was answered. */
export interface IdempotencyTable {
  account_id: string;
  key: string;
  digest: string;
  request_id: string;
  answer: string;
  created_at: number;
}

/** How much of a quota is taken. */
export interface QuotaTable {
  key: string;
  taken: number;
  resets_at: number;
}

export interface Schema {
  requests: RequestTable;
  events: EventTable;
  former_links: FormerLinkTable;
  deliveries: DeliveryTable;
  outbox: OutboxTable;
  idempotency: IdempotencyTable;
  quotas: QuotaTable;
  passkey_users: PasskeyUserTable;
  passkeys: PasskeyTable;
  passkey_challenges: PasskeyChallengeTable;
  phone_proofs: PhoneProofTable;
  checkouts: CheckoutTable;
  gateway_events: GatewayEventTable;
  sandbox_checkouts: SandboxCheckoutTable;
  signed_documents: SignedDocumentTable;
  audit: AuditTable;
  notes: NoteTable;
  webhooks: WebhookTable;
  webhook_endpoints: WebhookEndpointTable;
  console_sessions: SessionTable;
  console_sign_ins: LoginTable;
  console_accesses: AccessTable;
}
