import assert from 'node:assert/strict';
import { type Chat, StateConflict, type Storage, type StoredPart } from '../../../src/storage/index.ts';
import { backends } from '../../support/backends.ts';
import { accepted, intent, succeeded } from '../../support/samples.ts';
import { until } from '../../support/until.ts';

const state = (json: object, etag?: string) => ({ key: { json: JSON.stringify(json), etag } });
const delivery = { name: 'delivery', stateKey: 'key', own: { chatId: 'a', activityId: 'asked' } };
const answered = { delivery, answer: {} };

for (const backend of backends) {
  describe(`a turn whose writes are collected, on ${backend.kind}`, () => {
    let storage: Storage;
    let chat: Chat;
    let stored: number;
    let part: StoredPart | undefined;
    beforeEach(async () => {
      storage = await backend.open();
      chat = await storage.chats.open('a', 'user', 1);
      await storage.chats.append('a', { id: 'card', text: 'choose' });
      await storage.chats.append('a', { id: 'asked' }, { awaitsTurn: true });
      stored = 0;
    });
    afterEach(() => storage.close());

    const gather = (again = false) =>
      storage.chats.gather({
        chat,
        activityId: 'asked',
        again,
        onStored: (now) => {
          stored += 1;
          part = now;
        },
      });
    const said = async () => {
      const { activities = [] } = (await storage.chats.page('a', { since: 0, after: 0, limit: 100 })) ?? {};
      return activities.map(({ activity }) => activity.text ?? activity.id);
    };
    const isWaiting = async () => (await storage.chats.awaiting('a', 'asked')) !== undefined;

    it('stores its messages, changes and state at once, which settles it', async () => {
      const { botState, chats } = storage;
      const turn = gather();
      assert.equal(await botState.answerTo(delivery), undefined);
      assert.equal(botState.gathers(delivery), true);
      assert.deepEqual(await chats.append('a', { id: '1', text: 'one' }, { dedupeKey: 'bot:asked:1' }), {
        id: '1',
        added: true,
        awaitsTurn: false,
      });
      await chats.append('a', { id: '2', text: 'two' }, { dedupeKey: 'bot:asked:2' });
      assert.equal(await chats.replace('a', 'card', (before) => ({ ...before, text: 'chosen' })), true);
      assert.equal(await chats.replace('a', 'nothing', (before) => before), false);
      assert.deepEqual([await said(), stored], [['choose', 'asked'], 0]);

      await botState.write(state({ now: 1 }), answered);
      assert.deepEqual([await said(), stored], [['chosen', 'asked', 'one', 'two'], 1]);
      assert.equal((await botState.read(['key'])).key?.json, '{"now":1}');
      assert.deepEqual([turn.settled, await isWaiting()], [true, false]);
      assert.equal((await chats.get('a'))?.watermark, 5);
      // Who shows what was stored shows what would be read.
      const read = await chats.page('a', { since: 2, after: 0, limit: 100 });
      assert.deepEqual({ since: 2, watermark: read?.watermark, activities: read?.activities }, part);
      await botState.endTurn(delivery);
      await turn.end();
      assert.equal(botState.gathers(delivery), false);
      assert.equal(stored, 1);
    });

    it('shows nothing if nothing was said', async () => {
      const turn = gather();
      await storage.botState.answerTo(delivery);
      await storage.botState.write(state({ now: 1 }), answered);
      assert.deepEqual([stored, turn.settled, await isWaiting()], [0, true, false]);
      await turn.end();
    });

    it('ends without harm to the next one in its chat, however late', async () => {
      const { botState, chats } = storage;
      const begin = async (activityId: string) => {
        const turn = chats.gather({ chat, activityId, again: false });
        await botState.answerTo({ ...delivery, own: { chatId: 'a', activityId } });
        return turn;
      };
      const first = await begin('asked');
      for (const activityId of ['asked', 'next']) {
        const second = await begin(activityId);
        await first.end();
        assert.equal(chats.turnIn('a'), second);
        assert.equal(botState.gathers({ ...delivery, own: { chatId: 'a', activityId } }), true);
        await second.end();
        assert.equal(chats.turnIn('a'), undefined);
      }
    });

    it('begins the chat with its greeting, once', async () => {
      const { botState, chats } = storage;
      const started = { name: 'start', stateKey: 'key', own: { chatId: 'a', activityId: 'a|start' } };
      const begin = () => chats.gather({ chat, activityId: 'a|start', again: true, begins: true, onStored: () => {} });
      const turn = begin();
      assert.equal(await botState.answerTo(started), undefined);
      await chats.append('a', { id: '1', text: 'Hello' }, { dedupeKey: 'bot:start:1' });
      assert.deepEqual([(await chats.get('a'))?.started, await said()], [false, ['choose', 'asked']]);
      await botState.write(state({ greeted: true }), { delivery: started, answer: {} });
      assert.deepEqual([(await chats.get('a'))?.started, await said(), turn.settled], [true, ['choose', 'asked', 'Hello'], true]);
      assert.equal(await isWaiting(), true);
      await turn.end();
      const second = begin();
      assert.deepEqual(await botState.answerTo(started), {});
      await second.end();
    });

    it('posts a repeated key once, and nothing from an earlier attempt again', async () => {
      const { botState, chats } = storage;
      await chats.append('a', { id: 'earlier', text: 'one' }, { dedupeKey: 'bot:asked:1' });
      const turn = gather(true);
      await botState.answerTo(delivery);
      const say = async (id: string, dedupeKey: string) => (await chats.append('a', { id, text: id }, { dedupeKey }))?.id;
      assert.deepEqual([await say('1', 'bot:asked:1'), await say('2', 'bot:x'), await say('3', 'bot:x')], ['earlier', '2', '2']);
      await botState.write(state({}), answered);
      assert.deepEqual(await said(), ['choose', 'asked', 'one', '2']);
      await turn.end();
    });

    it('does not begin if another process finished it while it waited for the lock', async () => {
      gather(true);
      assert.equal(await storage.botState.answerTo(delivery), undefined);
      await storage.chats.settle('a', 'asked');
      assert.deepEqual(await storage.botState.answerTo(delivery), {});
    });

    it('that was overtaken writes no state and changes no card; its posted messages stay', async () => {
      const { botState, chats } = storage;
      await botState.write(state({ by: 'another' }));
      const turn = gather();
      await botState.answerTo(delivery);
      await chats.append('a', { id: '1', text: 'one' });
      await chats.replace('a', 'card', (before) => ({ ...before, text: 'chosen' }));
      await assert.rejects(botState.write(state({ by: 'this' }), answered), StateConflict);
      assert.deepEqual([await said(), await isWaiting()], [['choose', 'asked'], true]);
      await botState.endTurn(delivery);
      assert.deepEqual([await said(), turn.settled, await isWaiting()], [['choose', 'asked', 'one'], false, true]);
      assert.equal((await botState.read(['key'])).key?.json, '{"by":"another"}');
      await turn.end();
    });

    it('shows what it said while it still runs, if it takes long', async () => {
      const turn = gather();
      await storage.botState.answerTo(delivery);
      await storage.chats.append('a', { id: '1', text: 'one moment' });
      await until(async () => (await said()).includes('one moment'), 'the first words of a slow turn');
      assert.deepEqual([stored, turn.settled], [1, false]);
      await storage.chats.append('a', { id: '2', text: 'done' });
      await storage.botState.write(state({}), answered);
      assert.deepEqual(await said(), ['choose', 'asked', 'one moment', 'done']);
      await turn.end();
    });

    it('stores the delivery of an outcome together with its message', async () => {
      const { botState, chats, interactions } = storage;
      const claim = await interactions.record(intent('i', { conversation: 'key' }));
      for (const step of [accepted, succeeded]) await interactions.apply(claim, step);
      const turn = gather();
      await botState.answerTo(delivery);
      await chats.append('a', { id: '1', text: 'paid' });
      await interactions.markDelivered({ ...claim, conversation: 'key' }, 'delivered');
      assert.deepEqual([await said(), (await interactions.get('i'))?.state], [['choose', 'asked'], 'decided']);
      await botState.write(state({}), answered);
      assert.deepEqual([await said(), (await interactions.get('i'))?.state], [['choose', 'asked', 'paid'], 'delivered']);
      await turn.end();
    });

    it('updates and removes messages of its own', async () => {
      const { botState, chats } = storage;
      const turn = gather();
      await botState.answerTo(delivery);
      await chats.append('a', { id: '1', text: 'wrong' });
      await chats.replace('a', '1', (before) => ({ ...before, text: 'right' }));
      await chats.append('a', { id: '2', text: 'wrong' });
      await chats.takeBack('a', '2', ({ id }) => ({ id, text: 'gone' }));
      await botState.write(state({}), answered);
      assert.deepEqual(await said(), ['choose', 'asked', 'right', 'gone']);
      await turn.end();
    });

    it('does not collect messages from before it has the lock, from after its end, or by the customer', async () => {
      const { botState, chats } = storage;
      const turn = gather();
      await chats.append('a', { id: '1', text: 'before' });
      assert.deepEqual(await said(), ['choose', 'asked', 'before']);
      await botState.answerTo(delivery);
      await chats.append('a', { id: '2', text: 'meanwhile' }, { awaitsTurn: true });
      assert.deepEqual(await said(), ['choose', 'asked', 'before', 'meanwhile']);
      await botState.endTurn(delivery);
      await chats.append('a', { id: '3', text: 'after' });
      assert.deepEqual(await said(), ['choose', 'asked', 'before', 'meanwhile', 'after']);
      await turn.end();
    });

    it('loses no update, whenever it is made during the turn’s end', async () => {
      const { botState, chats } = storage;
      for (let step = 0; step < 40; step += 1) {
        const own = { chatId: 'a', activityId: `asked ${step}` };
        await chats.append('a', { id: own.activityId }, { awaitsTurn: true });
        const turn = chats.gather({ chat, activityId: own.activityId, again: false, onStored: () => {} });
        const mine = { ...delivery, own };
        await botState.answerTo(mine);
        const { etag } = (await botState.read(['key'])).key ?? {};
        const ending = botState
          .write(state({ step }, etag), { delivery: mine, answer: {} })
          .then(() => botState.endTurn(mine))
          .then(() => turn.end());
        for (let tick = 0; tick < step; tick += 1) await null;
        if (step % 5 === 4) await new Promise(setImmediate);
        const text = `changed at ${step}`;
        assert.equal(await chats.replace('a', 'card', (before) => ({ ...before, text })), true, text);
        await ending;
        assert.equal((await said())[0], text);
      }
    });

    it('can update a message that is being stored', async () => {
      const { botState, chats } = storage;
      for (let step = 0; step < 20; step += 1) {
        const turn = gather();
        await botState.answerTo(delivery);
        const id = `said ${step}`;
        await chats.append('a', { id, text: 'wrong' });
        const ending = botState.endTurn(delivery);
        for (let tick = 0; tick < step; tick += 1) await null;
        assert.equal(await chats.replace('a', id, (before) => ({ ...before, text: `right ${step}` })), true, id);
        await ending;
        await turn.end();
        assert.equal((await said()).at(-1), `right ${step}`);
      }
    });

    it('fails if its chat is gone', async () => {
      const { botState, chats } = storage;
      const turn = gather();
      await botState.answerTo(delivery);
      await chats.append('a', { id: '1' });
      await storage.purge(-1, AbortSignal.timeout(10_000));
      await assert.rejects(botState.write(state({}), answered), { code: 'chat_gone' });
      assert.deepEqual(await botState.read(['key']), {});
      await assert.rejects(turn.end(), { code: 'chat_gone' });
    });
  });
}
