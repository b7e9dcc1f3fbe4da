import assert from 'node:assert/strict';
import { startConversation } from '../support/conversation-under-test.ts';

describe('the keyboard for an answer', () => {
  const takesOf = (chat: ReturnType<typeof startConversation>) => chat.said.at(-1)?.channelData?.takes;

  it('is that of numbers while our own page’s chat asks for a phone number, also after a slip, and no longer', async () => {
    const chat = startConversation();
    await chat.say('menu');
    assert.equal(takesOf(chat), undefined);
    for (const words of ['payments', 'hm', 'what', '12']) {
      await chat.say(words);
      assert.equal(takesOf(chat), 'tel', words);
    }
    await chat.say('+12025550102');
    assert.equal(takesOf(chat), undefined);
  });

  it('is named on no other channel', async () => {
    const chat = startConversation();
    chat.channelId = 'msteams';
    await chat.say('payments');
    assert.doesNotMatch(JSON.stringify(chat.said), /"takes"/);
  });
});
