import assert from 'node:assert/strict';
import { startConversation } from '../support/conversation-under-test.ts';

describe('a chat that others can read', () => {
  const conversation = { id: 'c-1', isGroup: true } as never;
  const bot = { id: 'bot', name: 'PayBot' };
  const start = (channelId: string) => {
    const test = Object.assign(startConversation(), { channelId });
    let member = 0;
    const happens = (fields: object) => {
      member += 1;
      return test.happens({ type: 'message', conversation, recipient: bot, from: { id: `m${member % 3}`, name: '' }, ...fields });
    };
    return { test, happens };
  };
  const mention = { type: 'mention', text: '@PayBot', mentioned: { id: 'bot', name: 'PayBot' } };

  for (const channelId of ['line', 'slack', 'telegram', 'msteams', 'groupme']) {
    it(`goes on without the bot on ${channelId}, whoever joins and whatever members say to one another`, async () => {
      const { test, happens } = start(channelId);
      for (const text of ['good morning', 'who brings cake?', 'pay', 'help', '@PayBotty hi', '/start@OtherBot', '👍', ''])
        await happens({ text });
      await happens({ type: 'conversationUpdate', text: undefined, membersAdded: [{ id: 'm4', name: 'Eve' }] });
      assert.deepEqual(test.said, []);
    });

    const addressed: [string, object][] = [
      ['a mention', { text: '@PayBot pay my bill', entities: [mention] }],
      ['the bot’s name in the text', { text: 'hey @paybot, pay my bill' }],
      ['a command', { text: '/pay' }],
      ['a command with the bot’s name', { text: '/start@PayBot' }],
      ['the bot’s arrival', { type: 'conversationUpdate', membersAdded: [bot, { id: 'm1', name: '' }] }],
    ];
    for (const [what, fields] of addressed)
      it(`gets one pointer to a private chat an hour on ${channelId}, after ${what}`, async () => {
        const { test, happens } = start(channelId);
        await happens(fields);
        assert.match(test.said.map(({ text, summary }) => text ?? summary).join(), /private chat/);
        for (let times = 0; times < 5; times += 1) await happens(fields);
        test.now += 59 * 60_000;
        await happens(fields);
        assert.equal(test.said.length, 1);
        test.now += 60_000;
        await happens(fields);
        assert.equal(test.said.length, 2);
      });
  }

  it('stores nothing of its members', async () => {
    const { test, happens } = start('telegram');
    await happens({ text: '/pay +1 202 555 0110', locale: 'es' });
    assert.deepEqual(Object.keys(test.state.memory ?? {}), ['referredAt']);
  });
});

describe('a user who asks the channel to delete their data', () => {
  it('is forgotten by the chat and reported to the operator, without an answer', async () => {
    const test = startConversation();
    await test.say('pay', '+12025550102', 'yes', 'bill', 'send');
    const said = test.said.length;
    await test.happens({ type: 'deleteUserData' });
    assert.equal(test.said.length, said);
    assert.equal(test.state.memory?.phoneNumber, undefined);
    const [line] = test.logged.map((each) => JSON.parse(each));
    assert.deepEqual([line.level, line.channel, line.interaction], ['warn', 'directline', test.sent.at(-1)?.id]);
    assert.doesNotMatch(test.logged.join(), /0102|cust-|c-1/);
  });
});
