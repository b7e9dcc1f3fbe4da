// The state of a payment: queried at the gateway, compared with our record, and only then trusted.

import type { Selectable } from 'kysely';
import { faultFields } from '../../platform/log.ts';
import { system } from '../core/audit/origin.ts';
import type { ServiceContext } from '../core/context.ts';
import { finish, started } from '../core/lifecycle/endings.ts';
import { plainAmount } from '../core/money.ts';
import type { Request } from '../core/store/request.ts';
import type { Effect } from '../core/store/undoable.ts';
import { orderOf, paid, shownOf } from './app.ts';
import { type Gateway, GatewayFault, type Payment } from './gateways/gateway.ts';
import type { CheckoutTable } from './tables.ts';

/** The payment of a request: one row per request, written before the gateway is called. */
export type Checkout = Selectable<CheckoutTable>;

/**
 * The state of a payment. `doubtful`: the gateway reports it as paid, but too late or with a different amount. A person
 * has to look into it.
 */
export type CheckoutState = 'closed' | 'doubtful' | 'open' | 'paid' | 'processing';

export type Settle = ReturnType<typeof makeSettle>;

/** How long the gateway may take to answer, in milliseconds. */
export const gatewayPatienceMs = 10_000;

/** The pause after an unanswered call if nothing depends on it, since many requests may end at once. */
const restMs = 30_000;

export const makeSettle = (context: ServiceContext, gateway: Gateway) => {
  const { storage, clock, log } = context;
  const { requests, database } = storage;
  const { db } = database;
  let restsUntil = 0;

  const checkoutOf = (requestId: string): Promise<Checkout | undefined> =>
    db.selectFrom('checkouts').selectAll().where('request_id', '=', requestId).executeTakeFirst();
  /** Records that a checkout can no longer be paid. */
  const closed = async ({ request_id: requestId }: Checkout) => {
    const unpaid = db.updateTable('checkouts').where('request_id', '=', requestId).where('state', '<>', 'paid');
    await unpaid.set({ state: 'closed' }).execute();
  };

  const doubt = (interaction: string, code: string, message: string): CheckoutState => {
    log.error({ component: 'payments', interaction, code }, message);
    return 'doubtful';
  };

  const believe = async (checkout: Checkout, payment: Payment): Promise<CheckoutState> => {
    const { request_id: requestId, gateway: name, currency } = checkout;
    const amount = BigInt(checkout.amount);
    if (payment.status === 'closed') await closed(checkout);
    if (payment.status !== 'paid') return payment.status;
    const { money, transactionId, receiptUrl } = payment;
    const request = await requests.get(requestId);
    const order = request && orderOf(request.input);
    const same = [money, order?.money].every((other) => other?.minor === amount && other.currency === currency);
    if (!request || !order || !same || payment.requestId !== requestId || transactionId === undefined) {
      // While its request is pending, the customer may still pay; afterwards the checkout has no effect.
      if (request?.state !== 'pending') await closed(checkout);
      return doubt(requestId, 'payment_mismatch', 'a payment is not what was asked for, and finishes nothing');
    }
    const fields = paid(order, { gateway: name, transactionId, receiptUrl });
    const facts = { gateway: name, amount: plainAmount({ minor: amount, currency }), currency, transaction: transactionId };
    const markPaid: Effect = async (transaction) => {
      await transaction.updateTable('checkouts').set({ state: 'paid' }).where('request_id', '=', requestId).execute();
      return facts;
    };
    // A payment that was made counts even if the request has just expired.
    const how = { by: system, preceding: started, beforeExpiry: false, effect: markPaid };
    if (await finish(context, request, 'success', fields, shownOf(order), how)) return 'paid';
    if ((await requests.get(requestId))?.state === 'success') return 'paid';
    await closed(checkout);
    return doubt(requestId, 'paid_after_end', 'a payment came after its request was over, and has to be paid back');
  };

  /**
   * The gateway's state of a checkout. One that it does not know, because another gateway created it or nobody did,
   * cannot be paid.
   */
  const asking =
    (call: (id: string, signal: AbortSignal) => Promise<Payment>) =>
    async (checkout: Checkout, signal = AbortSignal.timeout(gatewayPatienceMs)): Promise<CheckoutState> => {
      const { gateway_id: id } = checkout;
      if (id !== null && checkout.gateway === gateway.name) return believe(checkout, await call(id, signal));
      await closed(checkout);
      return 'closed';
    };
  const close = asking(gateway.expire);

  return {
    gateway,
    checkoutOf,
    /** Asks the gateway about a checkout and ends its request if it is paid. Safe to repeat. @throws {GatewayFault} */
    check: asking(gateway.retrieve),
    /** Closes a checkout so that it can no longer be paid, then does the same. @throws {GatewayFault} */
    close,
    /**
     * Closes a request's open checkout before the request ends unpaid. If it turns out to be paid, the request ends
     * with success. A gateway that does not answer delays nothing: the checkout is closed later.
     */
    withdraw: async ({ id }: Pick<Request, 'id'>): Promise<void> => {
      const checkout = await checkoutOf(id);
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
