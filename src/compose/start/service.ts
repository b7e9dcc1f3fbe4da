// The service that the bot uses: the configured one, or the reference service on this machine.

import type { Theme } from '../../platform/pages/theme.ts';
import { keptSecret } from '../../platform/secrets/kept-secret.ts';
import { type ServiceOptions, wsUrlOf } from '../bot/core-options.ts';
import type { Settings } from './settings.ts';

/** The configured access to the service; else to the one on this machine, with the key from the same data folder. */
export const serviceAccess = (settings: Settings): ServiceAccess => {
  const { DATA_DIR, SERVICE_BASE_URL, SERVICE_PORT, SERVICE_SECRET_KEY, SERVICE_WS_URL } = settings;
  const baseUrl = SERVICE_BASE_URL ?? `http://127.0.0.1:${SERVICE_PORT}`;
  return {
    baseUrl,
    wsUrl: SERVICE_WS_URL ?? wsUrlOf(baseUrl),
    secretKey: SERVICE_SECRET_KEY ?? keptSecret(DATA_DIR, 'service.key'),
    ...abilitiesOf(settings),
  };
};

/** The service's known abilities. The reference service has all of them, unless the settings say otherwise. */
export const abilitiesOf = (settings: Settings): Pick<ServiceAccess, 'idempotent' | 'multiplex' | 'showsCode'> => {
  const own = settings.SERVICE_BASE_URL === undefined;
  const { SERVICE_IDEMPOTENT: idempotent = own, SERVICE_MULTIPLEX: multiplex = own, SERVICE_SHOWS_CODE: showsCode = own } = settings;
  return { idempotent, multiplex, showsCode };
};

/** How the bot reaches the service: with the theme of the sender of its messages, if known. */
export type ServiceAccess = Omit<ServiceOptions, 'bootstrap' | 'linkHosts'> & {
  readonly wsUrl: string;
  readonly theme?: Theme;
};
