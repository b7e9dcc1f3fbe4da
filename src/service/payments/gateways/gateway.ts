// The port to the payment gateway. It has three adapters: the sandbox, Stripe, and a generic one over HTTP.
import type { IncomingHttpHeaders } from 'node:http';
import type { Language } from '../../../platform/text/languages.ts';
import type { Money } from '../../core/money.ts';

export const gatewayNames = ['sandbox', 'stripe', 'http'] as const;
export type GatewayName = (typeof gatewayNames)[number];

/** What a customer is to pay. The gateway creates one checkout even for a repeated order. */
export interface Order {
  /** The order's id, which is the gateway's idempotency key. */
  readonly key: string;
  /** Its request. The gateway stores it and returns it with the payment. */
  readonly requestId: string;
  readonly title: string;
  readonly description: string;
  readonly money: Money;
  readonly language: Language;
  /** Where the customer is sent afterwards, whether they paid or not. */
  readonly backUrl: string;
  readonly createdAt: number;
  /** When the checkout should expire. A gateway that cannot expire it so early gets a call to close it. */
  readonly expiresAt: number;
}

/** A page on which one customer can pay one order. */
export interface MadeCheckout {
  readonly id: string;
  /** Where the customer pays. */
  readonly url: string;
}

/** A gateway's state of a checkout. `processing`: the customer is done, but the money has not arrived. */
export interface Payment {
  readonly status: 'closed' | 'open' | 'paid' | 'processing';
  /** The order's request. */
  readonly requestId: string | undefined;
  /** Undefined if the gateway's amount is not in whole minor units. */
  readonly money: Money | undefined;
  /** The payment's id for the account's books. Always present once it is paid. */
  readonly transactionId: string | undefined;
  /** A receipt that the customer may see. */
  readonly receiptUrl: string | undefined;
}

/** An authentic event of a gateway. Only a hint: `retrieve` reads the state. */
export interface GatewayEvent {
  readonly id: string;
  /** The event's checkout; undefined if it is about something else. */
  readonly checkoutId: string | undefined;
}

/** A payment gateway. Calls throw {@link GatewayFault} and end by `signal`. */
export interface Gateway {
  readonly name: GatewayName;
  /** Whether it moves money; the sandbox does not. */
  readonly moves: 'money' | 'nothing';
  /** Why an amount cannot be charged; undefined if it can. */
  refuses(money: Money): string | undefined;
  createCheckout(order: Order, signal: AbortSignal): Promise<MadeCheckout>;
  retrieve(checkoutId: string, signal: AbortSignal): Promise<Payment>;
  /** Closes a checkout so that it can no longer be paid. Returns its state, since it may have been paid before. */
  expire(checkoutId: string, signal: AbortSignal): Promise<Payment>;
  /** The event in a webhook's raw body; undefined unless it is signed by the gateway, within five minutes of `now`. */
  verifyWebhook(raw: Buffer, headers: IncomingHttpHeaders, now: number): GatewayEvent | undefined;
}

/** A gateway could not be reached, refused a call, or answered nonsense. */
export class GatewayFault extends Error {
  override readonly name = 'GatewayFault';
  readonly code: 'malformed' | 'refused' | 'unreachable';
  constructor(code: GatewayFault['code'], options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}
