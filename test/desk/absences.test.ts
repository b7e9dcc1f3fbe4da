import assert from 'node:assert/strict';
import { useFakeTimers } from 'sinon';
import { watchAbsences } from '../../src/desk/absences.ts';
import type { DeskContext } from '../../src/desk/context.ts';
import { makePresence } from '../../src/desk/presence.ts';
import type { AgentAct } from '../../src/handoff/agent-act.ts';
import { makeHandoffStore } from '../../src/handoff/index.ts';
import { handoffTables } from '../../src/handoff/store/tables.ts';
import { makeBus } from '../../src/platform/database/bus.ts';
import { makeLog } from '../../src/platform/log.ts';
import { openStorage, type Storage } from '../../src/storage/index.ts';
import { openDeskAgent, signInAtDesk } from '../support/desk.ts';
import { noa, openWorld } from '../support/hubs.ts';
import { until } from '../support/until.ts';

const mara = { id: 'mara@example.com', name: 'Mara', role: 'agent', away: false } as const;
const minute = 60_000;

describe('a chat whose agent is gone', () => {
  let storage: Storage;
  let clock: ReturnType<typeof useFakeTimers>;
  let closing: (() => unknown)[];
  let reads: number;
  let released: string[];
  const bus = makeBus();
  /** A process with its desk; those of one test share the database and the bus. */
  const start = (name: string) => {
    const presence = makePresence(bus, { now: Date.now }, name);
    const handoffs = {
      list: (hub: string, limit: number) => {
        reads += 1;
        return storage.of(makeHandoffStore).list(hub, limit);
      },
    };
    const act = async ({ id }: { readonly id: string }, what: AgentAct) => {
      if (what.kind !== 'release' || !(await storage.of(makeHandoffStore).release(id, minute))) return { refused: 'taken' } as const;
      released.push(`${id} from ${what.agent.id}`);
      bus.publish('desk', id);
      return { done: true } as const;
    };
    const parts = { hub: { name: 'desk' }, agents: { act }, handoffs, bus, clock: { now: Date.now }, log: makeLog('silent') };
    const absences = watchAbsences({ ...parts, absentMs: 5 * minute } as unknown as DeskContext, presence);
    closing.push(absences.close, presence.close);
    return presence;
  };
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 10_000) {
      await clock.tickAsync(Math.min(10_000, left));
      await new Promise(setImmediate);
    }
  };
  beforeEach(async () => {
    storage = await openStorage(undefined, { tables: [handoffTables] });
    await storage
      .of(makeHandoffStore)
      .add({ id: 'one', conversation: 'chat', address: '{}', hub: 'desk', reason: 'asked', language: 'en' });
    await storage.of(makeHandoffStore).take('one', mara);
    clock = useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    [closing, reads, released] = [[], 0, []];
  });
  afterEach(async () => {
    for (const close of closing) await close();
    clock.restore();
    await storage.close();
  });

  it('goes back to the queue after five minutes, once, whichever process sees it', async () => {
    const [one] = [start('one'), start('other')];
    const leave = one.enter(() => mara);
    await pass(10 * minute);
    leave();
    await pass(4 * minute);
    assert.deepEqual(released, []);
    await pass(2 * minute);
    assert.deepEqual(released, ['one from mara@example.com']);
    const record = await storage.of(makeHandoffStore).get('one');
    assert.deepEqual([record?.state, record?.agent], ['requested', undefined]);
    assert.ok(record?.dueAt);
  });

  it('stays with them if they are at another process, are only away, or come back in time', async () => {
    const [one, other] = [start('one'), start('other')] as const;
    const leave = one.enter(() => mara);
    const leaveOther = other.enter(() => ({ ...mara, away: true }));
    leave();
    await pass(20 * minute);
    leaveOther();
    await pass(4 * minute);
    const again = one.enter(() => mara);
    await pass(minute);
    again();
    await pass(4 * minute);
    assert.deepEqual(released, []);
  });

  it('goes back also after a restart, which begins the five minutes anew', async () => {
    start('one');
    await pass(4 * minute);
    for (const close of closing.splice(0)) await close();
    start('two');
    await pass(4 * minute);
    assert.deepEqual(released, []);
    await pass(2 * minute);
    assert.deepEqual(released, ['one from mara@example.com']);
  });

  it('costs no query while nothing changes', async () => {
    const presence = start('one');
    presence.enter(() => mara);
    await pass(minute);
    const before = reads;
    await pass(30 * minute);
    assert.equal(reads, before);
  });
});

describe('the customer of an agent who is gone', () => {
  it('is told so, is nobody’s customer at the desk, waits, and is read by whoever comes next', async () => {
    const clock = useFakeTimers({ now: Date.now(), toFake: ['setInterval', 'clearInterval', 'Date'] });
    const world = await openWorld('desk', {}, {}, 'supervisor');
    try {
      await world.talk.say('agent');
      await world.accept();
      const id = world.deskId();
      const { value: link } = await world.desk().ask({ type: 'invite' });
      const base = `http://localhost:${world.whole.bot().port}`;
      const other = await openDeskAgent(() => base, await signInAtDesk(`${base}${link}`, { ...noa, role: 'supervisor' }));
      const absent = async () => ((await other.ask({ type: 'overview' })).value as { absent: number }).absent;
      assert.equal(await absent(), 0);
      await world.desk().disconnect();
      await until(async () => (await absent()) === 1, 'the count');
      await world.talk.say('still there?');
      for (let passed = 0; passed < 5.5 * minute; passed += 10_000) {
        await clock.tickAsync(10_000);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      await until(() => world.said().some((said) => /^Mara had to leave this chat\. I have asked somebody else/.test(said)), 'the words');
      await until(() => other.rows()[0]?.state === 'requested', 'the conversation among those that wait');
      assert.deepEqual([other.rows()[0]?.agent, await absent()], [undefined, 0]);
      await world.talk.say('my bill is wrong');
      await world.talk.sees(/I have passed that on/);
      assert.equal((await other.act(id, { kind: 'accept' })).refused, undefined);
      await world.talk.sees(/Noa has joined this chat/);
      other.watch(id);
      const told = () => other.events(id).map(({ type }) => type);
      await until(() => told().includes('waited'), 'what was said');
      assert.deepEqual(told(), ['requested', 'joined', 'message', 'waited', 'released', 'waited', 'joined']);
      await other.disconnect();
    } finally {
      clock.restore();
      await world.close();
    }
  });
});
