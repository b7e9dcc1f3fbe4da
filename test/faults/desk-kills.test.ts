import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appIds } from '../../src/contract/index.ts';
import { makeLog } from '../../src/platform/log.ts';
import { type RunningService, startService } from '../../src/service/index.ts';
import { type DeskAgent, newUlid, openDeskAgent, type Reply, signInAtDesk } from '../support/desk.ts';
import type { Seen } from '../support/direct-line.ts';
import { mara } from '../support/hubs.ts';
import { until } from '../support/until.ts';
import { wordsOf } from '../support/words.ts';
import { type BotChild, loadBot } from './bot-child.ts';
import { type Line, openLine } from './line.ts';
import type { Point } from './points.ts';

// One chat from the first word to the second agent's goodbye. The bot's process dies in every phase of it, and whoever
// was asking asks again under the same name, as the pages do.
describe('a chat that a person takes over, while the bot is killed in every phase', function () {
  this.timeout(300_000);
  const folder = mkdtempSync(join(tmpdir(), 'countersign-desk-kills-'));
  /** The requests that reached the customer's phone. */
  const sent = new Set<string>();
  let service: RunningService;
  let child: BotChild;
  let spare: Promise<BotChild>;
  let port = 0;
  let agent: DeskAgent;
  let line: Line;
  let deaths = 0;
  const base = () => `http://localhost:${port}`;

  const startBot = async () => {
    child = await spare;
    spare = loadBot(process.env.FAULTS_LOG);
    const { baseUrl, secretKey, wsUrl } = service;
    const started = await child.start({
      environment: { DATA_DIR: folder, PORT: String(port), LOG_LEVEL: 'warn', LOOKUP_REPLIES: 'offer', HANDOFF: 'desk' },
      service: { baseUrl, secretKey, wsUrl, idempotent: true, showsCode: true, multiplex: true } as never,
      outcomeTimeouts: Object.fromEntries(appIds.map((app) => [app, 600_000])) as never,
      calls: {},
    });
    assert.ok(started, 'the bot did not start');
    port = started;
  };
  const revive = async () => {
    if (!child.isGone()) return;
    deaths += 1;
    await startBot();
    await agent.connect();
  };
  before(async () => {
    const deliver = async ({ requestId }: { readonly requestId: string }) => {
      sent.add(requestId);
      return { accepted: true } as const;
    };
    service = await startService({
      port: 0,
      host: '127.0.0.1',
      dataDir: join(folder, 'service'),
      demo: true,
      delivery: { deliver },
      log: makeLog('silent'),
    });
    spare = loadBot(process.env.FAULTS_LOG);
    await startBot();
    agent = await openDeskAgent(base, await signInAtDesk(child.deskUrl() ?? '', { ...mara, role: 'agent' }));
    line = await openLine({ base, until: performance.now() + 250_000, between: revive });
  });
  after(async () => {
    await agent?.disconnect();
    await line?.close();
    await child?.stop();
    (await spare).kill();
    await service?.close();
    rmSync(folder, { recursive: true });
  });

  let words = 0;
  const says = (text: string) => {
    words += 1;
    return line.say(`words-${words}`, { type: 'message', text });
  };
  const row = () => agent.rows()[0];
  const acts = (id: string, act: object): Promise<Reply> =>
    until(async () => {
      await revive();
      try {
        const reply = await agent.act(id, act);
        return reply.refused !== 'unavailable' && reply;
      } catch {
        return false;
      }
    }, JSON.stringify(act));
  /** Dies there, the next time it comes to the point; then whatever is done is done again until it is taken. */
  const dies = async <Result>(point: Point, what: () => Promise<Result>): Promise<Result> => {
    const before = deaths;
    child.doom({ at: [point], nth: 1 }).catch(() => {});
    const result = await what();
    await until(
      async () => {
        await revive();
        return deaths > before;
      },
      `the death ${point}`,
      20_000,
    );
    assert.equal(deaths, before + 1);
    return result;
  };
  const chat = async () => (await line.look()).filter(({ from, type }: Seen) => type === 'message' && from.role === 'bot').map(wordsOf);
  const seen = (text: RegExp, times = 1) => until(async () => (await chat()).filter((one) => text.test(one)).length >= times, String(text));
  const joins = async (ask: () => Promise<unknown>, accept: (id: string) => Promise<unknown>) => {
    await ask();
    const { id } = await until(row, 'the conversation at the desk');
    agent.watch(id);
    await accept(id);
    await until(() => row()?.agent?.id === agent.me().id, 'whose it is');
    return id;
  };

  it('continues where it was: nothing is lost, nothing appears twice', async () => {
    await says('payments');
    await dies('after reply', () => says('+12025550199'));
    await seen(/no customer|could not find|do not find/i);

    const first = await joins(
      () => dies('after ask', () => says('agent')),
      async (id) => {
        // Waiting: nothing is under way.
        child.kill();
        await child.gone;
        await revive();
        assert.equal(row()?.state, 'requested');
        await dies('after take', () => acts(id, { kind: 'accept' }));
      },
    );
    await dies('before tell', () => says('c1'));
    await dies('after tell', () => says('c2'));
    await dies('after reply', () => acts(first, { kind: 'say', id: 'm1', text: 'a1' }));
    await dies('before tell', () => acts(first, { kind: 'say', id: 'm2', text: 'a2' }));
    await says('c3');
    await acts(first, { kind: 'say', id: 'm3', text: 'a3' });

    const start = { kind: 'start', id: newUlid(), app: 'payments', phoneNumber: '+12025550102', chosen: 'ev-charging-pass' };
    await dies('after send', () => acts(first, start));
    await seen(/Waiting for your payment/);
    await dies('after outcome', () => service.end([...sent][0] ?? '', 'success'));
    await seen(/Payment received/);
    await until(() => agent.events(first).some(({ type }) => type === 'outcome'), 'the outcome at the desk');
    await dies('after end', () => acts(first, { kind: 'return' }));
    await until(() => row() === undefined, 'the list without it');
    // The goodbye was told before it died.
    await seen(/I am here again/);
    await says('menu');
    await seen(/What would you like to do/);

    const second = await joins(
      () => says('agent'),
      (id) => acts(id, { kind: 'accept' }),
    );
    await says('c4');
    await dies('before end', () => acts(second, { kind: 'finish', wrapUp: 'solved' }));
    await until(() => row() === undefined, 'the list without it');
    for (const id of [first, second]) await until(() => agent.events(id).some(({ type }) => type === 'ended'), 'its end at the desk');

    assert.notEqual(first, second);
    const at = (id: string) => {
      const events = agent.events(id);
      const of = (...types: string[]) =>
        events.flatMap((event) => (types.includes(event.type) && 'message' in event ? [event.message.text] : []));
      const count = (type: string) => events.filter((event) => event.type === type).length;
      return {
        customer: of('message'),
        agent: of('said'),
        joined: count('joined'),
        started: count('started'),
        outcomes: count('outcome'),
        ended: count('ended'),
      };
    };
    assert.deepEqual(at(first), { customer: ['c1', 'c2', 'c3'], agent: ['a1', 'a2', 'a3'], joined: 1, started: 1, outcomes: 1, ended: 1 });
    assert.deepEqual(at(second), { customer: ['c4'], agent: [], joined: 1, started: 0, outcomes: 0, ended: 1 });
    assert.equal(sent.size, 1);
    const said = (await line.reload()).filter(({ from, type }: Seen) => type === 'message' && from.role === 'bot').map(wordsOf);
    const times = (text: RegExp) => said.filter((one) => text.test(one)).length;
    assert.deepEqual(
      said.filter((one) => /^a\d$/.test(one)),
      ['a1', 'a2', 'a3'],
    );
    assert.deepEqual(
      { joined: times(/Mara has joined/), received: times(/Payment received/), left: times(/Mara has left/) },
      // It died between a goodbye and keeping it, and was asked again: better twice than never.
      { joined: 2, received: 1, left: 2 },
    );
    console.log(`      ${deaths} deaths`);
  });
});
