// What the process starts: the bot, the reference service, or both.
import type { Log } from '../platform/log.ts';
import { noTelemetry, type Telemetry } from '../platform/telemetry.ts';
import { startBot } from './bot.ts';
import type { Program } from './command.ts';
import { serviceAccess, startReferenceService } from './service.ts';
import type { Settings } from './settings.ts';

export interface Running {
  /** What matters to whoever started it: a label, and the address. */
  readonly addresses: readonly (readonly [label: string, address: string])[];
  close(): Promise<void>;
}

/**
 * Starts what was asked for; `all` includes the reference service only where no other is configured.
 * @throws {SettingsError} with nothing left running.
 */
export const startAll = async (command: Program, settings: Settings, log: Log, telemetry: Telemetry = noTelemetry): Promise<Running> => {
  const own = command === 'service' || (command === 'all' && settings.SERVICE_BASE_URL === undefined);
  const service = own ? await startReferenceService(settings, log) : undefined;
  try {
    const { SERVICE_IDEMPOTENT: idempotent = true, SERVICE_MULTIPLEX: multiplex = true, SERVICE_SHOWS_CODE: showsCode = true } = settings;
    const access = service ? { ...service, idempotent, multiplex, showsCode } : serviceAccess(settings);
    const bot = command === 'service' ? undefined : await startBot({ settings, service: access, log, telemetry });
    return {
      addresses: [
        ...(bot ? [['chat', bot.chatUrl] as const] : []),
        ...(service?.outboxUrl ? [['outbox', service.outboxUrl] as const] : []),
        ['service', access.baseUrl],
        ...(service?.consoleUrl ? [['console', service.consoleUrl] as const] : []),
        ...(bot ? [['bot endpoint', bot.endpointUrl] as const] : []),
      ],
      close: async () => {
        await bot?.close();
        await service?.close();
      },
    };
  } catch (fault) {
    await service?.close();
    throw fault;
  }
};
