import assert from 'node:assert/strict';
import { namedIn } from '../../../dialogs/language/recogniser.ts';
import { makeTexts } from '../../../dialogs/language/texts.ts';
import { openChannel } from '../../support/channel.ts';
import { channelTalk } from '../../support/channel-talk.ts';
import { type Talk, talkTo } from '../../support/talk.ts';
import { startWhole, type Whole } from '../../support/whole.ts';

describe('words said in answer to a question', () => {
  let whole: Whole;
  before(async () => {
    whole = await startWhole({ turnRate: { points: 100_000, seconds: 1 } });
  });
  after(() => whole.close());

  /** As far as the first blank of a document. */
  const fillingIn = async () => {
    const talk = await talkTo(whole);
    for (const words of ['sign a document', '+12025550102', 'Direct debit mandate']) await talk.say(words);
    await talk.sees(/Fill in the document/);
    return talk;
  };

  for (const value of ['Travel agent', '5 Progress Street', 'No Human Ltd', 'Ms Stop Again', 'Invoice Payments Ltd', 'español'])
    it(`count as the value if free text is asked for: “${value}”`, async () => {
      const talk = await fillingIn();
      await talk.say(value);
      await talk.sees(/Next: Last four digits/);
    });

  const commands: [string, RegExp][] = [
    ['agent', /Nobody can join/],
    ['Agent, please!', /Nobody can join/],
    ['I want to talk to a person', /Nobody can join/],
    ['status', /Nothing has been sent yet/],
    ['cancel', /nothing was sent/],
  ];
  for (const [words, answer] of commands)
    it(`count as a command there if they are nothing else: “${words}”`, async () => {
      const talk = await fillingIn();
      await talk.say(words);
      await talk.sees(answer);
    });
});

describe('a wish in the customer’s own words', () => {
  let whole: Whole;
  before(async () => {
    whole = await startWhole({ turnRate: { points: 100_000, seconds: 1 } });
  });
  after(() => whole.close());

  const newest = (talk: Talk) => talk.messages().at(-1);

  it('can include the phone number', async () => {
    const talk = await talkTo(whole);
    await talk.say('send a code to +1 202 555 0110');
    await talk.sees(/S••• H\./);
    assert.ok(!talk.messages().some(({ text }) => /What is your phone number/.test(text)));
  });

  it('counts a number that it brings like one that was asked for', async () => {
    const talk = await talkTo(whole);
    // As many as the limit of a bot that only this machine can reach (compose/limits.ts).
    for (let number = 0; number < 100; number += 1) await talk.say(`send a code to +1 202 555 ${2000 + number}`);
    await talk.sees(/could not find anyone/);
    await talk.say('send a code to +1 202 555 3000');
    await talk.sees(/too many searches/);
  });

  it('can include what it is about, which can still be changed', async () => {
    const talk = await talkTo(whole);
    for (const words of ['I want to pay for the charging pass', '+12025550102']) await talk.say(words);
    await talk.sees(/Pay \S+ on your phone[\s\S]*Product: Charging pass/);
    await talk.say('change');
    await talk.sees(/What would you like to pay for\?/);
  });

  it('leads to the form for that purpose', async () => {
    const talk = await talkTo(whole);
    for (const said of ["I'd like to give you some feedback", '+12025550102']) await talk.say(said);
    await talk.sees(/Fill in this form on your phone[\s\S]*Form: Feedback/);
  });

  it('leads to a flow, if it contains one of its phrases', async () => {
    const talk = await talkTo(whole);
    for (const said of ['I need to chnage my address', '+12025550102']) await talk.say(said);
    await talk.sees(/Confirm with your passkey/);
  });

  it('leads to the form that it names', async () => {
    const talk = await talkTo(whole);
    for (const words of ['the form for opinions, I mean Feedback', '+12025550102']) await talk.say(words);
    await talk.sees(/Fill in this form on your phone[\s\S]*Form: Feedback/);
  });

  it('may contain two requests, which are carried out in their order', async () => {
    const talk = await talkTo(whole);
    await talk.say('pay my bill and then give you feedback');
    await talk.sees(/first “Pay a bill”, then “Fill in a form”/);
    for (const words of ['+12025550110', '1']) await talk.say(words);
    assert.equal((await talk.outcome()).channelData.interaction.app, 'payments');
    await talk.sees(/And now: “Fill in a form”/);
    await talk.sees(/Fill in this form on your phone[\s\S]*S••• H\.[\s\S]*Feedback/);
    assert.ok(
      !talk
        .messages()
        .slice(1)
        .some(({ text }) => /What would you like to do\?/.test(text)),
    );
    await talk.say('send');
    await talk.sees(/What would you like to do\?/);
  });

  it('may contain two requests while another is being asked about', async () => {
    const talk = await talkTo(whole);
    await talk.say('e-form');
    await talk.say('no, I want to pay my bill and then sign a contract');
    await talk.sees(/first “Pay a bill”, then “Sign a document”/);
    await talk.say('cancel');
    await talk.sees(/nothing was sent/);
    for (const words of ['form', '+12025550110', '3']) await talk.say(words);
    await talk.outcome();
    await talk.sees(/What would you like to do\?/);
  });

  it('is understood in the first words of a chat, in another language than the channel’s', async () => {
    const channel = await openChannel();
    try {
      const talk = channelTalk(whole, channel, { conversation: 'first-words', user: 'user-1', locale: 'en-US' });
      await talk.say('quiero pagar mi factura');
      await talk.sees(/¿Cuál es su número de teléfono\?/);
    } finally {
      await channel.close();
    }
  });

  const things = [
    { title: 'Invoice 4711, October', value: 'a1' },
    { title: 'Invoice 4712, November', value: 'b-0815' },
    { title: 'Electricity contract', value: 'c3' },
    { title: 'Gas contract', value: 'd4' },
  ];
  const named: [string, string | undefined][] = [
    ['pay invoice 4711', 'a1'],
    ['pay 0815', 'b-0815'],
    ['pay the one of november', 'b-0815'],
    ['sign the gas contract', 'd4'],
    ['sign the contract', undefined],
    ['pay invoice 47', undefined],
    ['pay invoice 9999 of october', undefined],
    ['pay my invoice', undefined],
    ['pay my electricity and gas', 'c3'],
  ];
  for (const [words, value] of named)
    it(`names ${value ?? 'nothing in particular'}: “${words}”`, () => assert.equal(namedIn(words, things, makeTexts('en'))?.value, value));

  it('never treats a number as a position in a list', () => {
    const places = [
      { title: 'Router', value: 0 },
      { title: 'Pass', value: 1 },
    ];
    assert.equal(namedIn('pay invoice 1', places, makeTexts('en')), undefined);
  });

  describe('small talk', () => {
    const remarks: [string, RegExp][] = [
      ['Hello', /^Hello! What can I do for you\?$/],
      ['thanks!', /^You are welcome!$/],
      ['no', /^All right\./],
      ['bye', /^Goodbye! Write/],
      ['is this a scam?', /never ask for card numbers or your account password[\s\S]*two-digit code/],
      ['am I verified?', /^No, you are not verified/],
      ['I want to verify my identity', /confirm here in the chat that it is you.*“passkey” or “code”/],
      ['I forgot my password', /cannot log you in.*or reset a password.*“passkey” or “code”/],
      ['in English please', /let us go on in English/],
      ['em português', /^I speak English, German, Spanish, French, Arabic,? and Japanese\.$/],
      ['blue', /^I did not understand that\. .*“menu”/],
    ];
    for (const [words, answer] of remarks)
      it(`is answered in a line, without the whole menu: “${words}”`, async () => {
        const talk = await talkTo(whole);
        const before = talk.messages().length;
        await talk.say(words);
        const line = await talk.sees(answer);
        assert.equal(talk.messages().length, before + 1);
        assert.deepEqual(
          line.suggestedActions.actions.map(({ value }: { value: string }) => value),
          ['Menu'],
        );
        await talk.press(/^Pay a bill/);
        await talk.sees(/phone number/);
      });

    it('is answered in the middle of a question, which is then asked again', async () => {
      const talk = await talkTo(whole);
      await talk.say('pay');
      for (const [words, answer] of remarks.filter(([words]) => !['no', 'bye', 'blue', 'in English please'].includes(words))) {
        await talk.say(words);
        await talk.sees(answer);
        await talk.sees(/phone number/);
      }
      for (const [words, answer, question] of [
        ['en español, por favor', /sigamos en español/, /número de teléfono/],
        ['auf Deutsch bitte', /auf Deutsch weiter/, /Telefonnummer/],
        ['en français', /continuons en français/, /numéro de téléphone/],
        ['بالعربية', /لنتابع بالعربية/, /رقم هاتفك/],
        ['日本語で', /日本語で続けましょう/, /電話番号/],
      ] as const) {
        await talk.say(words);
        await talk.sees(answer);
        await talk.sees(question);
      }
    });

    it('ends the open question if it is goodbye', async () => {
      const talk = await talkTo(whole);
      for (const words of ['pay', 'bye']) await talk.say(words);
      await talk.sees(/^Goodbye! Write/);
      await talk.say('+12025550110');
      await talk.sees(/How can I help you\?|What would you like to do\?/);
    });

    it('is answered while a request waits, which goes on', async () => {
      const talk = await talkTo(whole);
      for (const words of ['passkey', '+12025550113', 'send', 'is this a scam?']) await talk.say(words);
      await talk.sees(/two-digit code/);
      await talk.say('status');
      await talk.sees(/It stays valid/);
      await talk.say('cancel');
    });

    it('includes asking how long the verification lasts, which goodbye ends', async () => {
      const talk = await talkTo(whole);
      for (const words of ['passkey', '+12025550110', 'send']) await talk.say(words);
      await talk.outcome();
      await talk.sees(/What would you like to do\?/);
      await talk.say('Am I verified now?');
      await talk.sees(/^Yes, you are verified in this chat until .*\d.*with a passkey\.$/);
      await talk.say("That's all, thanks");
      await talk.sees(/no longer verified/);
      await talk.say('am I verified?');
      await talk.sees(/^No, you are not verified/);
    });

    it('is offered a person or the menu when it is not understood twice in a row', async () => {
      const talk = await talkTo(whole);
      for (const [words, offers] of [
        ['blue', ['Menu']],
        ['green', ['Talk to a person', 'Menu']],
        ['thanks', ['Menu']],
        ['red', ['Menu']],
      ] as const) {
        await talk.say(words);
        const { actions } = newest(talk).suggestedActions;
        assert.deepEqual(
          actions.map(({ value }: { value: string }) => value),
          offers,
        );
      }
      await talk.say('Menu');
      await talk.sees(/4\. Pay a bill/);
    });
  });
});
