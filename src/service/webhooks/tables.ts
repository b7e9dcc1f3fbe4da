// The tables of webhooks; see schema.ts for what applies to all tables.

/** A webhook still to be delivered to its endpoint, or given up. The row is deleted once it is delivered. */
export interface WebhookTable {
  id: string;
  account_id: string;
  url: string;
  type: string;
  request_id: string;
  /** The reason, if there is one. */
  code: string | null;
  attempts: number;
  due_at: number;
  created_at: number;
  /** When it was given up, and the last failure. */
  dead_at: number | null;
  dead_code: string | null;
}

/** An endpoint that answered that it is gone. */
export interface WebhookEndpointTable {
  account_id: string;
  url: string;
  disabled_at: number;
}
