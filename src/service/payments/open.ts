// Payments, put together: the gateway, what is asked of it, and the routes around it.
import type { Clock } from '../../platform/clock.ts';
import type { Answer, HttpServer } from '../../platform/http-server.ts';
import type { Log } from '../../platform/log.ts';
import type { Alarm } from '../core/alarm.ts';
import type { Product } from '../core/catalogue/catalogue.ts';
import type { PagesOf } from '../core/device/pages.ts';
import type { Language } from '../core/languages.ts';
import type { Endings } from '../core/lifecycle/endings.ts';
import type { Random } from '../core/random.ts';
import type { Scheduler } from '../core/scheduler.ts';
import type { Storage } from '../core/store/index.ts';
import type { Request } from '../core/store/request.ts';
import type { Texts } from '../core/texts.ts';
import type { Tickets } from '../core/tickets.ts';
import { signWebhook } from '../core/webhook-signature.ts';
import { makeBegin } from './begin.ts';
import { makeClosing } from './closing.ts';
import type { Gateway } from './gateways/gateway.ts';
import { type GatewaySettings, openGateway } from './gateways/open.ts';
import { addSandboxPage } from './gateways/sandbox-page.ts';
import { makeCheckoutPages } from './pages.ts';
import type { PaymentReceipts } from './payment-receipt.ts';
import { addCheckoutRoutes, makeBackUrl, makeReceive } from './routes.ts';
import { makeSettle } from './settle.ts';

export interface PaymentsOptions {
  readonly settings: GatewaySettings;
  readonly products: readonly Product[];
  readonly storage: Storage;
  readonly tickets: Tickets;
  /** Asked for when it is needed: endings withdraw payments, and payments end requests. */
  readonly endings: () => Endings;
  readonly texts: (language: Language) => Texts;
  readonly publicUrl: () => URL;
  readonly random: Random;
  readonly clock: Clock;
  readonly alarm: Alarm;
  readonly log: Log;
}

export interface Payments {
  readonly gateway: Gateway['name'];
  /** Stops a request's payment before the request ends without one. */
  withdraw(request: Pick<Request, 'app' | 'id'>): Promise<void>;
  /** Adds the routes, and tells how a customer goes on from the device page. */
  serve(server: HttpServer, pagesOf: PagesOf, receipts: PaymentReceipts): (request: Request, words: Texts) => Promise<Answer>;
  /** Closes at the gateway what ended requests left open there. */
  readonly closing: Scheduler;
  close(): Promise<void>;
}

/** @throws {SettingsError} when the gateway cannot charge what the catalogue asks for. */
export const openPayments = async (options: PaymentsOptions): Promise<Payments> => {
  const { settings, products, storage, tickets, texts, publicUrl, random, clock, alarm, log } = options;
  const { checkouts, requests, sandbox } = storage;
  // The sandbox tells things to this process alone, so its secret need not outlive it.
  const webhookSecret = random.token();
  const opened = await openGateway(settings, products, { store: sandbox, random, publicUrl, webhookSecret });
  const { gateway } = opened;
  const settle = makeSettle({
    gateway,
    requests,
    checkouts,
    endings: { byPayment: (...ending) => options.endings().byPayment(...ending) },
    clock,
    log,
  });
  const closing = makeClosing({ checkouts, settle, clock, alarm, log, shared: storage.shared });

  return {
    gateway: gateway.name,
    withdraw: async (request) => {
      if (request.app !== 'payments') return;
      await settle.withdraw(request);
      // By then the request has ended, and whatever could not be closed is due.
      closing.wake(clock.now() + 1000);
    },
    serve: (server, pagesOf, receipts) => {
      const { keepsake } = receipts;
      receipts.serve(server, pagesOf);
      const receive = makeReceive({ gateway, storage, settle, clock });
      addCheckoutRoutes({ ...options, endings: options.endings(), server, gateway, settle, pagesOf, keepsake }, receive);
      if (gateway.name === 'sandbox') {
        const notify = async (checkout: string) => {
          const raw = Buffer.from(JSON.stringify({ checkout }));
          await receive(raw, signWebhook(webhookSecret, random.token(), raw, clock.now()));
        };
        const newId = () => random.id(clock.now());
        addSandboxPage({ server, store: sandbox, requests, pagesOf, texts, publicUrl, newId, notify });
      }
      const begin = makeBegin({ gateway, checkouts, settle, backUrl: makeBackUrl({ tickets, publicUrl }), clock, log });
      return async (request, words) => {
        const begun = await begin(request);
        const pages = pagesOf(request.accountId);
        const checkoutPages = makeCheckoutPages(pages);
        if (begun === 'unavailable') return checkoutPages.unavailable(words);
        if (begun !== 'settled') return checkoutPages.onward(begun.url, words);
        if ((await requests.get(request.id))?.state !== 'success') return checkoutPages.doubtful(words);
        return pages.done('success', words, { keepsake: keepsake(request, words) });
      };
    },
    closing,
    close: async () => {
      await closing.stop();
      await opened.close();
    },
  };
};
