import assert from 'node:assert/strict';
import { ConversationGone, makeDirectLineConnector } from '../../src/directline/connector.ts';
import { systemClock } from '../../src/platform/time/clock.ts';
import { openNewStorage } from '../support/data-dir.ts';
import { call, chat, type DirectLineServer, startDirectLine } from '../support/direct-line.ts';

describe("the bot's side of Direct Line", () => {
  let line: DirectLineServer;
  before(async () => {
    line = await startDirectLine();
  });
  after(() => line.close());

  const texts = async (conversationId: string, token: string) =>
    (await call(line, 'GET', `/conversations/${conversationId}/activities`, token)).body.activities.map(
      ({ text }: { text?: string }) => text,
    );

  it('updates the first activity in place for a repeated delivery key', async () => {
    const { conversationId, token } = await chat(line);
    const { connector } = line.directLine;
    const post = (text: string, deliveryKey?: string) =>
      connector.post(conversationId, { type: 'message', text, ...(deliveryKey && { channelData: { deliveryKey } }) });
    const first = await post('Old buttons', 'turn-1');
    await post('Something else');
    assert.deepEqual(await post('New buttons', 'turn-1'), first);
    assert.deepEqual((await texts(conversationId, token)).slice(-2), ['New buttons', 'Something else']);
  });

  it('shows a repeat under the same delivery key once and answers the first id', async () => {
    const { conversationId, token, sees } = await chat(line);
    const { connector } = line.directLine;
    const outcome = { type: 'message', text: 'Paid', channelData: { deliveryKey: 'outcome-1', interaction: { app: 'payments' } } };
    const first = await connector.post(conversationId, outcome);
    assert.deepEqual(await connector.post(conversationId, outcome), first);
    const seen = await sees('the outcome', ({ id }) => id === first.id);
    assert.deepEqual(seen.channelData.interaction, { app: 'payments' });
    assert.equal(seen.channelData.deliveryKey, undefined);
    assert.equal((await texts(conversationId, token)).filter((text: string) => text === 'Paid').length, 1);
  });

  it("does not confuse a customer's key with the bot's", async () => {
    const { conversationId, say, sees } = await chat(line);
    await say('mine', 'outcome-1');
    const { id } = await line.directLine.connector.post(conversationId, {
      type: 'message',
      text: 'theirs',
      channelData: { deliveryKey: 'outcome-1' },
    });
    await sees('both', (activity) => activity.id === id && activity.text === 'theirs');
  });

  it('updates an activity in place, keeping its time and what it replies to', async () => {
    const { conversationId, token, say, sees, sets } = await chat(line);
    await say('one');
    const card = await sees('the answer', ({ text }) => text === 'Echo: one');
    await say('two');
    await sees('the second answer', ({ text }) => text === 'Echo: two');
    const answered = await line.directLine.connector.update(conversationId, card.id, {
      type: 'message',
      text: 'opened',
      replyToId: 'other',
      id: 'other',
    });
    assert.deepEqual(answered, { id: card.id });
    const update = await sees('the update', ({ text }) => text === 'opened');
    assert.equal(update.id, card.id);
    assert.equal(update.timestamp, card.timestamp);
    assert.equal(update.replyToId, card.replyToId);
    assert.equal(update.channelData['webchat:sequence-id'], card.channelData['webchat:sequence-id']);
    assert.notEqual(sets.at(-1)?.watermark, sets.at(-2)?.watermark);
    assert.deepEqual(await texts(conversationId, token), ['Hello', 'one', 'opened', 'two', 'Echo: two']);
  });

  it('removes an activity, leaving nothing of it but its place', async () => {
    const { conversationId, token, say, sees } = await chat(line);
    const { body } = await say('123456', 'client-1');
    await line.directLine.connector.remove(conversationId, body.id);
    const gone = await sees('the removal', ({ id, type }) => id === body.id && type === 'messageDelete');
    assert.equal(gone.text, undefined);
    assert.equal(gone.channelData.clientActivityID, 'client-1');
    assert.doesNotMatch(JSON.stringify((await texts(conversationId, token)).filter((text?: string) => text !== 'Echo: 123456')), /123456/);
    await line.directLine.connector.remove(conversationId, body.id);
    assert.equal(await line.directLine.connector.update(conversationId, body.id, { type: 'message', text: 'back' }), undefined);
  });

  it('reports an unknown activity as missing', async () => {
    const { conversationId } = await chat(line);
    assert.equal(await line.directLine.connector.update(conversationId, 'nothing', { type: 'message' }), undefined);
    await line.directLine.connector.remove(conversationId, 'nothing');
  });

  it("posts nothing in the customer's name", async () => {
    const { conversationId, token, say } = await chat(line);
    const { body } = await say('no');
    assert.equal(await line.directLine.connector.update(conversationId, body.id, { type: 'message', text: 'yes' }), undefined);
    assert.ok((await texts(conversationId, token)).includes('no'));
  });

  it('drops a replyToId that the conversation does not have', async () => {
    const { conversationId, sees } = await chat(line);
    await line.directLine.connector.post(conversationId, { type: 'message', text: 'proactive', replyToId: 'random' }, 'random');
    assert.equal((await sees('it', ({ text }) => text === 'proactive')).replyToId, undefined);
  });

  for (const act of ['post', 'update', 'remove'] as const) {
    it(`ends ${act} in an unknown conversation for good`, async () => {
      const { connector } = line.directLine;
      const attempt = {
        post: () => connector.post('nowhere', { type: 'message' }),
        update: () => connector.update('nowhere', 'x', { type: 'message' }),
        remove: () => connector.remove('nowhere', 'x'),
      }[act];
      await assert.rejects(attempt, (fault) => {
        assert.ok(fault instanceof ConversationGone);
        assert.deepEqual([fault.status, fault.code, fault.final], [404, 'conversation_not_found', true]);
        return true;
      });
    });
  }

  it('shows what it posts and updates, whichever turn begins or ends meanwhile', async () => {
    const storage = await openNewStorage();
    const { chats, botState } = storage;
    const chat = await chats.open('a', 'customer', 1);
    let shown = 0;
    const show = () => {
      shown += 1;
    };
    const signals = { notify: show, subscribe: () => () => {} };
    const parties = { botId: 'bot', botName: 'Bot' };
    const ids = Array.from({ length: 200 }, (_, index) => String(index));
    const newId = () => ids.pop() as string;
    const connector = makeDirectLineConnector({ chats, signals, parties, clock: systemClock, newId });
    const { id } = await connector.post('a', { type: 'message', text: 'Sending' });
    const acts = {
      post: () => connector.post('a', { type: 'message', text: 'Sent' }),
      update: () => connector.update('a', id, { type: 'message', text: 'Sent' }),
    };
    for (const [name, act] of Object.entries(acts)) {
      for (let ticks = 0; ticks < 60; ticks += 1) {
        const own = { chatId: 'a', activityId: `${name} ${ticks}` };
        const delivery = { name: own.activityId, stateKey: 'key', own };
        const turn = chats.gather({ chat, activityId: own.activityId, again: false, onStored: show });
        shown = 0;
        const acting = act();
        for (let tick = 0; tick < ticks; tick += 1) await null;
        await botState.answerTo(delivery);
        await botState.endTurn(delivery);
        await turn.end();
        await acting;
        assert.equal(shown, 1, `${name}, where a turn begins after ${ticks} ticks`);
      }
    }
    await storage.close();
  });
});
