// What the service is started with, read and checked before anything is opened.
import { loadTheme, type Theme } from '../platform/theme.ts';
import { demoCatalogue, type LoadedAccount, loadAccounts } from './core/catalogue/load.ts';
import { checkEndpoints } from './core/catalogue/webhook-endpoints.ts';
import { demoLimits, productionLimits, type ServiceLimits } from './core/limits.ts';
import { checkWays } from './delivery/open.ts';
import type { ServiceOptions } from './options.ts';
import { publicUrlOf } from './public-url.ts';
import { refuseUnshared } from './shared-secrets.ts';

export interface Prepared {
  /** The accounts of the catalogue. */
  readonly loaded: readonly LoadedAccount[];
  /** How pages look that no account has a theme for; unset: as the service's own. */
  readonly theme: Theme | undefined;
  /** Where devices reach the service; unset: on this machine, at the port that it gets. */
  readonly configuredUrl: URL | undefined;
  readonly limits: ServiceLimits;
}

/** @throws {SettingsError} when an option or a file that it names cannot be used. */
export const prepare = (options: ServiceOptions): Prepared => {
  const { demo, ways = {}, catalogueFile = demoCatalogue, environment = process.env, themeFile, publicUrl } = options;
  const loaded = loadAccounts(catalogueFile, environment);
  const theme = themeFile === undefined ? undefined : loadTheme(themeFile, 'SERVICE_THEME');
  const configuredUrl = publicUrl === undefined ? undefined : publicUrlOf(publicUrl);
  checkWays({ given: options.delivery, ways, demo });
  checkEndpoints(loaded, demo);
  refuseUnshared(options);
  // Where messages really leave, somebody's phone is at the end of it, whoever tries things out here.
  const limits = { ...(demo && !ways.sms && !ways.mail ? demoLimits : productionLimits), ...options.limits };
  return { loaded, theme, configuredUrl, limits };
};
