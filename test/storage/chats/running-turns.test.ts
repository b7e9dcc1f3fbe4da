import assert from 'node:assert/strict';
import type { Claim } from '../../../src/interactions/index.ts';
import { StateConflict, type Storage } from '../../../src/storage/index.ts';
import { backends } from '../../support/backends.ts';
import { accepted, intent, succeeded } from '../../support/samples.ts';
import { until } from '../../support/until.ts';

const state = (json: object, etag?: string) => ({ key: { json: JSON.stringify(json), etag } });
const own = { name: 'i', stateKey: 'key', news: 'i', own: { chatId: 'a', activityId: 'i' } };

for (const backend of backends) {
  describe(`a turn that brings an outcome, on ${backend.kind}`, () => {
    let storage: Storage;
    let claim: Claim;
    let shown: number;
    beforeEach(async () => {
      storage = await backend.open();
      await storage.chats.open('a', 'user', 1);
      claim = await storage.interactions.record(intent('i'));
      for (const step of [accepted, succeeded]) await storage.interactions.apply(claim, step);
      shown = 0;
    });
    afterEach(() => storage.close());

    const told = async () => (await storage.interactions.get('i'))?.state;
    const kept = async () => (await storage.botState.read(['key'])).key?.json;
    const said = async () =>
      (await storage.chats.page('a', { since: 0, after: 0, limit: 100 }))?.activities.map(({ activity }) => activity.id) ?? [];
    const say = async (id: string) => {
      storage.chats.turnIn('a')?.showBy(() => {
        shown += 1;
      });
      return (await storage.chats.append('a', { id }, { dedupeKey: `bot:i:${id}` }))?.id;
    };
    const tell = (kind: 'delivered' | 'unreachable' = 'delivered') =>
      storage.interactions.markDelivered({ ...claim, conversation: 'key' }, kind);

    it('stores its messages, its state and the delivery together, and shows them once', async () => {
      const { botState, chats } = storage;
      assert.equal(await botState.answerTo(own), undefined);
      assert.equal(botState.gathers(own), true);
      await say('outcome');
      await tell();
      await say('menu');
      assert.deepEqual([await said(), await told(), await kept(), shown], [[], 'decided', undefined, 0]);
      await botState.write(state({ now: 1 }), { delivery: own, answer: {} });
      assert.deepEqual([await said(), await told(), await kept(), shown], [['outcome', 'menu'], 'delivered', '{"now":1}', 1]);
      await botState.endTurn(own);
      assert.deepEqual([botState.gathers(own), chats.turnIn('a'), shown], [false, undefined, 1]);
    });

    it('that was overtaken still stores its messages and the delivery', async () => {
      const { botState } = storage;
      await botState.write(state({ by: 'another' }));
      await botState.answerTo(own);
      await say('outcome');
      await tell();
      await assert.rejects(botState.write(state({ by: 'this' }), { delivery: own, answer: {} }), StateConflict);
      assert.equal(await told(), 'decided');
      await botState.endTurn(own);
      assert.deepEqual([await told(), await kept(), await said()], ['delivered', '{"by":"another"}', ['outcome']]);
    });

    it('that takes long stores the delivery while it runs', async () => {
      await storage.botState.answerTo(own);
      await tell();
      await until(async () => (await told()) === 'delivered', 'it to be stored');
      await storage.botState.write(state({ now: 1 }), { delivery: own, answer: {} });
      assert.equal(await kept(), '{"now":1}');
      await storage.botState.endTurn(own);
    });

    it('stores with its state that the outcome is undeliverable', async () => {
      await storage.botState.answerTo(own);
      await tell('unreachable');
      assert.equal(await told(), 'decided');
      await storage.botState.write(state({ now: 1 }), { delivery: own, answer: {} });
      assert.deepEqual([await told(), await kept()], ['undeliverable', '{"now":1}']);
      await storage.botState.endTurn(own);
    });

    it('stores its state and the delivery even if its chat is gone', async () => {
      const gone = { ...own, own: { chatId: 'gone', activityId: 'i' } };
      await storage.botState.answerTo(gone);
      await tell();
      await storage.botState.write(state({ now: 1 }), { delivery: gone, answer: {} });
      assert.deepEqual([await told(), await kept()], ['delivered', '{"now":1}']);
      await storage.botState.endTurn(gone);
    });

    it('repeats no message from before a crash', async () => {
      await storage.chats.append('a', { id: 'before' }, { dedupeKey: 'bot:i:outcome' });
      await storage.botState.answerTo(own);
      assert.equal(await say('outcome'), 'before');
      await storage.botState.write(state({}), { delivery: own, answer: {} });
      await storage.botState.endTurn(own);
      assert.deepEqual(await said(), ['before']);
    });

    it('begins once, however often it is tried', async () => {
      for (let time = 0; time < 2; time += 1) await storage.botState.answerTo(own);
      await say('outcome');
      await storage.botState.endTurn(own);
      assert.deepEqual(await said(), ['outcome']);
    });

    it('leaves nothing behind if it fails while it begins', async () => {
      const beginning = storage.botState.answerTo(own);
      await storage.botState.endTurn(own);
      await beginning;
      assert.deepEqual([storage.botState.gathers(own), storage.chats.turnIn('a')], [false, undefined]);
    });

    it('stores at once a delivery after its end, or in another conversation', async () => {
      await storage.botState.answerTo(own);
      const other = await storage.interactions.record(intent('j'));
      for (const step of [accepted, succeeded]) await storage.interactions.apply(other, step);
      await storage.interactions.markDelivered({ ...other, conversation: 'another' }, 'delivered');
      assert.equal((await storage.interactions.get('j'))?.state, 'delivered');
      await storage.botState.endTurn(own);
      await tell();
      assert.equal(await told(), 'delivered');
    });

    it('writes nothing of an interaction that another process has taken over', async () => {
      await storage.botState.answerTo(own);
      await storage.interactions.markDelivered({ ...claim, epoch: claim.epoch + 1, conversation: 'key' }, 'delivered');
      await storage.botState.endTurn(own);
      assert.equal(await told(), 'decided');
    });
  });
}
