// Opens the gateway that the settings name, without loading the others.
import { SettingsError } from '../../../platform/settings/settings-error.ts';
import type { CatalogueProduct } from '../../core/catalogue/catalogue.ts';
import type { Gateway } from './gateway.ts';

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

/** Opens it. @throws {SettingsError} if it cannot charge the catalogue's amounts. */
export const openGateway = async (settings: GatewaySettings, products: readonly CatalogueProduct[], sandbox: Gateway): Promise<Gateway> => {
  const gateway = await gatewayOf(settings, sandbox);
  const refused = products.flatMap(({ id, minor, currency }) => {
    const problem = gateway.refuses({ minor, currency });
    return problem === undefined ? [] : [`SERVICE_PAYMENT_GATEWAY: the price of the product ${id} ${problem}.`];
  });
  if (refused.length > 0) throw new SettingsError(refused);
  return gateway;
};

const gatewayOf = async (settings: GatewaySettings, sandbox: Gateway): Promise<Gateway> => {
  switch (settings.name) {
    case 'sandbox':
      return sandbox;
    case 'stripe': {
      const { makeStripe } = await import('./stripe.ts');
      return makeStripe(settings.secretKey, settings.webhookSecret, settings.url);
    }
    case 'http': {
      const { makeHttpGateway } = await import('./http.ts');
      return makeHttpGateway(settings.url, settings.secret);
    }
  }
};
