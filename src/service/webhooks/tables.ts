// The tables of webhooks; core/store/schema.ts says what applies to all tables.
import type { OwnRows } from '../core/store/erasure.ts';

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
interface WebhookEndpointTable {
  account_id: string;
  url: string;
  disabled_at: number;
}

declare module '../core/store/schema.ts' {
  interface Schema {
    webhooks: WebhookTable;
    webhook_endpoints: WebhookEndpointTable;
  }
}

export const webhookRows: OwnRows = { ofRequests: ['webhooks'] };
