import assert from 'node:assert/strict';
import { useFakeTimers } from 'sinon';
import { makePresence, type Presence } from '../../src/desk/presence.ts';
import { makeBus } from '../../src/platform/bus.ts';

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
});
