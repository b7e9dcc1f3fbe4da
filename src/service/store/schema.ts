// The service's tables, as Kysely types. Instants are epoch milliseconds, structured values JSON text: the same on SQLite and Postgres.

/** One accepted send and where it stands. */
export interface RequestTable {
  id: string;
  account_id: string;
  app: string;
  state: string;
  session_ref: string;
  customer_ref: string;
  phone_number: string | null;
  channel: string;
  recipients: string;
  language: string;
  /** What the app needs to know later, as JSON of the app's own shape. */
  input: string;
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
}

/** What happened to a request, in order. */
interface EventTable {
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

export interface Schema {
  requests: RequestTable;
  events: EventTable;
  deliveries: DeliveryTable;
  outbox: OutboxTable;
  idempotency: IdempotencyTable;
}
