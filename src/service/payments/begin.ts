// Sends a customer to the gateway: records a checkout, then creates it, once however often the button is pressed.

import { faultFields } from '../../platform/log.ts';
import { system } from '../core/audit/origin.ts';
import type { ServiceContext } from '../core/context.ts';
import type { Request } from '../core/store/request.ts';
import { orderOf } from './app.ts';
import { GatewayFault } from './gateways/gateway.ts';
import { gatewayPatienceMs, type Settle } from './settle.ts';
import type { Checkout } from './store.ts';

/** The return ticket expires a day after the request. */
const graceMs = 24 * 60 * 60 * 1000;

/**
 * The address at which a request's customer can pay. `settled`: nothing is left to pay. `unavailable`: the gateway does
 * not work at the moment.
 */
export const makeBegin = ({ tickets, publicUrl, clock, log }: ServiceContext, settle: Settle) => {
  const { gateway, checkouts } = settle;
  /** The return address for the gateway: always the same for a request, and without the secret of its link. */
  const backUrl = ({ id, expiresAt }: Request): string =>
    new URL(`/checkout/${tickets.issue('checkout', id, expiresAt + graceMs)}`, publicUrl()).href;
  /** The checkout to create, or the address of an existing one, which may be paid or closed by now. */
  const current = async (request: Request): Promise<Checkout | { url: string } | 'settled'> => {
    const { minor: amount, currency } = orderOf(request.input).money;
    const reservation = { requestId: request.id, gateway: gateway.name, amount, currency, at: clock.now() };
    const checkout = await checkouts.reserve(reservation);
    if (checkout.state === 'creating' && checkout.gateway === gateway.name) return checkout;
    const state = checkout.state === 'open' ? await settle.check(checkout) : checkout.state === 'paid' ? 'paid' : 'closed';
    if (state === 'open' && checkout.url !== undefined) return { url: checkout.url };
    if (state !== 'closed') return 'settled';
    await checkouts.replace(checkout, gateway.name, clock.now());
    return checkouts.reserve(reservation);
  };

  const make = async (request: Request, checkout: Checkout) => {
    const { title, description } = orderOf(request.input);
    const { requestId, attempt, amount: minor, currency, createdAt } = checkout;
    const made = await gateway.createCheckout(
      {
        key: `${requestId}-${attempt}`,
        requestId,
        title,
        description,
        money: { minor, currency },
        language: request.language,
        backUrl: backUrl(request),
        createdAt,
        expiresAt: request.expiresAt,
      },
      AbortSignal.timeout(gatewayPatienceMs),
    );
    if (await checkouts.opened(checkout, made, system, clock.now())) return { url: made.url };
    // The request ended while its checkout was being created, so it must not be paid.
    await gateway.expire(made.id, AbortSignal.timeout(gatewayPatienceMs));
    return 'settled';
  };

  return async (request: Request): Promise<{ readonly url: string } | 'settled' | 'unavailable'> => {
    try {
      const found = await current(request);
      return found === 'settled' || !('state' in found) ? found : await make(request, found);
    } catch (fault) {
      if (!(fault instanceof GatewayFault)) throw fault;
      log.error({ ...faultFields(fault), component: 'payments', interaction: request.id }, 'a checkout could not be made');
      return 'unavailable';
    }
  };
};
