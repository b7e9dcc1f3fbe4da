// The tables of payments; see schema.ts for what holds of all.

/** The payment of a request, as the gateway in use keeps it. */
export interface CheckoutTable {
  request_id: string;
  gateway: string;
  /** Counts the checkouts that were made for the request; only the newest is kept. */
  attempt: number;
  /** What the gateway calls it, and where the customer pays: null until the gateway has answered. */
  gateway_id: string | null;
  url: string | null;
  state: string;
  /** Minor units as text: 64 bits hold any amount, JavaScript's numbers do not. */
  amount: string;
  currency: string;
  /** How often closing it has failed, and when it is tried next. */
  tries: number;
  due_at: number;
  created_at: number;
}

/** A gateway's event that was taken in, so that it is taken in once. */
export interface GatewayEventTable {
  gateway: string;
  id: string;
  created_at: number;
}

/** A checkout at the sandbox: the other side's memory, which a real gateway keeps for itself. */
export interface SandboxCheckoutTable {
  id: string;
  request_id: string;
  /** The idempotency key it was made with. */
  key: string;
  title: string;
  amount: string;
  currency: string;
  language: string;
  back_url: string;
  state: string;
  transaction_id: string | null;
  created_at: number;
}
