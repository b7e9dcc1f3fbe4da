// The routes by which payments return: the customer's browser and the gateway's webhooks. Neither is trusted; both only
// make the service query the gateway.

import { postedFields, readBytes } from '../../platform/http/http-body.ts';
import { HttpProblem } from '../../platform/http/http-problem.ts';
import type { Answer, HttpRequest } from '../../platform/http/http-server.ts';
import { faultFields } from '../../platform/log.ts';
import { originOf } from '../core/audit/origin.ts';
import type { ServiceContext } from '../core/context.ts';
import type { Core } from '../core/core.ts';
import { formLimits, openTicket, refuseForeign } from '../core/device/opening.ts';
import { started } from '../core/lifecycle/endings.ts';
import type { DevicePages } from '../core/pages/device-pages.ts';
import type { Request } from '../core/store/request.ts';
import type { Texts } from '../core/texts.ts';
import { GatewayFault } from './gateways/gateway.ts';
import { makeCheckoutPages } from './pages.ts';
import type { CheckoutState, Settle } from './settle.ts';

/**
 * Handles a gateway's webhook: once per event, and only if it is signed.
 * @throws {GatewayFault} if the gateway cannot be queried.
 */
export const makeReceive =
  ({ storage, clock }: ServiceContext, { gateway, check }: Settle) =>
  async (raw: Buffer, headers: HttpRequest['headers']) => {
    const event = gateway.verifyWebhook(raw, headers, clock.now());
    if (!event) return 'refused';
    const { db } = storage.database;
    const known = db.selectFrom('gateway_events').select('id').where('gateway', '=', gateway.name).where('id', '=', event.id);
    if (await known.executeTakeFirst()) return 'known';
    const made = db.selectFrom('checkouts').selectAll().where('gateway', '=', gateway.name);
    const checkout = event.checkoutId && (await made.where('gateway_id', '=', event.checkoutId).executeTakeFirst());
    if (checkout && checkout.state !== 'paid') await check(checkout);
    // Recorded last: if the query failed, the gateway sends the event again.
    await db
      .insertInto('gateway_events')
      .values({ gateway: gateway.name, id: event.id, created_at: clock.now() })
      .onConflict((conflict) => conflict.columns(['gateway', 'id']).doNothing())
      .execute();
    return checkout ? 'taken' : 'ignored';
  };

export const addCheckoutRoutes = (core: Core, { gateway, checkoutOf, check }: Settle, receive: ReturnType<typeof makeReceive>) => {
  const { server, storage, endings, pagesOf, succeeded, taskOf, publicUrl, log } = core;

  const open = async (call: HttpRequest) => {
    const { request, words } = await openTicket(core, 'checkout', call);
    return { request, words, pages: pagesOf(request?.accountId) };
  };

  const pageFor = (state: CheckoutState, request: Request, url: string | null, words: Texts, pages: DevicePages): Answer => {
    const checkoutPages = makeCheckoutPages(pages);
    switch (state) {
      case 'paid':
        return succeeded(request, words);
      case 'processing':
        return checkoutPages.processing(words);
      case 'doubtful':
        return checkoutPages.doubtful(words);
      case 'open':
        return url === null ? pages.gone(410, words) : checkoutPages.unpaid(url, words);
      case 'closed':
        return pages.gone(410, words);
    }
  };

  server.route('GET', '/checkout/:ticket', async (call) => {
    const { request, words, pages } = await open(call);
    if (!request) return pages.gone(404, words);
    if (request.state === 'success') return succeeded(request, words);
    const checkout = await checkoutOf(request.id);
    if (!checkout || checkout.state === 'closed') return pages.gone(410, words);
    try {
      return pageFor(await check(checkout), request, checkout.url, words, pages);
    } catch (fault) {
      if (!(fault instanceof GatewayFault)) throw fault;
      log.warn({ ...faultFields(fault), component: 'payments', interaction: request.id }, 'the gateway could not be asked');
      return makeCheckoutPages(pages).unavailable(words);
    }
  });

  server.route(
    'POST',
    '/checkout/:ticket',
    async (call) => {
      refuseForeign(call, publicUrl());
      const { request, words, pages } = await open(call);
      if (!request || postedFields(call.body).decision !== 'decline') return pages.gone(404, words);
      const origin = originOf(call);
      if (await endings.byCustomer(request, 'failure', taskOf(request).known(), origin, started))
        return pages.done(request, 'failure', words);
      return (await storage.requests.get(request.id))?.state === 'success' ? succeeded(request, words) : pages.gone(410, words);
    },
    { limits: formLimits },
  );

  server.route(
    'POST',
    '/webhooks/:gateway',
    async ({ params, raw, headers }) => {
      if (params.gateway !== gateway.name) throw new HttpProblem(404, 'not_found', 'There is nothing at this address.');
      try {
        const received = await receive(await readBytes(raw, webhookLimits), headers);
        if (received === 'refused') {
          log.warn({ component: 'payments', code: 'webhook_refused' }, 'a webhook is not signed by the gateway, or not of this moment');
          throw new HttpProblem(400, 'bad_signature', 'This webhook is not signed by the gateway, or not of this moment.');
        }
        return { status: 200, body: { received } };
      } catch (fault) {
        if (!(fault instanceof GatewayFault)) throw fault;
        log.warn({ ...faultFields(fault), component: 'payments' }, 'the gateway could not be asked');
        throw new HttpProblem(503, 'unavailable', 'The payment could not be looked at. Send this again.', {
          headers: { 'Retry-After': '5' },
        });
      }
    },
    { body: 'none' },
  );
};

/** Stripe's events are the largest, with at most 100 KB. */
const webhookLimits = { size: 256 * 1024 };
