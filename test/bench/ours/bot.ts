// The whole bot, as it is started, with its state in a folder or a Postgres it is told of.
import { startBot } from '../../../src/compose/bot.ts';
import type { ServiceAccess } from '../../../src/compose/service.ts';
import { readSettings } from '../../../src/compose/settings.ts';
import { makeLog } from '../../../src/platform/log.ts';
import type { Opened } from '../side-process.ts';

export interface BotSide {
  readonly service: ServiceAccess;
  readonly settings: Readonly<Record<string, string>>;
}

export const open = async ({ service, settings }: BotSide): Promise<Opened> => {
  const read = readSettings({ PORT: '0', LOG_LEVEL: 'warn', ...settings });
  const { port, deskUrl, close } = await startBot({
    settings: read,
    service,
    log: makeLog(read.LOG_LEVEL),
    turnRate: { points: 1_000_000, seconds: 10 },
  });
  return { told: { port, ...(deskUrl !== undefined && { deskUrl }) }, close };
};
