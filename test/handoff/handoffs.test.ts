import assert from 'node:assert/strict';
import type { HandoffCase } from '../../dialogs/escalation/case.ts';
import type { Acting } from '../../src/handoff/agent-act.ts';
import { makeDeskHub } from '../../src/handoff/desk/desk-hub.ts';
import { type HandoffsEngine, makeHandoffs } from '../../src/handoff/handoffs.ts';
import type { Hub } from '../../src/handoff/hub.ts';
import { makeHandoffStore } from '../../src/handoff/index.ts';
import type { HandoffRecord, PendingHubEvent } from '../../src/handoff/record.ts';
import { type HandoffRules, usualRules } from '../../src/handoff/rules.ts';
import { handoffTables } from '../../src/handoff/store/tables.ts';
import { makeLog } from '../../src/platform/log.ts';
import type { Posted } from '../../src/platform/outgoing/webhook-post.ts';
import type { Failure } from '../../src/platform/retry-queue.ts';
import { newUlid } from '../../src/platform/secrets/new-id.ts';
import { systemClock } from '../../src/platform/time/clock.ts';
import { openStorage, type Storage } from '../../src/storage/index.ts';
import { shownConversation, type VerificationState } from '../../src/verification/index.ts';
import { until } from '../support/until.ts';

const about: HandoffCase = { reason: 'asked', language: 'en', verification: { state: 'none' }, requestIds: [], transcript: [] };
const chat = { conversation: 'chat', address: '{}' };
const arrived: Posted = { done: true };
const failed = (more: Partial<Failure> = {}): Posted => ({
  code: 'http_500',
  ...more,
});

describe('people in chats', () => {
  let storage: Storage;
  let engine: HandoffsEngine;
  let posts: PendingHubEvent[];
  let answers: Posted[];
  let initiated: number;
  let acts: Acting[];
  /** The handoffs that whoever watches was told have changed. */
  let changes: string[];
  let turn: (acting: Acting) => Promise<void>;
  const hub: Hub = {
    name: 'webhook',
    audience: 'https://desk.example.com',
    initiate: async () => {
      initiated += 1;
    },
    deliver: async (event) => {
      posts.push(event);
      return answers.shift() ?? arrived;
    },
  };
  const open = (rules: HandoffRules = usualRules, hubs: readonly Hub[] = [hub]) => {
    const log = makeLog('silent', { write: () => {} });
    const parts = { store: storage.of(makeHandoffStore), shared: false, clock: systemClock, newId: newUlid, jitter: () => 0, log };
    engine = makeHandoffs({ ...parts, hubs, rules });
    engine.observe({ changed: (id) => changes.push(id), typing: () => {} });
    engine.open((acting) => {
      acts.push(acting);
      return turn(acting);
    });
  };
  const request = async (known?: string, more: Partial<HandoffCase> = {}) => {
    const asked = await engine.request({ activity: {} } as never, chat, { ...about, ...more }, known);
    await asked?.initiate?.();
    return asked;
  };
  beforeEach(async () => {
    storage = await openStorage(undefined, { tables: [handoffTables] });
    [posts, answers, initiated, acts, changes] = [[], [], 0, [], []];
    turn = async (acting) => {
      acting.result = { done: true };
    };
  });
  afterEach(async () => {
    await engine.close();
    await storage.close();
  });

  it('are requested once more if the turn that asked died before it was stored', async () => {
    open();
    const first = await request();
    assert.deepEqual([first?.added, initiated], [true, 1]);
    const again = await request();
    assert.deepEqual([again?.added, again?.record.id, initiated], [false, first?.record.id, 2]);
    await request(first?.record.id);
    assert.equal(initiated, 2);
    const requests = () => posts.filter(({ type }) => type === 'requested').length;
    await until(() => requests() > 0, 'the event');
    assert.equal(requests(), 1);
  });

  for (const [act, ending] of [
    [{ kind: 'finish', wrapUp: 'solved' }, 'finished'],
    [{ kind: 'return' }, 'returned'],
    [{ kind: 'fail' }, 'failed'],
  ] as const) {
    it(`end if the chat is gone (${act.kind}), although nobody can be told`, async () => {
      open();
      turn = async () => {
        throw Object.assign(new Error('gone'), { final: true });
      };
      const { record } = (await request()) ?? assert.fail();
      assert.deepEqual(await engine.act(record, act), { refused: 'chat_gone' });
      const over = await engine.get(record.id);
      assert.deepEqual([over?.ending, over?.wrapUp], [ending, act.kind === 'finish' ? 'solved' : undefined]);
    });
  }

  it('are waited for only as long as the rules say', async () => {
    open({ ...usualRules, waitMinutes: 0.001 });
    turn = async (acting) => {
      const over = await engine.end(acting.handoff.id, 'timed_out', 'nobody');
      acting.result = over ? { done: true } : { refused: 'over' };
    };
    await request();
    await until(() => posts.some(({ type }) => type === 'ended'), 'the end');
    assert.deepEqual(
      acts.map(({ act }) => act.kind),
      ['expire'],
    );
    assert.deepEqual(posts.at(-1)?.data, { ending: 'timed_out', by: 'nobody' });
  });

  it('are waited for ten minutes by default', async () => {
    open();
    const { record } = (await request()) ?? assert.fail();
    assert.equal((record.dueAt ?? 0) - record.createdAt, 600_000);
  });

  it('are watched: every change is reported', async () => {
    open();
    const { record } = (await request()) ?? assert.fail();
    const said = { type: 'message', key: 'm1', data: {} };
    for (const change of [
      () => engine.report(record, said),
      () => engine.take(record.id, { id: 'mara@example.com' }),
      () => engine.act(record, { kind: 'say', id: 's1', text: 'Hello' }),
      () => engine.release(record.id),
      () => engine.end(record.id, 'returned', 'customer'),
    ]) {
      changes = [];
      await change();
      assert.deepEqual(changes, [record.id], String(change));
    }
  });

  it('are waited for without limit by customers who left a message', async () => {
    open({ ...usualRules, waitMinutes: 0.001 });
    const asked = await request(undefined, { reason: 'message', note: 'Call me' });
    assert.equal(asked?.record.dueAt, undefined);
  });

  it('are not waited for in a chat that is gone', async () => {
    open({ ...usualRules, waitMinutes: 0.001 });
    turn = async () => {
      throw Object.assign(new Error('gone'), { final: true });
    };
    const asked = await request();
    await until(() => posts.some(({ type }) => type === 'ended'), 'the end');
    assert.equal((await engine.get(asked?.record.id ?? ''))?.ending, 'timed_out');
  });

  it('are waited for a little longer if the customer cannot be told now', async () => {
    open({ ...usualRules, waitMinutes: 0.001 });
    turn = async () => {
      throw new Error('busy');
    };
    const asked = await request();
    await until(() => acts.length > 0, 'the first try');
    const id = asked?.record.id ?? '';
    let later: number | undefined;
    await until(async () => {
      later = (await engine.get(id))?.dueAt;
      return (later ?? 0) > Date.now() + 20_000;
    }, 'another time');
    assert.equal((await engine.get(id))?.state, 'requested');
  });

  it('get a request again that did not arrive, under the same id', async () => {
    open();
    answers = [failed(), failed({ retryAfterMs: 1 }), arrived];
    await request();
    await until(() => posts.length === 3, 'the third try');
    assert.equal(new Set(posts.map(({ id }) => id)).size, 1);
    assert.deepEqual(
      posts.map(({ attempts }) => attempts),
      [0, 1, 2],
    );
    assert.equal(acts.length, 0);
  });

  it('are given up at once if their hub refuses further events, and the customer is told', async () => {
    open();
    answers = [failed({ final: true })];
    await request();
    await until(() => acts.length === 1, 'the truth');
    assert.equal(acts[0]?.act.kind, 'fail');
  });

  it('go on when a message is given up, of which the customer is told', async () => {
    open();
    const asked = await request();
    await until(() => posts.length === 1, 'the first event');
    answers = [failed({ final: true })];
    if (asked) await engine.report(asked.record, { type: 'message', key: 'm1', data: {} });
    await until(() => posts.length === 2, 'the event');
    await until(async () => (await storage.of(makeHandoffStore).nextEvent('webhook')) === undefined, 'its end');
    assert.deepEqual(
      acts.map(({ act }) => act.kind),
      ['undelivered'],
    );
    assert.equal((await engine.get(asked?.record.id ?? ''))?.state, 'requested');
  });

  it('lose no message silently because the chat cannot be reached at the moment', async () => {
    open();
    const asked = await request();
    await until(() => posts.length === 1, 'the first event');
    const failing: string[] = [];
    turn = async ({ act }) => {
      failing.push(act.kind);
      throw new Error('busy');
    };
    answers = [failed({ final: true })];
    if (asked) await engine.report(asked.record, { type: 'message', key: 'm1', data: {} });
    await until(() => failing.length === 1, 'the first telling');
    // It is neither given up nor due at once.
    await until(async () => ((await storage.of(makeHandoffStore).nextEvent('webhook')) ?? 0) > Date.now() + 20_000, 'another time');
  });

  it('are not affected by another event that is given up', async () => {
    open();
    const asked = await request();
    await until(() => posts.length === 1, 'the first event');
    answers = [failed({ final: true })];
    if (asked) await engine.report(asked.record, { type: 'outcome', key: 'o1', data: {} });
    await until(async () => posts.length === 2 && (await storage.of(makeHandoffStore).nextEvent('webhook')) === undefined, 'its end');
    assert.equal(acts.length, 0);
  });

  it('are not notified of an end that they caused', async () => {
    open();
    const asked = await request();
    await engine.end(asked?.record.id ?? '', 'finished', 'agent', 'solved');
    assert.deepEqual(
      (await engine.events(asked?.record.id ?? '', 0, 10)).map(({ type }) => type),
      ['requested'],
    );
  });

  for (const ending of ['finished', 'returned', 'failed'] as const)
    it(`are recorded as ${ending} at a hub that reads records, where an agent has ended them so`, async () => {
      open(usualRules, [makeDeskHub()]);
      const { record } = (await request()) ?? assert.fail();
      await engine.end(record.id, ending, 'agent', ending === 'finished' ? 'solved' : undefined);
      const data = { ending, by: 'agent', ...(ending === 'finished' && { wrapUp: 'solved' }) };
      assert.deepEqual(
        (await engine.events(record.id, 1, 10)).map((event) => [event.type, event.data]),
        [['ended', data]],
      );
    });

  it('belong to one hub: another hub finds nothing under the same id', async () => {
    open();
    const id = (await request())?.record.id ?? '';
    assert.equal((await engine.of('webhook', id))?.id, id);
    assert.equal(await engine.of('desk', id), undefined);
  });

  describe('get a proof that names the handoff and its chat, of the verification that stands:', () => {
    const proven = { state: 'verified', method: 'passkeys', customerRef: 'c', requestId: 'r', at: 0, until: 900 } as const;
    const handoff = { ...{ id: 'h', conversation: 'chat 1', hub: 'webhook', verification: proven } } as unknown as HandoffRecord;
    const other = { ...proven, requestId: 'r2' } as const;
    const rows: [string, HandoffRecord, VerificationState | undefined, number, boolean][] = [
      ['the one that an event reported', handoff, proven, 899, true],
      ['not once it has expired', handoff, proven, 900, false],
      ['not one that the chat no longer has', { ...handoff, verification: { state: 'none' } }, proven, 899, false],
      ['not one that was ended', { ...handoff, verification: { ...proven, state: 'expired', until: 5 } }, proven, 899, false],
      ['not an earlier one', { ...handoff, verification: other }, proven, 899, false],
      ['not after the handoff', { ...handoff, state: 'over', endedAt: 800 }, proven, 899, false],
      ['not of an event without one', handoff, { state: 'none' }, 899, false],
      ['not of an event that says nothing of it', handoff, undefined, 899, false],
      ['not for a hub that is not there', { ...handoff, hub: 'desk' }, proven, 899, false],
    ];
    for (const [how, record, told, now, given] of rows)
      it(how, async () => {
        const signed: object[] = [];
        const sign = async (_proven: object, place: object) => {
          signed.push(place);
          return 'a.b.c';
        };
        const parts = {
          store: storage.of(makeHandoffStore),
          shared: false,
          clock: { now: () => now },
          newId: newUlid,
          log: makeLog('silent'),
        };
        engine = makeHandoffs({ ...parts, hubs: [hub], rules: usualRules, assertions: { jwks: { keys: [] }, sign } });
        const place = { audience: 'https://desk.example.com', handoff: 'h', conversation: shownConversation('chat 1') };
        assert.deepEqual([await engine.prove(record, told), signed], given ? ['a.b.c', [place]] : [undefined, []]);
      });
  });

  const closed = { timeZone: 'UTC', days: {}, closed: [] };
  const availabilities: [string, HandoffRules, readonly Hub[], string, boolean][] = [
    ['somebody', usualRules, [hub], 'open', true],
    ['nobody at the hub', usualRules, [{ ...hub, isStaffed: () => false }], 'nobody', false],
    ['somebody at the hub', usualRules, [{ ...hub, isStaffed: () => true }], 'open', true],
    ['nobody at this hour', { ...usualRules, hours: closed }, [hub], 'closed', false],
    ['no hub for such a chat', { ...usualRules, rules: [{ hub: 'webhook', languages: ['es'] }] }, [hub], 'none', true],
  ];
  for (const [who, rules, hubs, kind, offered] of availabilities)
    it(`are offered only if they can come: ${who}`, () => {
      open(rules, hubs);
      assert.deepEqual([engine.availability(about, 'https://channel.example').kind, engine.canCome()], [kind, offered]);
    });
});
