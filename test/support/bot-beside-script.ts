// A bot with a scripted service: its chats, its log, its rows, and uncaught faults.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type RunningBot, type StartBotOptions, startBot } from '../../src/compose/start/bot.ts';
import { readSettings } from '../../src/compose/start/settings.ts';
import { makeLog } from '../../src/platform/log.ts';
import { newDataDir } from './data-dir.ts';
import { canaries, type ScriptedService, startScriptedService } from './scripted-service.ts';
import { watchUncaught } from './uncaught.ts';

/** An interaction on disk. */
export interface Row {
  readonly id: string;
  readonly app: string;
  readonly state: string;
  readonly told: number;
  readonly refusal: string | null;
  readonly outcome: string | null;
}

/** A line of the log, parsed. */
export type Line = Readonly<Record<string, unknown>>;

export interface BotBesideScript {
  readonly service: ScriptedService;
  readonly dataDir: string;
  bot(): RunningBot;
  restart(): Promise<void>;
  /** All lines so far, unparsed. */
  readonly lines: readonly string[];
  /** The lines of a level. */
  logged(level: 'warn' | 'error'): Line[];
  /** The interactions, oldest first. */
  rows(): Row[];
  /** Uncaught faults of the process: there must be none. */
  readonly uncaught: readonly unknown[];
  close(): Promise<void>;
}

export interface BotBesideScriptOptions extends Pick<StartBotOptions, 'around' | 'calls' | 'outcomeTimeouts' | 'turnRate'> {
  readonly idempotent?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
}

/** Starts both. By default deadlines are short, the breaker stays closed and jitter is a tenth. */
export const startBotBesideScript = async ({
  idempotent = false,
  settings = {},
  calls = { timeouts: { call: 500 }, breaker: { failures: 10_000 } },
  ...options
}: BotBesideScriptOptions = {}): Promise<BotBesideScript> => {
  const dataDir = await newDataDir('bot.db');
  const lines: string[] = [];
  const uncaught = watchUncaught();
  const service = await startScriptedService();
  const log = makeLog('debug', { write: (line) => void lines.push(line) });
  const { secretKey } = canaries;
  const start = (port: number) =>
    startBot({
      settings: readSettings({ DATA_DIR: dataDir, PORT: String(port), AGENT_CONTACT: '0800 555 0147', ...settings }),
      service: { baseUrl: service.baseUrl, wsUrl: service.wsUrl, secretKey, idempotent },
      log,
      calls,
      random: () => 0.1,
      turnRate: { points: 10_000, seconds: 1 },
      ...options,
    });
  let bot = await start(0);
  return {
    service,
    dataDir,
    lines,
    uncaught: uncaught.faults,
    bot: () => bot,
    restart: async () => {
      const { port } = bot;
      await bot.close();
      bot = await start(port);
    },
    logged: (level) => lines.map((line) => JSON.parse(line)).filter((line) => line.level === level),
    rows: () => {
      const db = new DatabaseSync(join(dataDir, 'bot.db'), { readOnly: true, timeout: 5_000 });
      try {
        return db
          .prepare('SELECT id, app, state, told, refusal, outcome FROM interaction ORDER BY created_at, id')
          .all() as unknown as Row[];
      } finally {
        db.close();
      }
    },
    close: async () => {
      await bot.close();
      await service.close();
      rmSync(dataDir, { recursive: true });
      uncaught.release();
    },
  };
};
