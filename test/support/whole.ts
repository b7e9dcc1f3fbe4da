// The whole product in this process: the reference service, the bot, and a proxy between them that can cause faults.
import { rmSync } from 'node:fs';
import { type RunningBot, type StartBotOptions, startBot } from '../../src/compose/start/bot.ts';
import { readSettings } from '../../src/compose/start/settings.ts';
import { makeLog } from '../../src/platform/log.ts';
import type { Telemetry } from '../../src/platform/telemetry.ts';
import { type RunningService, type ServiceOptions, startService } from '../../src/service/index.ts';
import { newDataDir } from './data-dir.ts';
import { type ServiceProxy, startServiceProxy } from './service-proxy.ts';

export interface Whole {
  readonly service: RunningService;
  readonly proxy: ServiceProxy;
  readonly dataDir: string;
  /** The bot that is running now. */
  bot(): RunningBot;
  /** What people open: the chat, and the messages on their phones. */
  addresses(): { readonly chatUrl: string; readonly outboxUrl: string };
  /** Every log line of bot and service. */
  readonly lines: readonly string[];
  stopBot(): Promise<void>;
  /** Starts the bot again, on the same port. */
  startBot(): Promise<void>;
  close(): Promise<void>;
}

export interface WholeOptions extends Pick<StartBotOptions, 'around' | 'lookupRate' | 'turnRate'> {
  readonly settings?: Readonly<Record<string, string>>;
  readonly outcomeTimeouts?: StartBotOptions['outcomeTimeouts'];
  /** The other sides of the bot's channels, anew at each start. */
  readonly channels?: () => StartBotOptions['channels'];
  readonly port?: number;
  /** How the service differs from the one of a trial. */
  readonly service?: Pick<Partial<ServiceOptions>, 'publicUrl' | 'returnsLinks' | 'tracing'>;
  /** Whether the bot knows that the service shows the two digits of a request; default: true. */
  readonly showsCode?: boolean;
  /** Called at each start of the bot, as a new process would create its own. */
  readonly telemetry?: () => Telemetry;
}

/** Starts everything on free ports, with its state in a separate folder. */
export const startWhole = async ({
  settings: more = {},
  channels,
  outcomeTimeouts,
  port = 0,
  service: differing = {},
  showsCode = true,
  turnRate,
  lookupRate,
  around,
  telemetry,
}: WholeOptions = {}): Promise<Whole> => {
  const dataDir = await newDataDir('service.db', 'bot.db');
  const lines: string[] = [];
  const log = makeLog('debug', { write: (line) => void lines.push(line) }, () => telemetry?.().traceId());
  const service = await startService({ port: 0, host: '127.0.0.1', dataDir, demo: true, log, ...differing });
  const proxy = await startServiceProxy(service.port);
  const start = (at: number) =>
    startBot({
      settings: readSettings({ DATA_DIR: dataDir, PORT: String(at), AGENT_CONTACT: '0800 555 0147', HANDOFF: 'none', ...more }),
      service: { baseUrl: proxy.baseUrl, wsUrl: proxy.wsUrl, secretKey: service.secretKey, idempotent: true, showsCode },
      log,
      ...{ outcomeTimeouts, turnRate, lookupRate, around, channels: channels?.(), telemetry: telemetry?.() },
    });
  let bot: RunningBot | undefined = await start(port);
  const at = bot.port;
  const running = () => {
    if (!bot) throw new Error('the bot is stopped');
    return bot;
  };
  const stopBot = async () => {
    await bot?.close();
    bot = undefined;
  };
  return {
    service,
    proxy,
    dataDir,
    lines,
    bot: running,
    addresses: () => ({ chatUrl: running().chatUrl, outboxUrl: service.outboxUrl ?? '' }),
    stopBot,
    startBot: async () => {
      bot = await start(at);
    },
    close: async () => {
      await stopBot();
      await proxy.close();
      await service.close();
      rmSync(dataDir, { recursive: true });
    },
  };
};
