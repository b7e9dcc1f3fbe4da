import assert from 'node:assert/strict';
import { type HandoffStore, makeHandoffStore } from '../../../src/handoff/index.ts';
import type { HubEventDraft } from '../../../src/handoff/record.ts';
import type { Storage } from '../../../src/storage/index.ts';
import { backends } from '../../support/backends.ts';

const event = (type: string, key = type): HubEventDraft => ({ type, key, data: { of: key } });
const handoff = (id: string, conversation: string, more: { dueIn?: number } = {}) => ({
  ...{ id, conversation, address: '{}', hub: 'webhook', reason: 'asked', language: 'en' },
  ...more,
});
const mara = { id: 'mara@example.com', name: 'Mara' };

for (const backend of backends) {
  describe(`handoffs, as stored on ${backend.kind}`, () => {
    let storage: Storage;
    let handoffs: HandoffStore;
    beforeEach(async () => {
      storage = await backend.open();
      handoffs = storage.of(makeHandoffStore);
    });
    afterEach(() => storage.close());

    it('are one per chat: a repeated or concurrent request finds the first', async () => {
      const asked = ['h1', 'h2', 'h3'].map((id) => handoffs.add(handoff(id, 'chat'), event('requested')));
      const all = await Promise.all(asked);
      assert.equal(all.filter(({ added }) => added).length, 1);
      assert.equal(new Set(all.map(({ record }) => record.id)).size, 1);
      const [first] = all;
      await handoffs.end(first?.record.id as string, 'withdrawn');
      assert.equal((await handoffs.add(handoff('h4', 'chat'), event('requested'))).added, true);
      assert.equal((await handoffs.add(handoff('h5', 'another'), event('requested'))).added, true);
    });

    it('belong to one agent at a time, and cannot be taken once they are over', async () => {
      await handoffs.add(handoff('h1', 'chat', { dueIn: 60_000 }), event('requested'));
      const taken = await handoffs.take('h1', mara);
      assert.deepEqual([taken?.state, taken?.agent, taken?.dueAt], ['accepted', mara, undefined]);
      const passed = await handoffs.take('h1', { id: 'noa@example.com' });
      assert.deepEqual([passed?.agent, passed?.acceptedAt], [{ id: 'noa@example.com' }, taken?.acceptedAt]);
      const over = await handoffs.end('h1', 'finished', { wrapUp: 'solved' });
      assert.deepEqual([over?.state, over?.ending, over?.wrapUp], ['over', 'finished', 'solved']);
      assert.deepEqual([await handoffs.take('h1', mara), await handoffs.end('h1', 'returned')], [undefined, undefined]);
      assert.equal(await handoffs.openIn('chat'), undefined);
      assert.deepEqual(await handoffs.get('h1'), over);
    });

    it('are listed by hub, the oldest first, while they are not over', async () => {
      for (const id of ['h1', 'h2', 'h3']) await handoffs.add(handoff(id, id), event('requested'));
      await handoffs.add({ ...handoff('h4', 'h4'), hub: 'desk' }, event('requested'));
      await handoffs.end('h2', 'withdrawn');
      const listed = async (limit: number) => (await handoffs.list('webhook', limit)).map(({ id }) => id);
      assert.deepEqual([await listed(10), await listed(1)], [['h1', 'h3'], ['h1']]);
    });

    it('are overdue if nobody accepted in time, and only then', async () => {
      await handoffs.add(handoff('waits', 'c1'), event('requested'));
      await handoffs.add(handoff('later', 'c2', { dueIn: 60_000 }), event('requested'));
      await handoffs.add(handoff('late', 'c3', { dueIn: 0 }), event('requested'));
      const claims = await Promise.all(Array.from({ length: 4 }, () => handoffs.claimOverdue(5_000, 10)));
      const [late, ...others] = claims.flat();
      assert.deepEqual([late?.handoff.id, others], ['late', []]);
      assert.ok(((await handoffs.nextOverdue()) ?? 0) < Date.now() + 10_000);
      for (const again of [60_000, 0]) await handoffs.settleOverdue(late ?? assert.fail(), { again, attempts: 1 });
      assert.deepEqual(await handoffs.claimOverdue(5_000, 10), []);
      assert.ok(((await handoffs.nextOverdue()) ?? 0) > Date.now() + 30_000);
    });

    it('send their hub all events in order, each once', async () => {
      await handoffs.add(handoff('h1', 'c1'), event('requested'));
      await handoffs.add(handoff('h2', 'c2'), event('requested'));
      for (const key of ['m1', 'm2', 'm1']) await handoffs.tell('h1', event('message', key));
      await handoffs.tell('nobody', event('message'));
      const claimed = async () =>
        (await handoffs.claimEvents('webhook', 60_000, 10)).sort((one, other) => one.handoffId.localeCompare(other.handoffId));
      const firsts = await claimed();
      assert.deepEqual(
        firsts.map(({ handoffId, number }) => [handoffId, number]),
        [
          ['h1', 1],
          ['h2', 1],
        ],
      );
      // What is on its way holds up what comes after it, in its own handoff.
      assert.deepEqual(await claimed(), []);
      for (const one of firsts) await handoffs.settleEvent(one, { done: true });
      const [second, ...more] = await claimed();
      assert.deepEqual([second?.data, second?.attempts, more], [{ of: 'm1' }, 0, []]);
      if (!second) return;
      await handoffs.settleEvent(second, { again: 0, attempts: 1 });
      const [again] = await claimed();
      assert.deepEqual([again?.id, again?.attempts], [second.id, 1]);
      // The claim of the first time is over.
      await handoffs.settleEvent(second, { done: true });
      assert.deepEqual(await claimed(), []);
      if (again) await handoffs.settleEvent(again, { givenUp: 'http_500', attempts: 2 });
      assert.deepEqual(
        (await claimed()).map(({ data }) => data),
        [{ of: 'm2' }],
      );
      assert.deepEqual(
        (await handoffs.events('h1', 1, 10)).map(({ number, type }) => [number, type]),
        [
          [2, 'message'],
          [3, 'message'],
        ],
      );
    });

    it('store the end together with its event for the hub', async () => {
      await handoffs.add(handoff('h1', 'c1'), event('requested'));
      await handoffs.end('h1', 'timed_out', { event: event('ended') });
      await handoffs.end('h1', 'withdrawn', { event: event('ended', 'again') });
      assert.deepEqual(
        (await handoffs.events('h1', 0, 10)).map(({ type }) => type),
        ['requested', 'ended'],
      );
    });

    it('show those who wait with the customer’s words, never with what an agent wrote, to them or to a colleague', async () => {
      const saidNow = async () => (await handoffs.get('h1'))?.said;
      await handoffs.add(handoff('h1', 'c1'), event('requested'));
      await handoffs.tell('h1', { type: 'message', key: 'theirs', data: { message: { id: '1', text: 'I was charged twice' } } });
      assert.equal(await saidNow(), 'I was charged twice');
      await handoffs.tell('h1', { type: 'said', key: 'answer', data: { message: { id: '2', text: 'The balance is in arrears' } } });
      await handoffs.tell('h1', { type: 'joined', key: 'note', data: { agent: mara, note: 'Refund the second charge' } });
      assert.equal(await saidNow(), 'I was charged twice');
    });

    it('tell when an agent first wrote, whether the customer was verified at any time, and what was sent', async () => {
      for (const id of ['h1', 'h2']) await handoffs.add(handoff(id, id), event('requested'));
      const verification = { state: 'verified' };
      const sent = { app: 'payments', status: 'success' };
      await handoffs.tell('h1', { type: 'outcome', key: 'o', data: { outcome: sent, verification } });
      await handoffs.tell('h1', { type: 'verification', key: 'v', data: { verification: { state: 'expired' } } });
      await handoffs.tell('h1', event('said'));
      await handoffs.tell('h2', { type: 'message', key: 'm', data: { verification } });
      const figures = [...(await handoffs.figures('webhook', 0))].map(([id, { firstSaid, verified }]) => [
        id,
        Boolean(firstSaid),
        verified,
      ]);
      assert.deepEqual(figures.sort(), [
        ['h1', true, true],
        ['h2', false, false],
      ]);
      assert.deepEqual(await handoffs.outcomes('webhook', 0), [{ ...sent, count: 1 }]);
    });

    it('are deleted with all their events', async () => {
      await handoffs.add(handoff('over', 'c2'), event('requested'));
      await handoffs.end('over', 'finished');
      await storage.purge(-1, new AbortController().signal);
      assert.equal(await handoffs.get('over'), undefined);
      assert.deepEqual(await handoffs.events('over', 0, 10), []);
    });

    it('are found by the hub’s own id, and checked after a hint', async () => {
      for (const id of ['h1', 'h2']) await handoffs.add(handoff(id, id), event('requested'));
      await handoffs.placed('h1', '17', 60_000);
      assert.deepEqual([(await handoffs.at('webhook', '17'))?.id, await handoffs.at('desk', '17')], ['h1', undefined]);
      assert.deepEqual(await handoffs.claimPolls('webhook', 60_000, 10), []);
      assert.deepEqual([await handoffs.hint('webhook', '17'), await handoffs.hint('webhook', '18')], [true, false]);
      const polls = await handoffs.claimPolls('webhook', 60_000, 10);
      assert.deepEqual(
        polls.map(({ handoff: { id, place }, attempts }) => [id, place, attempts]),
        [['h1', '17', 0]],
      );
      assert.deepEqual(await handoffs.claimPolls('webhook', 60_000, 10), []);
    });

    it('are checked no later because of hints that arrive meanwhile', async () => {
      await handoffs.add(handoff('h1', 'h1'), event('requested'));
      await handoffs.placed('h1', '17', 0);
      const [poll] = await handoffs.claimPolls('webhook', 60_000, 10);
      assert.ok(poll);
      await handoffs.hint('webhook', '17');
      await handoffs.placed('h1', '17', 60_000);
      await handoffs.settlePoll(poll, { again: 60_000, attempts: 3 });
      const [again] = await handoffs.claimPolls('webhook', 60_000, 10);
      assert.equal(again?.attempts, 0);
      await handoffs.settlePoll(again as typeof poll, { done: true });
      assert.equal(await handoffs.nextPoll('webhook'), undefined);
    });

    it('store how far they were read, and never go back', async () => {
      await handoffs.add(handoff('h1', 'h1'), event('requested'));
      for (const upTo of [5, 9, 7]) await handoffs.seen('h1', upTo);
      assert.equal((await handoffs.get('h1'))?.seen, 9);
    });
  });
}
