import assert from 'node:assert/strict';
import { startConversation } from '../support/conversation-under-test.ts';

describe('the language of a chat', () => {
  it('is that of the first words, whatever the channel says', async () => {
    assert.match(await startConversation().say('quiero pagar'), /número de teléfono/);
  });

  it('follows a request at the menu, and stays the same while a question is open', async () => {
    const test = startConversation();
    await test.say('hello');
    assert.match(await test.say('pay'), /phone number/);
    assert.match(await test.say('quiero pagar'), /phone number/);
    await test.say('cancel');
    assert.match(await test.say('quiero pagar'), /número de teléfono/);
  });
});
