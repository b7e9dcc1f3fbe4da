import assert from 'node:assert/strict';
import { useFakeTimers } from 'sinon';
import { makePresence, type Presence } from '../../src/desk/presence.ts';
import { makeBus } from '../../src/platform/database/bus.ts';
import { openPostgres } from '../../src/platform/database/postgres.ts';
import { makePostgresBus } from '../../src/platform/database/postgres-bus.ts';
import { makeLog } from '../../src/platform/log.ts';
import { newDatabase } from '../support/postgres.ts';
import { until } from '../support/until.ts';

const mara = { id: 'mara@example.com', name: 'Mara', role: 'agent', away: false } as const;
const noa = { id: 'noa@example.com', name: 'Noa', role: 'agent', away: false } as const;

describe('who is at the desk, over two processes', () => {
  const at = (presence: Presence) => presence.colleagues().map(({ away, name }) => (away ? `${name}, away` : name));
  let clock: ReturnType<typeof useFakeTimers>;
  beforeEach(() => {
    clock = useFakeTimers();
  });
  afterEach(() => clock.restore());

  it('is reported when it changes, and only then', () => {
    const bus = makeBus();
    const [one, other] = ['one', 'other'].map((name) => makePresence(bus, { now: Date.now }, name)) as [Presence, Presence];
    const told: string[][] = [];
    one.subscribe(() => told.push(at(one)));
    one.enter(() => mara);
    let away = false;
    const leave = other.enter(() => ({ ...noa, away }));
    assert.deepEqual(told, [['Mara'], ['Mara', 'Noa']]);
    clock.tick(60_000);
    assert.equal(told.length, 2, 'a minute in which nothing happens');
    away = true;
    other.changed();
    leave();
    assert.deepEqual(told.slice(2), [['Mara', 'Noa, away'], ['Mara']]);
    one.close();
    other.close();
  });

  it('is reported when a process dies', () => {
    const bus = makeBus();
    const [one, other] = ['one', 'other'].map((name) => makePresence(bus, { now: Date.now }, name)) as [Presence, Presence];
    one.enter(() => mara);
    other.enter(() => noa);
    const told: string[][] = [];
    one.subscribe(() => told.push(at(one)));
    other.close();
    clock.tick(30_000);
    assert.deepEqual(told, [], 'it may only be slow');
    clock.tick(20_000);
    assert.deepEqual(told, [['Mara']]);
    one.close();
  });

  it('counts somebody with pages at both once, until both are closed', () => {
    const bus = makeBus();
    const [one, other] = ['one', 'other'].map((name) => makePresence(bus, { now: Date.now }, name)) as [Presence, Presence];
    const leaves = [one.enter(() => ({ ...mara, away: true })), one.enter(() => mara), other.enter(() => mara)];
    for (const leave of leaves) {
      assert.deepEqual([at(one), at(other)], [['Mara'], ['Mara']]);
      leave();
    }
    assert.deepEqual([at(one), at(other)], [[], []]);
    one.close();
    other.close();
  });
});

describe('a hundred agents at one replica', function () {
  this.timeout(60_000);
  it('are known to the other, remain known, and leave one by one', async () => {
    const url = await newDatabase();
    const lines: string[] = [];
    const log = makeLog('warn', { write: (line) => void lines.push(line) });
    const databases = await Promise.all([1, 2].map(() => openPostgres(url, {}, { log })));
    const buses = databases.map((database, index) => makePostgresBus(database, `process-${index}`, 'desk', log));
    let now = 0;
    const [one, other] = buses.map((bus, index) => makePresence(bus, { now: () => now }, `process-${index}`)) as [Presence, Presence];
    const agents = Array.from({ length: 100 }, (_, index) => ({
      ...{ id: `${'ä'.repeat(300)}-${index}@example.com`, name: `${'名'.repeat(70)} ${index}`, role: 'agent' as const, away: false },
    }));
    let leave = () => {};
    await until(() => {
      if (other.colleagues().length > 0) return true;
      leave();
      leave = one.enter(() => noa);
      return false;
    }, 'the other replica to listen');
    leave();
    await until(() => other.colleagues().length === 0, 'the last of them to leave');
    const leaves = agents.map((agent) => one.enter(() => agent));
    await until(() => other.colleagues().length === agents.length, 'all of them at the other replica');
    assert.ok(other.staffed());
    now += 29_000;
    for (const [index, leave] of leaves.entries()) if (index % 2 === 0) leave();
    await until(() => other.colleagues().length === 50, 'half of them to leave');
    assert.ok(other.colleagues().every(({ id }) => Number(/-(\d+)@/.exec(id)?.[1]) % 2 === 1));
    assert.deepEqual(lines, [], 'nothing was dropped');
    one.close();
    other.close();
    for (const bus of buses) await bus.close();
    for (const { close } of databases) await close();
  });
});
