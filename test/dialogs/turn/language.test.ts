import assert from 'node:assert/strict';
import { makeTextsFor } from '../../../dialogs/language/texts.ts';
import { changedTo } from '../../../dialogs/turn/language.ts';
import { startConversation } from '../../support/conversation-under-test.ts';

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

describe('the language of a customer of Telegram', () => {
  // core.telegram.org/bots/api#user; the channel sends no locale.
  const from = (language_code: unknown) => ({ channelData: { message: { from: { id: 7, language_code } } } });
  const start = () => Object.assign(startConversation(), { channelId: 'telegram', locale: undefined });

  it('is that of their app, until they write in another', async () => {
    const test = start();
    assert.match(await test.happens({ type: 'message', text: '/start', ...from('es') }), /^¡Hola!/);
    await test.happens({ type: 'message', text: 'pay a bill', ...from('es') });
    assert.match(await test.happens({ type: 'message', text: 'x', ...from('es') }), /number/);
  });

  it('is the usual one if the app names none', async () => {
    for (const code of [undefined, '', {}, '../es', 'x'.repeat(99)])
      assert.match(await start().happens({ type: 'message', text: '/start', ...from(code) }), /^Hello!/, String(code));
  });
});
