import assert from 'node:assert/strict';
import { pickedBy } from '../../dialogs/picking.ts';
import { phrasesOf } from '../../dialogs/recogniser.ts';
import { makeTexts } from '../../dialogs/texts.ts';
import { startConversation } from '../support/conversation-under-test.ts';

describe('an answer in words', () => {
  const asked = (language: string) => {
    const t = makeTexts(language);
    const choices = [
      { title: t('cards.buttons.send'), value: 'send', phrases: phrasesOf(t, 'phrases.yes') },
      { title: t('cards.buttons.change'), value: 'change', phrases: phrasesOf(t, 'phrases.change') },
      { title: t('cards.buttons.cancel'), value: 'cancel', phrases: phrasesOf(t, 'phrases.no') },
    ];
    return (typed: string) => pickedBy(typed, { choices }, t)?.value;
  };
  const table: Record<'en' | 'es', [string, string | undefined][]> = {
    en: [
      ['yes', 'send'],
      ['yes please', 'send'],
      ["yes that's me", 'send'],
      ['yes, that is me', 'send'],
      ["yes it's me", 'send'],
      ['Yes, I am', 'send'],
      ['yes, send it', 'send'],
      ['ok send', 'send'],
      ['can you send it now?', 'send'],
      ['please change it', 'change'],
      ['no, thank you', 'cancel'],
      ["no, that's not me", 'cancel'],
      ['please cancel it', 'cancel'],
      ["don't send it", undefined],
      ['yes, but not now', undefined],
      ['yes or no?', undefined],
      ['yes, that is not me', 'cancel'],
      ['send it to my other phone', undefined],
      ['please', undefined],
    ],
    es: [
      ['sí, soy yo', 'send'],
      ['sí por favor', 'send'],
      ['envíala', 'send'],
      ['sí, mándelo', 'send'],
      ['vale, envíelo ya', 'send'],
      ['no, no soy yo', 'cancel'],
      ['cancelar, por favor', 'cancel'],
      ['no lo envíe', undefined],
      ['no la mandes', undefined],
      ['sí o no', undefined],
    ],
  };
  for (const [language, rows] of Object.entries(table))
    for (const [typed, value] of rows)
      it(`picks ${value ?? 'nothing'}: “${typed}” (${language})`, () => assert.equal(asked(language)(typed), value));

  describe('that is not understood twice in a row', () => {
    const cases: [string, string, string, RegExp][] = [
      ['en', 'yes', 'blue', /^I did not understand that\. Say “help” .*“cancel” to stop, or “agent” to talk to a person\.$/],
      ['es', 'sí', 'azul', /^No le he entendido\. Diga «ayuda» .*«cancelar» para parar o «agente» para hablar con una persona\.$/],
    ];
    for (const [locale, yes, nonsense, wayOut] of cases)
      it(`is answered with the ways out in one line, not with the whole card (${locale})`, async () => {
        const chat = startConversation();
        chat.locale = locale;
        await chat.say('passkeys', '+12025550102');
        assert.match(await chat.say(nonsense), /M••• T\./);
        assert.match(await chat.say(nonsense), wayOut);
        assert.equal(chat.said.at(-1)?.suggestedActions?.actions.length, 3);
        assert.match(await chat.say(nonsense), wayOut);
        await chat.say(locale === 'es' ? 'ayuda' : 'help');
        assert.match(await chat.say(nonsense), /M••• T\./);
        await chat.say(yes);
        assert.match(await chat.say(nonsense), /E-mail|Correo/);
      });
  });

  const places: Record<'en' | 'es', [string, number | undefined][]> = {
    en: [
      ['2', 1],
      ['two', 1],
      ['the second one', 1],
      ['number 3 please', 2],
      ['the 1st', 0],
      ['I want the third', 2],
      ['4', undefined],
      ['0', undefined],
      ['two or three', undefined],
      ['second hand', undefined],
    ],
    es: [
      ['la primera', 0],
      ['el segundo, por favor', 1],
      ['la opción tres', 2],
      ['quiero la 2ª', 1],
      ['cuatro', undefined],
    ],
  };
  for (const [language, rows] of Object.entries(places))
    for (const [typed, place] of rows)
      it(`picks ${place === undefined ? 'no place' : `place ${place}`} of three: “${typed}” (${language})`, () => {
        const choices = ['Router', 'Pass', 'Bill'].map((title) => ({ title }));
        assert.equal(pickedBy(typed, { choices, numbered: 3 }, makeTexts(language)), place === undefined ? undefined : choices[place]);
        assert.equal(pickedBy(typed, { choices }, makeTexts(language)), undefined);
      });
});
