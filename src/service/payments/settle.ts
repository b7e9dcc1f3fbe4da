// What a payment has come to: asked of the gateway, held against our own record, and only then believed.
import type { Clock } from '../../platform/clock.ts';
import { faultFields, type Log } from '../../platform/log.ts';
import { orderOf, paid } from '../core/apps/payments.ts';
import type { Endings } from '../core/lifecycle/endings.ts';
import { decimalOf, decimalsOf } from '../core/money.ts';
import { type Checkout, type Checkouts, markPaid } from '../core/store/checkouts.ts';
import type { Request } from '../core/store/request.ts';
import type { Requests } from '../core/store/requests.ts';
import { type Gateway, GatewayFault, type Payment } from './gateways/gateway.ts';

/**
 * Where a payment stands for us. `doubtful`: the gateway says paid, but a different amount or too late. A person has to
 * look.
 */
export type CheckoutStanding = 'closed' | 'doubtful' | 'open' | 'paid' | 'processing';

export interface Settle {
  /** Asks the gateway about a checkout and ends its request if it is paid. Safe to repeat. @throws {GatewayFault} */
  look(checkout: Checkout): Promise<CheckoutStanding>;
  /** Sees to it that a checkout can no longer be paid, and does the same. @throws {GatewayFault} */
  close(checkout: Checkout): Promise<CheckoutStanding>;
  /**
   * Closes what a request has open, before it ends unpaid: when it turns out to have been paid, the request has ended
   * with that. A gateway that does not answer holds nothing up; what stays open is closed later.
   */
  withdraw(request: Pick<Request, 'app' | 'id'>): Promise<void>;
}

export interface SettleOptions {
  readonly gateway: Gateway;
  readonly requests: Pick<Requests, 'get'>;
  readonly checkouts: Checkouts;
  readonly endings: Pick<Endings, 'byPayment'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** How long the gateway may take to answer, in milliseconds. */
export const gatewayPatienceMs = 10_000;

/** How long a gateway that did not answer is left alone where nothing depends on it: many requests may end at once. */
const restMs = 30_000;

export const makeSettle = ({ gateway, requests, checkouts, endings, clock, log }: SettleOptions): Settle => {
  let restsUntil = 0;

  const doubt = (interaction: string, code: string, message: string): CheckoutStanding => {
    log.error({ component: 'payments', interaction, code }, message);
    return 'doubtful';
  };

  const believe = async (checkout: Checkout, payment: Payment): Promise<CheckoutStanding> => {
    const { requestId, gateway: name, amount, currency } = checkout;
    if (payment.status === 'closed') await checkouts.closed(requestId);
    if (payment.status !== 'paid') return payment.status;
    const { money, transactionId, receiptUrl } = payment;
    const request = await requests.get(requestId);
    const order = request && orderOf(request.input);
    const same = [money, order?.money].every((other) => other?.minor === amount && other.currency === currency);
    if (!request || !order || !same || payment.requestId !== requestId || transactionId === undefined) {
      // While its request waits, the customer may still pay what was asked for; afterwards nothing can come of it.
      if (request?.state !== 'pending') await checkouts.closed(requestId);
      return doubt(requestId, 'payment_mismatch', 'a payment is not what was asked for, and finishes nothing');
    }
    const fields = paid(order, { gateway: name, transactionId, receiptUrl });
    const facts = { gateway: name, amount: decimalOf(amount, decimalsOf(currency) ?? 2), currency, transaction: transactionId };
    if (await endings.byPayment(request, fields, markPaid(requestId, facts))) return 'paid';
    if ((await requests.get(requestId))?.state === 'success') return 'paid';
    await checkouts.closed(requestId);
    return doubt(requestId, 'paid_after_end', 'a payment came after its request was over, and has to be paid back');
  };

  /**
   * What the gateway says about a checkout. One that it does not know, because another gateway made it or nobody did,
   * cannot be paid.
   */
  const asking =
    (call: (id: string, signal: AbortSignal) => Promise<Payment>) =>
    async (checkout: Checkout): Promise<CheckoutStanding> => {
      if (checkout.gatewayId !== undefined && checkout.gateway === gateway.name) {
        return believe(checkout, await call(checkout.gatewayId, AbortSignal.timeout(gatewayPatienceMs)));
      }
      await checkouts.closed(checkout.requestId);
      return 'closed';
    };
  const close = asking(gateway.expire);

  return {
    look: asking(gateway.retrieve),
    close,
    withdraw: async ({ app, id }) => {
      const checkout = app === 'payments' ? await checkouts.of(id) : undefined;
      if ((checkout?.state !== 'open' && checkout?.state !== 'creating') || clock.now() < restsUntil) return;
      try {
        await close(checkout);
      } catch (fault) {
        if (!(fault instanceof GatewayFault)) throw fault;
        restsUntil = clock.now() + restMs;
        log.warn({ ...faultFields(fault), component: 'payments', interaction: id }, 'a checkout could not be closed yet');
      }
    },
  };
};
