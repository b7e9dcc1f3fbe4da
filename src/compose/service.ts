// The service that the bot works with: the one the settings name, or the reference service on this machine.
import { keptSecret } from '../platform/kept-secret.ts';
import type { Log } from '../platform/log.ts';
import { type RunningService, startService } from '../service/index.ts';
import type { ServiceAccess } from './service-access.ts';
import type { Settings } from './settings.ts';

/** Starts the reference service, on loopback and in demo mode. @throws {SettingsError} */
export const startReferenceService = (settings: Settings, log: Log): Promise<RunningService> =>
  startService({
    port: settings.SERVICE_PORT,
    host: '127.0.0.1',
    dataDir: settings.DATA_DIR,
    publicUrl: settings.SERVICE_PUBLIC_URL,
    secretKey: settings.SERVICE_SECRET_KEY,
    demo: true,
    catalogueFile: settings.SERVICE_CATALOGUE,
    log,
  });

/** How to reach the service: where the settings say; else on this machine, with the key that it keeps in the same data folder. */
export const serviceAccess = (settings: Settings): ServiceAccess => {
  const { DATA_DIR, SERVICE_BASE_URL, SERVICE_IDEMPOTENT, SERVICE_PORT, SERVICE_SECRET_KEY, SERVICE_WS_URL } = settings;
  const baseUrl = SERVICE_BASE_URL ?? `http://127.0.0.1:${SERVICE_PORT}`;
  return {
    baseUrl,
    wsUrl: SERVICE_WS_URL ?? `${baseUrl.replace(/^http/, 'ws').replace(/\/$/, '')}/ws`,
    secretKey: SERVICE_SECRET_KEY ?? keptSecret(DATA_DIR, 'service.key'),
    idempotent: SERVICE_IDEMPOTENT ?? SERVICE_BASE_URL === undefined,
  };
};
