// A bot's process as its parent holds it: started, doomed, killed, stopped.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import type { BotStart, Doom, Order, Word } from './bot-process.ts';
import { bundledBot } from './bundle.ts';
import type { Point } from './points.ts';

export interface BotChild {
  /** Resolves with its port once it serves; `undefined` when it died on the way. @throws when it refused to start. */
  start(options: BotStart): Promise<number | undefined>;
  /** Where somebody can sign in at its desk, once it serves. */
  readonly deskUrl: () => string | undefined;
  /** Has it die at a point from now on. Resolves where it gives that up. */
  doom(doom: Doom): Promise<void>;
  /** Takes that back. */
  spare(): void;
  /** Kills it, as `kill -9` does. */
  kill(): void;
  /** Lets it end by itself. */
  stop(): Promise<void>;
  /** Resolves when it is gone, with the signal that ended it. */
  readonly gone: Promise<NodeJS.Signals | undefined>;
  readonly isGone: () => boolean;
  /** The point that it died at, where it was one. */
  readonly diedAt: () => Point | undefined;
}

/** Loads a bot's process. What it logs goes to the file, or nowhere. */
export const loadBot = async (logFile: string | undefined): Promise<BotChild> => {
  const { file, compiled } = await bundledBot();
  const child: ChildProcess = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file], {
    stdio: ['ignore', 'inherit', 'pipe', 'ipc', 'pipe'],
    env: { ...process.env, NODE_COMPILE_CACHE: compiled },
  });
  let word = '';
  child.stdio[4]?.on('data', (data: Buffer) => {
    word += data;
  });
  let errors = '';
  child.stderr?.on('data', (data: Buffer) => {
    errors = (errors + data).slice(-4000);
    if (logFile) appendFileSync(logFile, data);
  });
  let over = false;
  child.once('exit', () => {
    over = true;
  });
  // Closed, so that its last word is here.
  const gone = once(child, 'close').then(([, signal]) => (signal ?? undefined) as NodeJS.Signals | undefined);
  let spared = () => {};
  child.on('message', ({ word }: Word) => {
    if (word === 'spared') spared();
  });
  const order = (message: Order) => {
    if (child.connected) child.send(message, () => {});
  };
  const hears = <Kind extends Word['word']>(kind: Kind) =>
    new Promise<Extract<Word, { word: Kind }> | undefined>((resolve, reject) => {
      child.on('message', (message: Word) => {
        if (message.word === kind) resolve(message as Extract<Word, { word: Kind }>);
        if (message.word === 'failed') reject(new Error(`the bot did not start: ${message.why}\n${errors}`));
      });
      void gone.then(() => resolve(undefined));
    });
  if (!(await hears('loaded'))) throw new Error(`the bot could not be loaded\n${errors}`);
  let deskUrl: string | undefined;
  return {
    start: async (options) => {
      const ready = hears('ready');
      order({ order: 'start', start: options });
      const served = await ready;
      deskUrl = served?.deskUrl;
      return served?.port;
    },
    deskUrl: () => deskUrl,
    doom: (doom) =>
      new Promise((resolve) => {
        spared = resolve;
        order({ order: 'die', ...doom });
      }),
    spare: () => order({ order: 'live' }),
    kill: () => void child.kill('SIGKILL'),
    stop: async () => {
      order({ order: 'stop' });
      const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await gone;
      clearTimeout(late);
    },
    gone,
    isGone: () => over,
    diedAt: () => (word === '' ? undefined : (word as Point)),
  };
};
