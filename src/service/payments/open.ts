// Opens payments: the gateway, the app, and once the core exists, the routes around checkouts and receipts.

import { signWebhook } from '../../platform/secrets/webhook-signature.ts';
import { SettingsError } from '../../platform/settings/settings-error.ts';
import type { ServiceContext } from '../core/context.ts';
import type { Core } from '../core/core.ts';
import type { Onward } from '../core/device/links.ts';
import type { Request } from '../core/store/request.ts';
import type { SealFile } from '../pdf/sealing.ts';
import { definePayments } from './app.ts';
import { makeBegin } from './begin.ts';
import { makeClosing } from './closing.ts';
import type { Gateway } from './gateways/gateway.ts';
import { makeSandbox } from './gateways/sandbox.ts';
import { addSandboxPage } from './gateways/sandbox-page.ts';
import { makeCheckoutPages } from './pages.ts';
import { addReceipts, makeReceiptDownload } from './receipt.ts';
import { addCheckoutRoutes, makeReceive } from './routes.ts';
import { makeSettle } from './settle.ts';

/** The gateway, with its credentials. */
export type GatewaySettings =
  | { readonly name: 'sandbox' }
  | {
      readonly name: 'stripe';
      readonly secretKey: string;
      readonly webhookSecret: string;
      /** Where its API is, when not at Stripe: a local stand-in. */
      readonly url?: string | undefined;
    }
  | { readonly name: 'http'; readonly url: string; readonly secret: string };

/** Opens the gateway that the settings name, without loading the others. */
const openGateway = async (settings: GatewaySettings, sandbox: Gateway): Promise<Gateway> => {
  switch (settings.name) {
    case 'sandbox':
      return sandbox;
    case 'stripe': {
      const { makeStripe } = await import('./gateways/stripe.ts');
      return makeStripe(settings.secretKey, settings.webhookSecret, settings.url);
    }
    case 'http': {
      const { makeHttpGateway } = await import('./gateways/http.ts');
      return makeHttpGateway(settings.url, settings.secret);
    }
  }
};

/** @throws {SettingsError} if the gateway cannot charge the catalogue's amounts. */
export const openPayments = async (context: ServiceContext, settings: GatewaySettings = { name: 'sandbox' }) => {
  const { accounts, storage, random, clock } = context;
  // The sandbox reports to this process only, so its secret need not outlive it.
  const webhookSecret = random.token();
  const sandbox = makeSandbox(context, webhookSecret);
  const gateway = await openGateway(settings, sandbox.gateway);
  const refused = accounts.all.flatMap(({ products }) =>
    products.flatMap((product) => {
      const problem = gateway.refuses(product);
      return problem === undefined ? [] : [`SERVICE_PAYMENT_GATEWAY: the price of the product ${product.id} ${problem}.`];
    }),
  );
  if (refused.length > 0) throw new SettingsError(refused);
  const settle = makeSettle(context, gateway);
  const closing = makeClosing(context, settle);
  const withdraw = async (request: Request) => {
    await settle.withdraw(request);
    // By then the request has ended, and its open checkouts are due to be closed.
    closing.wake(clock.now() + 1000);
  };
  return {
    app: definePayments({ gateway: gateway.name, withdraw, keepsake: makeReceiptDownload(context) }),
    /** Closes checkouts that ended requests left open. */
    closing,
    close: async (): Promise<void> => gateway.close?.(),
    /** Adds the routes, and returns how a customer continues from the device page. */
    serve: (core: Core, sealFile: SealFile): Onward => {
      const receive = makeReceive(core, settle);
      addReceipts(core, sealFile);
      addCheckoutRoutes(core, settle, receive);
      if (gateway.name === 'sandbox')
        addSandboxPage(core, sandbox, async (checkoutId) => {
          const raw = Buffer.from(JSON.stringify({ checkoutId }));
          await receive(raw, signWebhook(webhookSecret, random.token(), raw, clock.now()));
        });
      const begin = makeBegin(core, settle);
      return async (request, words) => {
        const begun = await begin(request);
        const checkoutPages = makeCheckoutPages(core.pagesOf(request.accountId));
        if (begun === 'unavailable') return checkoutPages.unavailable(words);
        if (begun !== 'settled') return checkoutPages.onward(begun.url, words);
        if ((await storage.requests.get(request.id))?.state !== 'success') return checkoutPages.doubtful(words);
        return core.succeeded(request, words);
      };
    },
  };
};
