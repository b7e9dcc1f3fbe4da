// A bot in a process of its own that can be killed at a named point. It loads first and starts when told to, so that
// one can stand ready.
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { type StartBotOptions, startBot } from '../../src/compose/start/bot.ts';
import { readSettings } from '../../src/compose/start/settings.ts';
import { makeLog } from '../../src/platform/log.ts';
import { type Point, withPoints } from './points.ts';

/** What the parent says. */
export type Order =
  | { readonly order: 'start'; readonly start: BotStart }
  | ({ readonly order: 'die' } & Doom)
  /** Not to die after all. */
  | { readonly order: 'live' }
  | { readonly order: 'stop' };

/** To die when any of the points is reached for the nth time, after so many others that are let pass first. */
export interface Doom {
  readonly at: readonly Point[];
  readonly nth: number;
  readonly after?: number;
  /** How many others may pass before it is given up. Unset: any. */
  readonly patience?: number;
}

/** The descriptor where the child writes the point that it dies at. */
const lastWord = 4;

/** What the child says. */
export type Word =
  | { readonly word: 'loaded' }
  | { readonly word: 'ready'; readonly port: number; readonly deskUrl?: string | undefined }
  /** None of the points came. */
  | { readonly word: 'spared' }
  | { readonly word: 'failed'; readonly why: string };

export interface BotStart {
  readonly environment: Readonly<Record<string, string>>;
  readonly service: StartBotOptions['service'];
  readonly outcomeTimeouts: NonNullable<StartBotOptions['outcomeTimeouts']>;
  readonly calls: NonNullable<StartBotOptions['calls']>;
  readonly die?: Doom;
}

const say = (word: Word) => process.send?.(word);

let doom: { at: ReadonlySet<Point>; left: number; after: number; patience: number } | undefined;
const die = ({ at, nth, after = 0, patience = Number.POSITIVE_INFINITY }: Doom) => {
  doom = { at: new Set(at), left: nth, after, patience };
};
const reach = (point: Point) => {
  if (!doom) return;
  if (doom.after > 0) doom.after -= 1;
  else if (doom.at.has(point)) doom.left -= 1;
  else if (doom.patience > 0) doom.patience -= 1;
  else {
    doom = undefined;
    say({ word: 'spared' });
  }
  if (!doom || doom.left > 0) return;
  writeSync(lastWord, point);
  process.kill(process.pid, 'SIGKILL');
};

const start = async ({ environment, service, outcomeTimeouts, calls, die: doomed }: BotStart) => {
  if (doomed) die(doomed);
  const settings = readSettings({ HANDOFF: 'none', ...environment });
  const bot = await startBot({
    settings,
    service,
    outcomeTimeouts,
    calls,
    log: makeLog(settings.LOG_LEVEL),
    turnRate: { points: 10_000, seconds: 1 },
    around: withPoints(reach),
  });
  say({ word: 'ready', port: bot.port, deskUrl: bot.links.desk });
  // Who is killed keeps nothing for the next one, unless it is kept now.
  flushCompileCache();
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
      die(message);
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
