import assert from 'node:assert/strict';
import { type ConversationUnderTest, startConversation } from '../support/conversation-under-test.ts';

describe('a number from the customer’s profile', () => {
  let test: ConversationUnderTest;
  beforeEach(() => {
    test = Object.assign(startConversation(), { channelId: 'msteams', callerNumber: '+12025550102' });
  });

  it('is shown masked and confirmed before anybody is looked up by it, once in a chat', async () => {
    assert.match(await test.say('pay'), /Is \+1•••0102 your phone number\?/);
    assert.deepEqual(test.lookups, []);
    assert.match(await test.press('Yes'), /M••• T\./);
    assert.deepEqual(test.lookups, ['+12025550102']);
    await test.say('cancel');
    assert.match(await test.say('sign a document'), /M••• T\./);
  });

  it('is confirmed in words too, and replaced by any number that is typed', async () => {
    await test.say('pay');
    assert.match(await test.say('yes'), /M••• T\./);
    const other = Object.assign(startConversation(), { channelId: 'msteams', callerNumber: '+12025550102' });
    await other.say('pay');
    assert.match(await other.say('no, it is 202 555 0110'), /M••• T\./);
    assert.deepEqual(other.lookups, ['+12025550110']);
  });

  it('is replaced by another if the customer says so, and not offered again', async () => {
    await test.say('pay');
    assert.match(await test.press('Use another number'), /Which number should I try instead\?/);
    assert.match(await test.say('+12025550110'), /M••• T\./);
    assert.deepEqual(test.lookups, ['+12025550110']);
    assert.deepEqual(
      test.said.filter(({ text }) => /0102/.test(text)).map(({ text }) => text),
      [test.said.find(({ text }) => /0102/.test(text))?.text],
    );
  });

  it('is asked about again if what was typed is no answer', async () => {
    await test.say('pay');
    assert.match(await test.say('what do you mean'), /did not understand[\s\S]*Is \+1•••0102 your phone number\?/);
  });

  it('needs no confirmation if the channel identifies users by number, or its token names one', async () => {
    for (const channelId of ['sms', 'directline'])
      assert.match(await Object.assign(startConversation(), { channelId, callerNumber: '+12025550102' }).say('pay'), /M(•••|\*{3}) T\./);
  });
});
