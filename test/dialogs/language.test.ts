import assert from 'node:assert/strict';
import { changedTo } from '../../dialogs/language.ts';
import { makeTextsFor } from '../../dialogs/texts.ts';
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

  it('stays that of the customer’s country if they ask for the language they have: dates too', () => {
    const textsFor = makeTextsFor();
    assert.equal(changedTo('in English please', undefined, textsFor('en-GB'), textsFor), undefined);
    assert.equal(changedTo('in English please', undefined, textsFor('es-MX'), textsFor)?.language, 'en');
  });
});
