// A chat with a random customer, a random service and random deaths, in this process: what may be done, and what must
// be true at its end.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { type RunningBot, startBot } from '../../src/compose/start/bot.ts';
import { readSettings } from '../../src/compose/start/settings.ts';
import { appIds, type ResultStatus } from '../../src/contract/index.ts';
import { makeLog } from '../../src/platform/log.ts';
import type { Seen } from '../support/direct-line.ts';
import { until } from '../support/until.ts';
import { wordsOf } from '../support/words.ts';
import { onSqlite } from './backends.ts';
import { check, type Violation } from './checker.ts';
import { questions } from './customer.ts';
import { gatherBot, unfinished } from './evidence.ts';
import { type Line, openLine } from './line.ts';
import { type Point, points, withPoints } from './points.ts';
import { makeScriptedClient, rightCode, type ScriptedClient, type Sending, sendings } from './scripted-client.ts';

/** A chat's whole world. */
export interface Chatting {
  readonly service: ScriptedClient;
  /** Says something, as often as it takes: the bot may die on the way and is started again. */
  say(activity: object): Promise<void>;
  /** What an open page shows. */
  transcript(): Promise<Seen[]>;
  /** Has the bot die at a point, the nth time it comes by from now on. */
  doom(at: Point, nth: number): void;
  restart(): Promise<void>;
  /** Lets everything end, and checks it. */
  finish(): Promise<Violation[]>;
  close(): Promise<void>;
}

const forAllApps = (value: number) => Object.fromEntries(appIds.map((app) => [app, value])) as Record<(typeof appIds)[number], number>;
/** Everything that can be pressed: buttons below cards, tiles, and links within a line. */
const actionsIn = (value: Seen): Seen[] =>
  typeof value !== 'object' || value === null
    ? []
    : value.type === 'Action.Submit' && value.data
      ? [value]
      : Object.values(value).flatMap((part) => actionsIn(part));
const buttonsOf = (transcript: readonly Seen[]): Seen[] => transcript.flatMap(({ attachments = [] }) => actionsIn(attachments));
/** Messages one of whose answers sends a request: the cards that ask whether to, and the lists from which choosing sends. */
const asksToSend = (message: Seen) => [questions.confirm, questions.product, questions.form].some((words) => words.test(wordsOf(message)));
const waits = (message: Seen) => asksToSend(message) || questions.waiting.test(wordsOf(message)) || questions.enter.test(wordsOf(message));
/** The buttons on those cards that send nothing. */
const harmless = /^(?:Cancel|Back|Not now|Menu|Help|More|Start over)/;

export const startChatting = async (): Promise<Chatting> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-chatting-'));
  const database = await onSqlite.open(dataDir);
  const service = makeScriptedClient();
  let port = 0;
  let bot: RunningBot | undefined;
  let doom: { at: Point; left: number } | undefined;
  let dead = false;

  /** From its death on nothing that it does lasts: as if the process were gone. */
  const start = async () => {
    let died = false;
    dead = false;
    bot = await startBot({
      settings: readSettings({ DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'silent' }),
      // Nobody is there: the client below takes the calls, and without a socket results are polled.
      service: { baseUrl: 'http://127.0.0.1:9', wsUrl: 'ws://127.0.0.1:9/ws', secretKey: 'secret', idempotent: true },
      log: makeLog('silent'),
      outcomeTimeouts: forAllApps(60_000),
      turnRate: { points: 10_000, seconds: 1 },
      random: () => 0.02,
      around: withPoints(
        (point) => {
          if (doom?.at === point) doom.left -= 1;
          if (doom && doom.left <= 0) {
            doom = undefined;
            died = true;
            dead = true;
          }
          if (died) throw new Error('died');
        },
        () => service.client,
      ),
    });
    port = bot.port;
  };
  const restart = async () => {
    await bot?.close();
    await start();
  };

  await start();
  const line: Line = await openLine({
    base: () => `http://127.0.0.1:${port}`,
    until: performance.now() + 120_000,
    between: async () => {
      if (dead) await restart();
    },
  });
  const acknowledged: string[] = [];
  let said = 0;
  let confirms = 0;

  return {
    service,
    transcript: line.look,
    doom: (at, nth) => {
      doom = { at, left: nth };
    },
    restart,
    say: async (activity) => {
      const shown = await line.look();
      const { value } = activity as Seen;
      const last = shown.filter(({ type, from }) => type === 'message' && from.role === 'bot').slice(-1);
      const pressed = shown.filter((message) =>
        buttonsOf([message]).some(({ data, title }) => isDeepStrictEqual(data, value) && !harmless.test(title)),
      );
      // Whatever could be taken for a confirmation, by anybody: more requests than that there must not be.
      if ((value ? pressed : last).some(asksToSend)) confirms += 1;
      said += 1;
      acknowledged.push(await line.say(`said-${said}`, { type: 'message', ...activity }));
    },
    finish: async () => {
      doom = undefined;
      if (dead) await restart();
      service.answers = true;
      service.sending = 'accepted';
      for (const request of service.requests) if (request.state === 'pending') request.state = 'success';
      await until(async () => (await unfinished(database)).length === 0, 'every outcome to be told', 30_000);
      const story = { name: 'the customer', conversationId: line.conversationId, confirms, acknowledged, endings: 0 };
      return check({ ...(await gatherBot(database)), requests: service.requests, chats: [{ ...story, transcript: await line.reload() }] });
    },
    close: async () => {
      await line.close();
      await bot?.close();
      rmSync(dataDir, { recursive: true });
    },
  };
};

type Model = Record<string, never>;
type Command = fc.AsyncCommand<Model, Chatting>;
const command = (name: string, run: (real: Chatting) => Promise<void>): Command => ({
  check: () => true,
  run: (_model, real) => run(real),
  toString: () => name,
});

const say = (text: string) => command(`say "${text}"`, (real) => real.say({ text }));
const press = (back: number, doubled: boolean) =>
  command(`press ${back} back${doubled ? ', twice' : ''}`, async (real) => {
    const button = buttonsOf(await real.transcript()).at(-1 - back);
    if (!button) return;
    for (let time = 0; time < (doubled ? 2 : 1); time += 1) await real.say({ value: button.data });
  });
/**
 * The way from a wish to the waiting card, so that chance alone need not find it; the bot may die at a point of the
 * last turn.
 */
const begin = (wish: string, dies: Point | undefined) =>
  command(`begin ${wish}${dies ? `, dies ${dies}` : ''}`, async (real) => {
    const asking = wish === 'payments' || wish === 'e-form' ? '1' : 'send';
    for (const text of ['start over', wish, '+12025550102']) {
      if (!waits((await real.transcript()).filter(({ from }) => from.role === 'bot').at(-1) ?? {})) await real.say({ text });
    }
    if (dies) real.doom(dies, 1);
    await real.say({ text: asking });
  });
const end = (index: number, status: ResultStatus) =>
  command(`request ${index} ends with ${status}`, async ({ service }) => {
    const pending = service.requests.filter(({ state }) => state === 'pending');
    const request = pending[index % Math.max(1, pending.length)];
    if (request) request.state = status;
  });

const typed = [
  'yes',
  'no',
  '1',
  'send',
  'cancel',
  'status',
  'resend',
  'help',
  'start over',
  'agent',
  'menu',
  '+12025550102',
  'hello?',
  '000000',
];
const wishes = ['passkeys', 'payments', 'one-time passcode', 'e-form'];

/** Everything that may happen, with whatever it may happen to. */
export const commands: fc.Arbitrary<Command>[] = [
  fc.tuple(fc.constantFrom(...wishes), fc.option(fc.constantFrom(...points), { nil: undefined })).map((given) => begin(...given)),
  fc.constantFrom(...typed, ...wishes, rightCode).map(say),
  fc.constantFrom(...typed, ...wishes, rightCode).map(say),
  fc.tuple(fc.nat({ max: 6 }), fc.boolean()).map((given) => press(...given)),
  fc.tuple(fc.nat({ max: 3 }), fc.constantFrom<ResultStatus>('success', 'failure', 'timeout')).map((given) => end(...given)),
  fc.constantFrom<Sending>('accepted', ...sendings).map((sending) =>
    command(`sends are ${sending}`, async ({ service }) => {
      service.sending = sending;
    }),
  ),
  fc.boolean().map((answers) =>
    command(answers ? 'the service answers' : 'the service is silent', async ({ service }) => {
      service.answers = answers;
    }),
  ),
  fc.boolean().map((withdraws) =>
    command(withdraws ? 'requests can be withdrawn' : 'requests cannot be withdrawn', async ({ service }) => {
      service.withdraws = withdraws;
    }),
  ),
  fc.constant(command('restart', (real) => real.restart())),
  fc
    .tuple(fc.constantFrom(...points), fc.integer({ min: 1, max: 3 }))
    .map(([at, nth]) => command(`dies ${at}, time ${nth}`, async (real) => real.doom(at, nth))),
];
