// The payments plug-in: the gateway, its checkouts, the routes around them, and receipts.

import { signWebhook } from '../../platform/secrets/webhook-signature.ts';
import type { Core } from '../core/core.ts';
import type { Brought, Opening, Plugin } from '../core/plugin.ts';
import type { SealFile } from '../pdf/sealing.ts';
import { makeBegin } from './begin.ts';
import { makeClosing } from './closing.ts';
import type { Gateway } from './gateways/gateway.ts';
import { type GatewaySettings, openGateway } from './gateways/open.ts';
import { addSandboxPage } from './gateways/sandbox-page.ts';
import { makeCheckoutPages } from './pages.ts';
import { openPaymentReceipts, type PaymentReceipts } from './payment-receipt.ts';
import { addCheckoutRoutes, makeBackUrl, makeReceive } from './routes.ts';
import { makeSettle, type Settle } from './settle.ts';

export interface PaymentsOptions {
  readonly settings: GatewaySettings;
  readonly sealFile: SealFile;
}

/** @throws {SettingsError} if the gateway cannot charge the catalogue's amounts. */
export const openPayments = async (
  opening: Opening,
  { settings, sealFile }: PaymentsOptions,
): Promise<Plugin<'gateway' | 'keepsakes' | 'withdraw'>> => {
  const { accounts, storage, publicUrl, random, clock } = opening;
  const { checkouts, requests, sandbox } = storage;
  // The sandbox reports to this process only, so its secret need not outlive it.
  const webhookSecret = random.token();
  const products = accounts.all.flatMap((catalogue) => catalogue.products);
  const opened = await openGateway(settings, products, { store: sandbox, random, publicUrl, webhookSecret });
  const { gateway } = opened;
  const endings = { byPayment: (...ending: Parameters<Core['endings']['byPayment']>) => opening.core().endings.byPayment(...ending) };
  const settle = makeSettle({ ...opening, gateway, requests, checkouts, endings });
  // Closes checkouts that ended requests left open.
  const closing = makeClosing({ ...opening, checkouts, settle, shared: storage.shared });
  const receipts = openPaymentReceipts({ ...opening, sealFile });
  return {
    ports: {
      gateway: gateway.name,
      keepsakes: { payments: receipts.keepsake },
      withdraw: async (request) => {
        if (request.app !== 'payments') return;
        await settle.withdraw(request);
        // By then the request has ended, and its open checkouts are due to be closed.
        closing.wake(clock.now() + 1000);
      },
    },
    serve: (core) => ({
      schedulers: [closing],
      onward: serve({ ...opening, gateway, settle, receipts, webhookSecret, endings: core.endings }),
    }),
    close: opened.close,
  };
};

interface Served extends Opening {
  readonly gateway: Gateway;
  readonly settle: Settle;
  readonly receipts: PaymentReceipts;
  readonly webhookSecret: string;
  readonly endings: Core['endings'];
}

/** Adds the routes, and tells how a customer continues from the device page. */
const serve = (options: Served): NonNullable<Brought['onward']> => {
  const { server, storage, tickets, publicUrl, pagesOf, answerers, random, clock, gateway, settle, receipts, webhookSecret } = options;
  const { keepsake } = receipts;
  const { checkouts, requests, sandbox } = storage;
  receipts.serve(server, pagesOf);
  const receive = makeReceive({ gateway, storage, settle, clock });
  addCheckoutRoutes({ ...options, keepsake }, receive);
  if (gateway.name === 'sandbox') {
    const notify = async (checkout: string) => {
      const raw = Buffer.from(JSON.stringify({ checkout }));
      await receive(raw, signWebhook(webhookSecret, random.token(), raw, clock.now()));
    };
    const newId = () => random.id(clock.now());
    addSandboxPage({ ...options, store: sandbox, requests, newId, notify });
  }
  const begin = makeBegin({ ...options, checkouts, backUrl: makeBackUrl({ tickets, publicUrl }) });
  return async (request, words) => {
    const begun = await begin(request);
    const pages = pagesOf(request.accountId);
    const checkoutPages = makeCheckoutPages(pages);
    if (begun === 'unavailable') return checkoutPages.unavailable(words);
    if (begun !== 'settled') return checkoutPages.onward(begun.url, words);
    if ((await requests.get(request.id))?.state !== 'success') return checkoutPages.doubtful(words);
    return pages.done(request, 'success', words, { keepsake: keepsake(request, words, answerers.until(request)) });
  };
};
