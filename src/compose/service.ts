// The service that the bot works with: the one the settings name, or the reference service on this machine.
import { keptSecret } from '../platform/kept-secret.ts';
import { SettingsError } from '../platform/settings-error.ts';
import type { Theme } from '../platform/theme.ts';
import { wsUrlOf } from './bot-options.ts';
import type { Settings } from './settings.ts';

/** The reference service's doorway. */
export type ServiceModule = typeof import('../service/index.ts');

/** Loads the reference service, and nothing of it before; `undefined` where it is not part of this install. */
export const findService = (): Promise<ServiceModule | undefined> =>
  // The only place that imports it: a bundle of the connector leaves it out here.
  import('../service/index.ts').catch((fault: NodeJS.ErrnoException) => {
    if (fault.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw fault;
  });

/** The same where there is no other service. @throws {SettingsError} where it is not part of this install. */
export const loadService = async (): Promise<ServiceModule> => {
  const service = await findService();
  if (service) return service;
  throw new SettingsError([
    'SERVICE_BASE_URL: must be set: the reference service is not part of this install. The package countersign-service has it.',
  ]);
};

/** How to reach the service: where the settings say; else on this machine, with the key that it keeps in the same data folder. */
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

/** What the service is known to do. The reference service does all of it, unless the settings say otherwise. */
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
  /** Known to honour the idempotency key: a send whose fate is unknown may then go out again. */
  readonly idempotent: boolean;
  /** Known to speak the subprotocol under which requests share a socket (decision 0014); it is not asked otherwise. */
  readonly multiplex?: boolean;
  /** In whose name it writes to customers, where that is known. */
  readonly theme?: Theme;
  /** Known to show the two digits of a request with its message and on its page (decision 0008). */
  readonly showsCode?: boolean;
}
