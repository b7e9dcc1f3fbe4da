// The port to the payment gateway. It has three adapters: the sandbox, Stripe, and a generic one over HTTP.
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { readJson } from '../../../platform/http/bounded-json.ts';
import { verifiedId } from '../../../platform/secrets/webhook-signature.ts';
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

/** A payment gateway. Calls throw {@link GatewayFault} and end by `signal`. */
export interface Gateway {
  readonly name: GatewayName;
  /** Why an amount cannot be charged; undefined if it can. */
  refuses(money: Money): string | undefined;
  /** Makes a page on which one customer can pay one order; `url` is where. */
  createCheckout(order: Order, signal: AbortSignal): Promise<{ readonly id: string; readonly url: string }>;
  retrieve(checkoutId: string, signal: AbortSignal): Promise<Payment>;
  /** Closes a checkout so that it can no longer be paid. Returns its state, since it may have been paid before. */
  expire(checkoutId: string, signal: AbortSignal): Promise<Payment>;
  /**
   * The event in a webhook's raw body, and its checkout, if it is about one; undefined unless it is signed by the gateway,
   * within five minutes of `now`. Only a hint: `retrieve` reads the state.
   */
  verifyWebhook(
    raw: Buffer,
    headers: IncomingHttpHeaders,
    now: number,
  ): { readonly id: string; readonly checkoutId: string | undefined } | undefined;
  close?(): Promise<void>;
}

const event = z.object({ checkoutId: z.string().regex(/^[\w.:-]{1,200}$/) });

/** Verifies webhooks that are signed with a secret as ours are, and name a checkout. */
export const verifySigned =
  (secret: string): Gateway['verifyWebhook'] =>
  (raw, headers, now) => {
    const id = verifiedId(secret, raw, headers, now);
    if (id === undefined) return undefined;
    const reading = readJson(raw, 8);
    return { id, checkoutId: event.safeParse('value' in reading ? reading.value : undefined).data?.checkoutId };
  };

/** A gateway could not be reached, refused a call, or answered nonsense. */
export class GatewayFault extends Error {
  override readonly name = 'GatewayFault';
  readonly code: 'malformed' | 'refused' | 'unreachable';
  constructor(code: GatewayFault['code'], options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}
