import assert from 'node:assert/strict';
import { type BoardChange, makeBoard } from '../../src/desk/board.ts';
import { makeHandoffStore } from '../../src/handoff/index.ts';
import { makeBus } from '../../src/platform/database/bus.ts';
import { makeLog } from '../../src/platform/log.ts';
import { systemClock } from '../../src/platform/time/clock.ts';
import type { Storage } from '../../src/storage/index.ts';
import { openNewStorage } from '../support/data-dir.ts';
import { newUlid } from '../support/desk.ts';
import { until } from '../support/until.ts';

describe('the list of conversations, if every notification is lost', () => {
  let storage: Storage;
  before(async () => {
    storage = await openNewStorage();
  });
  after(() => storage.close());

  it('finds new conversations, new messages and ends a little later', async () => {
    const store = storage.of(makeHandoffStore);
    const board = makeBoard({ handoffs: store, bus: makeBus(), clock: systemClock, log: makeLog('silent') }, 'desk', 10);
    const changes: BoardChange[] = [];
    const leave = board.subscribe((change) => changes.push(change));
    assert.deepEqual(await board.rows(), []);
    const id = newUlid();
    const add = { id, conversation: 'chat-1', address: '', hub: 'desk', reason: 'asked', language: 'en' };
    await store.add(add, { type: 'requested', key: 'requested', data: {} });
    await until(() => changes.some(({ rows, touched }) => rows[0]?.id === id && touched.includes(id)), 'the new one');
    changes.length = 0;
    await store.tell(id, { type: 'message', key: 'message 1', data: { message: { id: '1', text: 'Hello' } } });
    await until(() => changes.some(({ rows, touched }) => rows.length === 0 && touched.includes(id)), 'what was said');
    await store.end(id, 'finished');
    await until(() => changes.some(({ gone, touched }) => gone.includes(id) && touched.includes(id)), 'its end');
    leave();
    await board.close();
  });
});
