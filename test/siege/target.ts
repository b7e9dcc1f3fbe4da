// What is besieged: the service and the bot as they are started, in one process that tells what it complained of.
import { setTimeout as pause } from 'node:timers/promises';
import { startBot } from '../../src/compose/start/bot.ts';
import { readSettings } from '../../src/compose/start/settings.ts';
import { makeLog } from '../../src/platform/log.ts';
import { startService } from '../../src/service/index.ts';
import type { Opened } from '../bench/side-process.ts';

export interface Target {
  readonly serviceUrl: string;
  readonly botUrl: string;
  readonly secretKey: string;
}

/** Complaints that are kept; more of them say nothing new. */
const most = 20;

export const open = async ({ dataDir }: { readonly dataDir: string }): Promise<Opened> => {
  const complaints: string[] = [];
  // Every line is written, as in production, but kept only where something is wrong.
  const write = (line: string) => {
    if (/"level":"(?:error|fatal)"/.test(line) && complaints.length < most) complaints.push(line);
  };
  const log = makeLog('info', { write });
  const service = await startService({ port: 0, host: '127.0.0.1', dataDir, demo: true, log });
  const { baseUrl, wsUrl, secretKey } = service;
  const bot = await startBot({
    settings: readSettings({ DATA_DIR: dataDir, PORT: '0' }),
    service: { baseUrl, wsUrl, secretKey, idempotent: true },
    log,
  });
  const target: Target = { serviceUrl: baseUrl, botUrl: `http://127.0.0.1:${bot.port}`, secretKey };
  return {
    told: { ...target },
    orders: {
      complaints: () => complaints,
      settled: service.settled,
      issueToken: () => bot.directLine.issueToken({}),
      /** Lets timers of what was cut off run out, so that what is left is what stays. */
      rest: (milliseconds: number) => pause(milliseconds),
    },
    close: async () => {
      await bot.close();
      await service.close();
    },
  };
};
