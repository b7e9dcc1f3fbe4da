// The port to the payment gateway. It has three adapters: the sandbox, Stripe, and a generic one over HTTP.
import type { IncomingHttpHeaders } from 'node:http';
import type { Language } from '../../core/languages.ts';
import type { Money } from '../../core/money.ts';

export const gatewayNames = ['sandbox', 'stripe', 'http'] as const;
export type GatewayName = (typeof gatewayNames)[number];

/** What a customer is to pay. The same order may be handed over twice; the gateway makes one checkout of it. */
export interface Order {
  /** Names the order: the gateway's idempotency key. */
  readonly key: string;
  /** The request it is for. The gateway keeps it and tells it with the payment. */
  readonly requestId: string;
  readonly title: string;
  readonly description: string;
  readonly money: Money;
  readonly language: Language;
  /** Where the customer is sent afterwards, whether they paid or not. */
  readonly backUrl: string;
  readonly createdAt: number;
  /** When the payment is no longer wanted. A gateway that cannot close that early is told to close it. */
  readonly expiresAt: number;
}

/** A page on which one customer can pay one order. */
export interface MadeCheckout {
  readonly id: string;
  /** Where the customer pays. */
  readonly url: string;
}

/** What a gateway says about a checkout. `processing`: the customer has done their part, the money is not there yet. */
export interface Payment {
  readonly status: 'closed' | 'open' | 'paid' | 'processing';
  /** What the order said. */
  readonly requestId: string | undefined;
  /** Undefined where the gateway's units are no minor units of the currency. */
  readonly money: Money | undefined;
  /** Names the payment for the account's books. Always there when it is paid. */
  readonly transactionId: string | undefined;
  /** A receipt that the customer may see. */
  readonly receiptUrl: string | undefined;
}

/** An event of a gateway, proved to be its own. Only a hint: what happened is read with `retrieve`. */
export interface GatewayEvent {
  readonly id: string;
  /** The checkout that something happened to; undefined for an event about anything else. */
  readonly checkoutId: string | undefined;
}

/** A payment gateway. Calls throw {@link GatewayFault} and end by `signal`. */
export interface Gateway {
  readonly name: GatewayName;
  /** Where the customer's browser is sent; what is known before a checkout is made. */
  readonly moves: 'money' | 'nothing';
  /** Whether an amount can be charged here; in words what is wrong when it cannot. */
  refuses(money: Money): string | undefined;
  createCheckout(order: Order, signal: AbortSignal): Promise<MadeCheckout>;
  retrieve(checkoutId: string, signal: AbortSignal): Promise<Payment>;
  /** Sees to it that a checkout can no longer be paid, and tells what it has come to: it may have been paid before. */
  expire(checkoutId: string, signal: AbortSignal): Promise<Payment>;
  /** The event in a webhook's raw body; undefined unless it is signed by the gateway, within five minutes of `now`. */
  verifyWebhook(raw: Buffer, headers: IncomingHttpHeaders, now: number): GatewayEvent | undefined;
}

/** A gateway did not do its part: could not be reached, refused, or answered nonsense. */
export class GatewayFault extends Error {
  override readonly name = 'GatewayFault';
  readonly code: 'malformed' | 'refused' | 'unreachable';
  constructor(code: GatewayFault['code'], options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}
