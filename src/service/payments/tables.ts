// The tables of payments; core/store/schema.ts says what applies to all tables.
import type { OwnRows } from '../core/store/erasure.ts';

/** The payment of a request, at the gateway in use. */
export interface CheckoutTable {
  request_id: string;
  gateway: string;
  /** The number of checkouts created for the request so far; only the newest is stored. */
  attempt: number;
  /** The gateway's identifier and the payment page's address: null until the gateway has answered. */
  gateway_id: string | null;
  url: string | null;
  state: string;
  /** Minor units as text: 64 bits hold any amount, JavaScript's numbers do not. */
  amount: string;
  currency: string;
  /** How often closing it has failed, and when it is tried again. */
  tries: number;
  due_at: number;
  created_at: number;
}

/** A checkout at the sandbox, which a real gateway would store itself. */
export interface SandboxCheckoutTable {
  id: string;
  request_id: string;
  /** The idempotency key of its creation. */
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

declare module '../core/store/schema.ts' {
  interface Schema {
    checkouts: CheckoutTable;
    /** A gateway's event that was processed, so that it is processed only once. */
    gateway_events: { gateway: string; id: string; created_at: number };
    sandbox_checkouts: SandboxCheckoutTable;
  }
}

export const paymentRows: OwnRows = {
  ofRequests: ['checkouts', 'sandbox_checkouts'],
  // A request that can still be paid at the gateway.
  unfinished: ({ exists, selectFrom }) =>
    exists(selectFrom('checkouts').select('state').whereRef('request_id', '=', 'requests.id').where('checkouts.state', '=', 'open')),
  retention: (_database, _at, after) => [{ table: 'gateway_events', age: 'created_at', after }],
};
