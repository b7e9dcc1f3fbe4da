// A customer goes through a flow while the bot is killed at a point on the way, and is started again.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { appIds } from '../../src/contract/index.ts';
import { makeLog } from '../../src/platform/log.ts';
import { startService } from '../../src/service/index.ts';
import { type BotChild, loadBot } from '../faults/bot-child.ts';
import type { Doom } from '../faults/bot-process.ts';
import { openLine } from '../faults/line.ts';
import type { Point } from '../faults/points.ts';
import type { Seen } from '../support/direct-line.ts';
import { wordsOf } from '../support/words.ts';

/** What is done within a flow that lasts or goes out. */
const deeds = [
  'keep',
  'lookup',
  'record',
  'send',
  'accepted',
  'read',
  'decide',
  'outcome',
  'reply',
  'delivered',
  'save',
  'settle',
] as const;

/** Places to die at: each point, the first time it comes in the flow. */
const points = deeds.flatMap((deed): Point[] => [`before ${deed}`, `after ${deed}`]);

const answers: readonly (readonly [RegExp, string])[] = [
  [/What is your phone number\?/, '+12025550102'],
  [/^Confirm with your passkey|^Pay \S+ on your phone/, 'send'],
  [/^What would you like to pay for\?/, '1'],
];

const waits = /^Waiting for your/;

// Every death is one flow from its first word to its receipt, in a chat of its own.
describe('a bot that is killed at every point within a flow', function () {
  this.timeout(600_000);
  const folder = mkdtempSync(join(tmpdir(), 'countersign-flow-kills-'));
  let child: BotChild | undefined;
  let port = 0;
  const sent: { readonly app: string; readonly requestId: string; ended?: true }[] = [];
  const delivery = {
    deliver: async (message: { readonly app: string; readonly requestId: string }) => {
      if (!sent.some(({ requestId }) => requestId === message.requestId)) sent.push({ app: message.app, requestId: message.requestId });
      return { accepted: true } as const;
    },
  };
  let service: Awaited<ReturnType<typeof startService>>;
  const startBot = async () => {
    const { baseUrl, secretKey, wsUrl } = service;
    child = await loadBot(process.env.FAULTS_LOG);
    const started = await child.start({
      environment: { DATA_DIR: folder, PORT: String(port), LOG_LEVEL: 'warn', LOOKUP_REPLIES: 'offer' },
      service: {
        baseUrl,
        secretKey,
        wsUrl,
        idempotent: true,
        showsCode: true,
        multiplex: true,
        bootstrap: 'body',
        theme: service.theme,
      } as never,
      outcomeTimeouts: Object.fromEntries(appIds.map((app) => [app, 600_000])) as never,
      calls: {},
    });
    assert.ok(started, 'the bot did not start');
    port = started;
  };
  const revive = async () => {
    if (child?.isGone()) await startBot();
  };
  before(async () => {
    service = await startService({
      port: 0,
      host: '127.0.0.1',
      dataDir: join(folder, 'service'),
      demo: true,
      delivery,
      log: makeLog('silent'),
    });
    await startBot();
  });
  after(async () => {
    await child?.stop();
    await service.close();
    rmSync(folder, { recursive: true });
  });

  /** Goes through the flow; answers everything that was said. */
  const settleBill = async (name: string, doom: Doom): Promise<readonly Seen[]> => {
    const until = performance.now() + 120_000;
    await revive();
    const line = await openLine({ base: () => `http://127.0.0.1:${port}`, until, between: revive });
    const answered = new Set<string>();
    const seen = { mark: '', at: performance.now() };
    let said = 0;
    const say = async (text: string) => {
      said += 1;
      await line.say(`${name}-${said}`, { type: 'message', text });
    };
    // It resolves where the child gives that up.
    child?.doom(doom).catch(() => {});
    await say('settle my bill');
    for (;;) {
      await revive();
      const transcript = await line.look();
      const bots = transcript.filter(({ type, from }) => type === 'message' && from.role === 'bot');
      if (bots.some((message) => /Your receipt/.test(wordsOf(message)))) break;
      assert.ok(performance.now() < until, `no receipt: ${bots.slice(-3).map(wordsOf).join(' | ')}`);
      // What was answered is redrawn, and what was put twice stands there twice.
      const last = bots.findLast(
        (message) => waits.test(wordsOf(message)) || answers.some(([question]) => question.test(wordsOf(message))),
      );
      const [, answer] = answers.find(([question]) => last && question.test(wordsOf(last))) ?? [];
      const mark = JSON.stringify(bots.map(wordsOf));
      if (mark !== seen.mark) Object.assign(seen, { mark, at: performance.now() });
      // An answer that led nowhere: after a while anybody says it again.
      if (last && answer !== undefined && (!answered.has(last.id) || performance.now() - seen.at > 5_000)) {
        answered.add(last.id);
        seen.at = performance.now();
        await say(answer);
      }
      const pending = sent.find(({ ended }) => !ended);
      if (pending && last && waits.test(wordsOf(last)) && (await service.end(pending.requestId, 'success'))) pending.ended = true;
      await pause(40);
    }
    child?.spare();
    const all = await line.reload();
    await line.close();
    return all;
  };

  for (const [index, point] of points.entries())
    it(`continues if it dies ${point}`, async () => {
      const before = sent.length;
      const bots = (await settleBill(`c${index}`, { at: [point], nth: 1 })).filter(({ from }) => from.role === 'bot').map(wordsOf);
      const times = (words: RegExp) => bots.filter((text) => words.test(text)).length;
      assert.equal(times(/Your receipt: \$128\.40/), 1, 'the receipt is said once');
      assert.equal(times(/You are verified/), 1, 'the verification is told once');
      assert.equal(times(/Payment received/), 1, 'the payment is told once');
      assert.deepEqual(
        sent.slice(before).map(({ app }) => app),
        ['passkeys', 'payments'],
        'nothing was sent twice',
      );
    });
});
