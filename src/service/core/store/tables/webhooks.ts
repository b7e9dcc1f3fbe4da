// The tables of webhooks; see schema.ts for what holds of all.

/** A webhook that still has to reach its endpoint, or that never did. The row goes when it has. */
export interface WebhookTable {
  id: string;
  account_id: string;
  url: string;
  type: string;
  request_id: string;
  /** Why, for what has a reason. */
  code: string | null;
  attempts: number;
  due_at: number;
  created_at: number;
  /** When it was given up, and on what. */
  dead_at: number | null;
  dead_code: string | null;
}

/** An endpoint that said it is gone. */
export interface WebhookEndpointTable {
  account_id: string;
  url: string;
  disabled_at: number;
}
