// A bot in a process of its own that can be killed at a named point. It loads first and starts when told to, so that one can stand ready.
import { type BotOptions, startBot } from '../../src/compose/bot.ts';
import { readSettings } from '../../src/compose/settings.ts';
import { makeLog } from '../../src/platform/log.ts';
import { type Point, withPoints } from './points.ts';

/** What the parent says. */
export type Order =
  | { readonly order: 'start'; readonly start: BotStart }
  /** To die when the point is reached for the nth time from now. */
  | { readonly order: 'die'; readonly at: Point; readonly nth: number }
  /** Not to die after all. */
  | { readonly order: 'live' }
  | { readonly order: 'stop' };

/** What the child says. */
export type Word =
  | { readonly word: 'loaded' }
  | { readonly word: 'ready'; readonly port: number }
  | { readonly word: 'failed'; readonly why: string };

export interface BotStart {
  readonly environment: Readonly<Record<string, string>>;
  readonly service: BotOptions['service'];
  readonly outcomeTimeouts: NonNullable<BotOptions['outcomeTimeouts']>;
  readonly calls: NonNullable<BotOptions['calls']>;
  readonly die?: { readonly at: Point; readonly nth: number };
}

const say = (word: Word) => process.send?.(word);

let doom: { at: Point; nth: number } | undefined;
const reach = (point: Point) => {
  if (point !== doom?.at) return;
  doom.nth -= 1;
  if (doom.nth <= 0) process.kill(process.pid, 'SIGKILL');
};

const start = async ({ environment, service, outcomeTimeouts, calls, die }: BotStart) => {
  if (die) doom = { ...die };
  const settings = readSettings(environment);
  const bot = await startBot({
    settings,
    service,
    outcomeTimeouts,
    calls,
    log: makeLog(settings.LOG_LEVEL),
    turnRate: { points: 10_000, seconds: 1 },
    around: withPoints(reach),
  });
  say({ word: 'ready', port: bot.port });
  return bot;
};

let running: ReturnType<typeof start> | undefined;
process.on('message', (message: Order) => {
  switch (message.order) {
    case 'start':
      running = start(message.start);
      running.catch((fault) => {
        say({ word: 'failed', why: String(fault?.stack ?? fault) });
        process.exitCode = 1;
        process.disconnect();
      });
      return;
    case 'die':
      doom = { at: message.at, nth: message.nth };
      return;
    case 'live':
      doom = undefined;
      return;
    case 'stop':
      void (async () => {
        await (await running)?.close();
        process.exit(0);
      })();
      return;
    default:
      message satisfies never;
  }
});
// A parent that is gone has no more use for it.
process.on('disconnect', () => process.exit());
say({ word: 'loaded' });
