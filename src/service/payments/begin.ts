// Sends a customer to the gateway: records a checkout, then creates it, once however often the button is pressed.

import { faultFields } from '../../platform/log.ts';
import { system } from '../core/audit/origin.ts';
import type { ServiceContext } from '../core/context.ts';
import { plainAmount } from '../core/money.ts';
import type { Request } from '../core/store/request.ts';
import { orderOf } from './app.ts';
import { GatewayFault } from './gateways/gateway.ts';
import { type Checkout, gatewayPatienceMs, type Settle } from './settle.ts';

/** The return ticket expires a day after the request. */
const graceMs = 24 * 60 * 60 * 1000;

/**
 * The address at which a request's customer can pay. `settled`: nothing is left to pay. `unavailable`: the gateway does
 * not work at the moment.
 */
export const makeBegin = ({ storage, tickets, publicUrl, clock, log }: ServiceContext, { gateway, check }: Settle) => {
  const { db } = storage.database;
  /** The return address for the gateway: always the same for a request, and without the secret of its link. */
  const backUrl = ({ id, expiresAt }: Request): string =>
    new URL(`/checkout/${tickets.issue('checkout', id, expiresAt + graceMs)}`, publicUrl()).href;
  const blank = () => {
    const at = clock.now();
    return { gateway: gateway.name, gateway_id: null, url: null, state: 'creating', tries: 0, due_at: at, created_at: at };
  };

  /** Records that a checkout is about to be created, unless there is one. Resolves to the stored one. */
  const reserve = async ({ id, input }: Request): Promise<Checkout> => {
    const { minor, currency } = orderOf(input).money;
    await db
      .insertInto('checkouts')
      .values({ ...blank(), request_id: id, attempt: 1, amount: String(minor), currency })
      .onConflict((conflict) => conflict.column('request_id').doNothing())
      .execute();
    return db.selectFrom('checkouts').selectAll().where('request_id', '=', id).executeTakeFirstOrThrow();
  };

  /** The checkout to create, or the address of an existing one, which may be paid or closed by now. */
  const current = async (request: Request): Promise<Checkout | string | undefined> => {
    const checkout = await reserve(request);
    if (checkout.state === 'creating' && checkout.gateway === gateway.name) return checkout;
    const state = checkout.state === 'open' ? await check(checkout) : checkout.state === 'paid' ? 'paid' : 'closed';
    if (state === 'open' && checkout.url !== null) return checkout.url;
    if (state !== 'closed') return undefined;
    // It can no longer be paid. Of several processes, the first replaces it.
    await db
      .updateTable('checkouts')
      .set({ ...blank(), attempt: checkout.attempt + 1 })
      .where('request_id', '=', request.id)
      .where('attempt', '=', checkout.attempt)
      .where('state', '<>', 'paid')
      .execute();
    return reserve(request);
  };

  /** Stores what the gateway created. Resolves to `false` if the checkout was replaced or closed meanwhile. */
  const opened = ({ request_id: id, attempt, amount, currency, ...checkout }: Checkout, made: { id: string; url: string }) => {
    const facts = {
      gateway: checkout.gateway,
      attempt,
      amount: plainAmount({ minor: BigInt(amount), currency }),
      currency,
    };
    return storage.apply(
      id,
      { by: system, action: 'checkout.opened', facts },
      async (transaction) => {
        const row = await transaction
          .updateTable('checkouts')
          .set({ gateway_id: made.id, url: made.url, state: 'open' })
          .where('request_id', '=', id)
          .where('attempt', '=', attempt)
          .where('state', 'in', ['creating', 'open'])
          .returning('request_id')
          .executeTakeFirst();
        return row !== undefined;
      },
      clock.now(),
    );
  };

  const make = async (request: Request, checkout: Checkout): Promise<string | undefined> => {
    const { title, description } = orderOf(request.input);
    const { request_id: requestId, attempt, amount, currency, created_at: createdAt } = checkout;
    const made = await gateway.createCheckout(
      {
        key: `${requestId}-${attempt}`,
        requestId,
        title,
        description,
        money: { minor: BigInt(amount), currency },
        language: request.language,
        backUrl: backUrl(request),
        createdAt,
        expiresAt: request.expiresAt,
      },
      AbortSignal.timeout(gatewayPatienceMs),
    );
    if (await opened(checkout, made)) return made.url;
    // The request ended while its checkout was being created, so it must not be paid.
    await gateway.expire(made.id, AbortSignal.timeout(gatewayPatienceMs));
    return undefined;
  };

  return async (request: Request): Promise<{ readonly url: string } | 'settled' | 'unavailable'> => {
    try {
      const found = await current(request);
      const url = typeof found === 'object' ? await make(request, found) : found;
      return url === undefined ? 'settled' : { url };
    } catch (fault) {
      if (!(fault instanceof GatewayFault)) throw fault;
      log.error({ ...faultFields(fault), component: 'payments', interaction: request.id }, 'a checkout could not be made');
      return 'unavailable';
    }
  };
};
