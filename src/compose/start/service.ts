// The service that the bot uses: the configured one, or the reference service on this machine.

import type { Theme } from '../../platform/pages/theme.ts';
import { keptSecret } from '../../platform/secrets/kept-secret.ts';
import { SettingsError } from '../../platform/settings/settings-error.ts';
import { wsUrlOf } from '../bot/core-options.ts';
import type { Settings } from './settings.ts';

/** The reference service's doorway. */
export type ServiceModule = typeof import('../../service/index.ts');

/** Loads the reference service, and nothing of it before; `undefined` if it is not part of this install. */
export const findService = (): Promise<ServiceModule | undefined> =>
  // The only place that imports it: a bundle of the connector leaves it out here.
  import('../../service/index.ts').catch((fault: NodeJS.ErrnoException) => {
    // The missing module may also be a dependency of the service.
    if (isMissing(fault) && !isInstalled()) return undefined;
    throw fault;
  });

/** A script of a package requires where a module imports. */
const isMissing = ({ code }: NodeJS.ErrnoException) => code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';

const isInstalled = () => {
  try {
    return import.meta.resolve('countersign-service') !== '';
  } catch (fault) {
    if (isMissing(fault as NodeJS.ErrnoException)) return false;
    throw fault;
  }
};

/** Loads it if no other service is configured. @throws {SettingsError} if it is not part of this install. */
export const loadService = async (): Promise<ServiceModule> => {
  const service = await findService();
  if (service) return service;
  throw new SettingsError([
    'SERVICE_BASE_URL: must be set: the reference service is not part of this install. The package countersign-service has it.',
  ]);
};

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

/** How the bot reaches the service. */
export interface ServiceAccess {
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly secretKey: string;
  /** Whether it honours the idempotency key, so that a send of unknown fate may be repeated. */
  readonly idempotent: boolean;
  /**
   * Whether it speaks the subprotocol under which requests share a socket (decision 0014). Otherwise it is not tried.
   */
  readonly multiplex?: boolean;
  /** The theme of the sender of its messages, if known. */
  readonly theme?: Theme;
  /** Whether it shows the two digits of a request with its message and on its page (decision 0008). */
  readonly showsCode?: boolean;
}
