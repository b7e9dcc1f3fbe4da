// Checks the options and the files that they name, before anything is opened.

import { loadTheme } from '../platform/pages/theme.ts';
import { SettingsError } from '../platform/settings/settings-error.ts';
import type { Catalogue } from './core/catalogue/catalogue.ts';
import { demoCatalogue, loadAccounts } from './core/catalogue/load.ts';
import { demoLimits, productionLimits } from './core/limits/limits.ts';
import type { Prepared } from './core/options.ts';
import type { ServiceOptions } from './options.ts';

/** @throws {SettingsError} when an option or a file that it names cannot be used. */
export const prepare = (options: ServiceOptions): Prepared => {
  const { demo, ways = {}, catalogueFile = demoCatalogue, environment = process.env, themeFile, publicUrl } = options;
  const loaded = loadAccounts(catalogueFile, options.withoutSecrets ? undefined : environment);
  const theme = themeFile === undefined ? undefined : loadTheme(themeFile, 'SERVICE_THEME');
  const configuredUrl = publicUrl === undefined ? undefined : publicUrlOf(publicUrl);
  if (!demo && !options.delivery && !ways.sms && !ways.mail)
    throw new SettingsError(['The service has no way to reach customers: configure one, or start it in demo mode.']);
  if (!demo) checkEndpoints(loaded);
  refuseUnshared(options);
  // If messages are really sent, they reach somebody's phone, even in demo mode.
  const stays = demo && !ways.sms && !ways.mail;
  const limits = { ...(stays ? demoLimits : productionLimits), ...options.limits };
  return { loaded, theme, configuredUrl, limits, returnsLinks: options.returnsLinks ?? stays };
};

/** The address for customers' devices. @throws {SettingsError} */
const publicUrlOf = (setting: string): URL => {
  const url = URL.parse(setting);
  if (url && (url.protocol === 'https:' || url.protocol === 'http:')) return url;
  throw new SettingsError(['SERVICE_PUBLIC_URL: must be an http or https address, for example https://verify.example.com.']);
};

/**
 * A single service generates its secrets and stores them in its folder; replicas share no folder, so each would have
 * different ones.
 * @throws {SettingsError} with a line for each missing secret.
 */
const refuseUnshared = ({ databaseUrl, pepper, secretKey, signing }: ServiceOptions): void => {
  if (databaseUrl === undefined) return;
  const missing = [
    ...(secretKey === undefined ? ['SERVICE_SECRET_KEY'] : []),
    ...(pepper === undefined ? ['SERVICE_PEPPER'] : []),
    ...(signing === undefined ? ['SERVICE_SIGNING_KEY', 'SERVICE_SIGNING_CERTIFICATE'] : []),
  ];
  if (missing.length > 0) throw new SettingsError(missing.map((name) => `${name}: must be set when SERVICE_DATABASE_URL is.`));
};

/** Public host names: no IP address, and no name of a private network. */
const publicName = /^https:\/\/(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*(?::\d{1,5})?(?:[/?]|$)/i;

/**
 * Refuses endpoints that would make the service call its own network. What a name resolves to is checked on connecting.
 * @throws {SettingsError}
 */
const checkEndpoints = (accounts: readonly Catalogue[]): void => {
  const refused = accounts.flatMap(({ account, webhooks }) =>
    [...webhooks.entries()].filter(([, { url }]) => !publicName.test(url)).map(([index]) => `${account.id}: webhooks.${index}.url`),
  );
  if (refused.length === 0) return;
  throw new SettingsError(
    refused.map((place) => `SERVICE_CATALOGUE: ${place}: must be an https address with a public name outside demo mode.`),
  );
};
