import assert from 'node:assert/strict';
import { pickedBy } from '../../dialogs/language/recogniser.ts';
import { makeTexts } from '../../dialogs/language/texts.ts';
import { phrasesOf } from '../../dialogs/language/words.ts';
import { found, startConversation } from '../support/conversation-under-test.ts';

describe('an answer in words', () => {
  const asked = (language: string) => {
    const t = makeTexts(language);
    const choices = [
      { title: t('cards.payments.confirm.send'), value: 'send', phrases: phrasesOf(t, 'phrases.yes') },
      { title: t('cards.buttons.notNow'), value: 'cancel', phrases: phrasesOf(t, 'phrases.no') },
      { title: t('cards.buttons.change'), value: 'change', phrases: phrasesOf(t, 'phrases.change') },
      { title: t('customer.another'), value: 'another', phrases: phrasesOf(t, 'phrases.notMe') },
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
      ['just send it already', 'send'],
      ['yes, thank you dear', 'send'],
      ['ya', 'send'],
      ['no, thank you', 'cancel'],
      ["no, that's not me", 'another'],
      ['not now, please', 'cancel'],
      ['text me the link please', 'send'],
      ["don't send it", undefined],
      ['yes, but not now', undefined],
      ['yes or no?', undefined],
      ['yes, that is not me', 'another'],
      ['send it to my other phone', undefined],
      ['please', undefined],
    ],
    es: [
      ['sí, soy yo', 'send'],
      ['sí por favor', 'send'],
      ['envíala', 'send'],
      ['sí, mándelo', 'send'],
      ['vale, envíelo ya', 'send'],
      ['no, no soy yo', 'another'],
      ['ahora no, por favor', 'cancel'],
      ['no lo envíe', undefined],
      ['no la mandes', undefined],
      ['sí o no', undefined],
    ],
  };
  for (const [language, rows] of Object.entries(table))
    for (const [typed, value] of rows)
      it(`picks ${value ?? 'nothing'}: “${typed}” (${language})`, () => assert.equal(asked(language)(typed), value));

  for (const answer of ['yes', 'sí por favor'])
    it(`counts in the language of the question, and in the one that the chat has since: “${answer}”`, async () => {
      const chat = startConversation();
      await chat.say('pay for the router', '+12025550102');
      chat.locale = 'es';
      await chat.say(answer);
      assert.equal(chat.sent.length, 1);
    });

  it('is recognised by phrases that are stored by name', async () => {
    const chat = startConversation();
    await chat.say('pay for the router', '+12025550102');
    assert.doesNotMatch(JSON.stringify(chat.state), /go ahead/);
  });

  describe('that is not understood twice in a row', () => {
    const cases: [string, string, RegExp][] = [
      ['en', 'blue', /^I did not understand that\. Say “help” .*“cancel” to stop, or “agent” to talk to a person\.$/],
      ['es', 'azul', /^No le he entendido\. Diga «ayuda» .*«cancelar» para parar o «agente» para hablar con una persona\.$/],
    ];
    for (const [locale, nonsense, wayOut] of cases)
      it(`gets one line with the commands, not the whole card again (${locale})`, async () => {
        const chat = startConversation();
        chat.locale = locale;
        await chat.say('passkeys', '+12025550102');
        assert.match(await chat.say(nonsense), /M••• T\./);
        assert.match(await chat.say(nonsense), wayOut);
        assert.equal(chat.said.at(-1)?.suggestedActions?.actions.length, 3);
        assert.match(await chat.say(nonsense), wayOut);
        await chat.say(locale === 'es' ? 'ayuda' : 'help');
        assert.match(await chat.say(nonsense), /M••• T\./);
      });
  });

  describe('to a list', () => {
    const atList = async (app: string, channelId = 'directline', locale = 'en-US') => {
      const chat = startConversation();
      Object.assign(chat, { channelId, locale });
      await chat.say(app, '+12025550102');
      return chat;
    };
    for (const [app, typed, chosen] of [
      ['payments', 'my router', /Product: Router/],
      ['payments', 'I would like the router please', /Product: Router/],
      ['payments', 'the first', /Product: Bill/],
      ['e-form', 'the one about my address', /Form: Change of address/],
      ['document-signature', 'the mandate', /Document: Mandate/],
      ['payments', 'not the router', /I did not understand/],
      ['payments', 'the router or the bill', /I did not understand/],
    ] as const)
      it(`names what is meant: “${typed}”`, async () => assert.match(await (await atList(app)).say(typed), chosen));
    it('names it in Spanish', async () =>
      assert.match(await (await atList('e-form', 'directline', 'es')).say('el del domicilio'), /Formulario: Cambio/));

    it('is a number at the menu, on a card too', async () => {
      for (const channelId of ['directline', 'sms']) {
        const chat = startConversation();
        chat.channelId = channelId;
        assert.match(await chat.say('hello'), /\n4\. Pay a bill/);
        await chat.say('4', '+12025550102');
        assert.match(chat.said.at(-1)?.text, /What would you like to pay for/);
      }
    });

    it('may be the number of any button, if no card is shown', async () => {
      const chat = startConversation();
      chat.channelId = 'sms';
      await chat.say('payments');
      assert.match(await chat.say('+12025550102'), /Reply: 3\. Not now, 4\. Use another number/);
      assert.match(await chat.say('my router'), /Reply: 1\. Text me the link, 2\. Not now, 3\. Change, 4\. Use another number/);
      assert.match(await chat.say('two'), /nothing was sent/);
    });

    it('may not be a number if the buttons show none: a repeated one would answer the next question too', async () => {
      const chat = await atList('payments');
      await chat.say('my router');
      assert.match(await chat.say('1'), /I did not understand/);
      assert.equal(chat.sent.length, 0);
    });

    it('may be the number of a command, which follow the list’s own', async () => {
      const chat = startConversation();
      chat.channelId = 'sms';
      const [one] = found.customers;
      chat.found = { ...found, customers: [one, { ...one, id: 'cust-other', name: 'Avery Collins' }] as typeof found.customers };
      assert.match(await chat.say('payments', '+12025550102'), /1\. M\*{3} T\.\n2\. A\*{3} C\.\nReply: 3\. Use another number/);
      assert.match(await chat.say('3'), /Which number/);
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
