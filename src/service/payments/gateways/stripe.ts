// Stripe: payments on its Checkout page. Card data never comes near this service.
import Stripe from 'stripe';
import { webhookToleranceSeconds } from '../../../platform/secrets/webhook-signature.ts';
import { type Gateway, GatewayFault, type Payment } from './gateway.ts';
import { fromStripe, toStripe } from './stripe-units.ts';

/** Stripe requires at least half an hour until a checkout expires; a minute more, as clocks differ. */
const soonestEnd = 31 * 60;
const latestEnd = 24 * 60 * 60 - 60;

/** @param address - where the API is, when not at Stripe: a local stand-in */
export const makeStripe = (secretKey: string, webhookSecret: string, address?: string): Gateway => {
  const url = address === undefined ? undefined : new URL(address);
  const stripe = new Stripe(secretKey, {
    // Their sum is below a caller's ten seconds.
    timeout: 4500,
    maxNetworkRetries: 1,
    telemetry: false,
    ...(url && {
      host: url.hostname,
      port: url.port || (url.protocol === 'http:' ? 80 : 443),
      protocol: url.protocol === 'http:' ? ('http' as const) : ('https' as const),
    }),
  });

  const retrieve = (id: string) =>
    asked(async () => read(await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge'] })));

  return {
    name: 'stripe',
    refuses: (money) => (toStripe(money) === undefined ? `cannot be charged by Stripe in ${money.currency}` : undefined),
    createCheckout: ({ key, requestId, title, description, money, language, backUrl, createdAt, expiresAt }) =>
      asked(async () => {
        const seconds = Math.floor(createdAt / 1000);
        const end = Math.min(Math.max(Math.ceil(expiresAt / 1000), seconds + soonestEnd), seconds + latestEnd);
        const session = await stripe.checkout.sessions.create(
          {
            mode: 'payment',
            client_reference_id: requestId,
            payment_intent_data: { metadata: { requestId } },
            line_items: [
              {
                quantity: 1,
                price_data: {
                  currency: money.currency.toLowerCase(),
                  unit_amount: toStripe(money) ?? refused(),
                  product_data: { name: title, description },
                },
              },
            ],
            // The amount must be paid as requested, not converted to another currency.
            adaptive_pricing: { enabled: false },
            locale: language,
            success_url: backUrl,
            cancel_url: backUrl,
            expires_at: end,
          },
          { idempotencyKey: key },
        );
        return { id: session.id, url: session.url ?? malformed() };
      }),
    retrieve,
    expire: async (id) => {
      const payment = await retrieve(id);
      if (payment.status !== 'open') return payment;
      try {
        return read(await stripe.checkout.sessions.expire(id));
      } catch (fault) {
        // Most likely paid in between: its current state decides.
        if (fault instanceof Stripe.errors.StripeInvalidRequestError) return retrieve(id);
        throw asFault(fault);
      }
    },
    verifyWebhook: (raw, headers, now) => {
      const header = headers['stripe-signature'];
      if (typeof header !== 'string' || header.length > 2000) return undefined;
      // The library refuses old timestamps; those in the future are just as invalid.
      const stamped = Number(/(?:^|,)t=(\d{1,12})(?:,|$)/.exec(header)?.[1]);
      if (!(stamped - now / 1000 <= webhookToleranceSeconds)) return undefined;
      try {
        const event = stripe.webhooks.constructEvent(raw, header, webhookSecret, webhookToleranceSeconds, undefined, now);
        const { object } = event.data;
        return { id: event.id, checkoutId: object.object === 'checkout.session' ? object.id : undefined };
      } catch (fault) {
        if (fault instanceof Stripe.errors.StripeSignatureVerificationError || fault instanceof SyntaxError) return undefined;
        throw fault;
      }
    },
  };
};

const read = (session: Stripe.Checkout.Session): Payment => {
  const intent = typeof session.payment_intent === 'object' ? session.payment_intent : undefined;
  const charge = typeof intent?.latest_charge === 'object' ? intent.latest_charge : undefined;
  const status = statusOf(session);
  const transactionId = typeof session.payment_intent === 'string' ? session.payment_intent : intent?.id;
  if (status === 'paid' && transactionId === undefined) malformed();
  const { amount_total: amount, currency } = session;
  return {
    status,
    requestId: session.client_reference_id ?? undefined,
    money: amount === null || currency === null ? undefined : fromStripe(amount, currency),
    transactionId,
    receiptUrl: charge?.receipt_url ?? undefined,
  };
};

const statusOf = ({ status, payment_status }: Stripe.Checkout.Session): Payment['status'] => {
  switch (status) {
    case 'open':
      return 'open';
    case 'expired':
      return 'closed';
    case 'complete':
      // A bank transfer, for example, is complete before its money arrives.
      return payment_status === 'paid' ? 'paid' : 'processing';
    default:
      return malformed();
  }
};

const malformed = (): never => {
  throw new GatewayFault('malformed');
};

const refused = (): never => {
  throw new GatewayFault('refused');
};

const asked = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await call();
  } catch (fault) {
    throw asFault(fault);
  }
};

const asFault = (fault: unknown) => {
  if (fault instanceof GatewayFault) return fault;
  const { StripeAPIError, StripeConnectionError, StripeIdempotencyError, StripeRateLimitError, StripeError } = Stripe.errors;
  const passing = [StripeAPIError, StripeConnectionError, StripeIdempotencyError, StripeRateLimitError].some(
    (kind) => fault instanceof kind,
  );
  if (passing) return new GatewayFault('unreachable', { cause: fault });
  return fault instanceof StripeError ? new GatewayFault('refused', { cause: fault }) : fault;
};
