import assert from 'node:assert/strict';
import { type ChannelTalk, channelTalk } from '../support/channel-talk.ts';
import { openWorld, rulesFile, type World } from '../support/hubs.ts';
import { until } from '../support/until.ts';
import { wordsOf } from '../support/words.ts';

const closed = () => rulesFile('hours: { timeZone: Europe/Madrid, days: {} }\n');

describe('a message for agents who are not there', () => {
  let world: World;
  before(async () => {
    world = await openWorld('webhook', { HANDOFF_FILE: closed(), AGENT_CONTACT: '' });
  });
  beforeEach(() => world.nextChat());
  after(() => world.close());

  const says = async (...words: string[]) => {
    for (const text of words) await world.talk.say(text);
    return world.said().at(-1) ?? '';
  };
  const notes = () => world.events('requested').map(({ data }) => data.note);
  const taken = async (note: string) => {
    await until(() => notes().length > 0, 'the message');
    assert.deepEqual(notes(), [note]);
    assert.match(world.said().at(-1) ?? '', /I have passed on your message/);
  };

  for (const note of [
    'Please call me, I cannot pay my bill this month',
    'My husband is hurt, please do not send a form, call me as soon as possible',
    'sign nothing for me, and no passcodes!',
    'Somebody is using my card, this is fraud',
    `It is a long story. ${'And then it went on. '.repeat(150)}`.trim(),
    'call +1 202 555 0188',
  ])
    it(`is what the customer writes next, whatever it mentions: ${note.slice(0, 40)}`, async () => {
      assert.match(await says('agent'), /You can leave a message/);
      await says(note);
      await taken(note);
    });

  it('is offered to who cannot pay, and no payment is', async () => {
    assert.match(await says('I lost my job and cannot pay'), /You can leave a message/);
    assert.ok(world.said().some((text) => /Our team can look for a way with you/.test(text)));
    assert.doesNotMatch(world.said().join('\n'), /phone number/);
    await says('Call me about my bill, please');
    await taken('Call me about my bill, please');
  });

  it('is taken after the button “Leave a message”, word for word, and the other button goes back to the menu', async () => {
    await says('agent');
    await world.talk.submit(world.talk.button('Leave a message'));
    await world.talk.sees(/Please write your message in one go/);
    await says('Do not call me, write to me');
    await taken('Do not call me, write to me');
    world.nextChat();
    await says('agent');
    await world.talk.submit(world.talk.button('Back'));
    assert.match(world.said().at(-1) ?? '', /Confirm it’s you|Pay a bill/);
    assert.equal(notes().length, 0);
    assert.match(await says('pay'), /your phone number/i);
  });

  it('is not a choice of the menu, a command, a courtesy, or a number for the open question', async () => {
    await says('payments', 'agent', 'thanks');
    await says('+12025550102');
    await world.talk.sees(/\S••• \S\./);
    await says('agent', 'status', 'agent', 'cancel', 'agent', 'menu', 'agent', 'Pay a bill');
    assert.match(world.said().at(-1) ?? '', /M••• T\./);
    assert.equal(notes().length, 0);
  });

  it('may be followed by more, which is added to it, once', async () => {
    await says('agent', 'My meter is wrong');
    assert.match(await says('the number on it is E 47 11'), /I have added that to your message/);
    await says('agent');
    assert.match(await says('and it hums'), /added that to your message/);
    const added = () => world.events('message').map(({ data }) => data.message.text);
    await until(() => added().length === 2, 'both');
    assert.deepEqual([notes(), added()], [['My meter is wrong'], ['the number on it is E 47 11', 'and it hums']]);
  });

  it('reaches agents without the card number and the code in it', async () => {
    await says('agent', 'charge 4111 1111 1111 1111 only once, my code is 483 920, and cancel order 55');
    await taken('charge •••• •••• •••• •••• only once, my code is ••••••, and cancel order 55');
    assert.ok(world.said().some((said) => /card number\. I pass on your message without it/.test(said)));
    assert.doesNotMatch(JSON.stringify(world.platform.events), /4111.?1111|483.?920/);
  });

  it('is said once to agents: beside it stands only what was said before', async () => {
    await says('hello', 'agent', 'My meter is wrong');
    await taken('My meter is wrong');
    assert.doesNotMatch(JSON.stringify(world.transcript()), /My meter is wrong/);
    assert.match(JSON.stringify(world.transcript()), /hello/);
  });

  it('that the hub refuses is reported as lost, and not asked for again', async () => {
    world.platform.answer = 410;
    await says('agent', 'My meter is wrong');
    await until(() => world.said().some((said) => /could not be passed on, so nobody has read it/.test(said)), 'the truth');
    world.platform.answer = 204;
    assert.doesNotMatch(world.said().at(-1) ?? '', /leave a message/);
  });

  for (const channelId of ['sms', 'telephony']) {
    const talkOn = (id: string): ChannelTalk =>
      channelTalk(world.whole, world.channel, { conversation: `${channelId}-${id}`, user: `${channelId}-${id}`, channelId });
    const last = (talk: ChannelTalk) =>
      wordsOf(
        talk
          .replies()
          .filter(({ type }) => type === 'message')
          .at(-1),
      );

    it(`can be left by number or in words on a channel without buttons (${channelId})`, async () => {
      const [numbers, words] = [talkOn('1'), talkOn('2')];
      await numbers.say('agent');
      assert.match(last(numbers), /1\W+.*Leave a message.*2\W+.*Back|1 for Leave a message/s);
      await numbers.say('1');
      assert.match(last(numbers), /your message in one go/);
      await numbers.say('My meter is wrong');
      assert.match(last(numbers), /passed on your message/);
      await words.say('agent');
      await words.say('I cannot pay my bill');
      assert.match(last(words), /passed on your message/);
      await words.say('agent');
      await words.say('2');
      assert.doesNotMatch(last(words), /leave a message/i);
    });
  }
});

describe('a message for agents, where no hub takes the chat', () => {
  it('is not offered, since nobody would read it', async () => {
    const rules = rulesFile('rules: [{ hub: webhook, languages: [es] }]\n');
    const world = await openWorld('webhook', { HANDOFF_FILE: rules, AGENT_CONTACT: '' });
    await world.talk.say('agent');
    await world.talk.say('please call me');
    assert.doesNotMatch(world.said().join('\n'), /leave a message|passed on/);
    await world.close();
  });
});

for (const [language, leave, back, text] of [
  ['de', 'Nachricht hinterlassen', 'Zurück', 'Bitte rufen Sie mich an, ich kann meine Rechnung nicht bezahlen'],
  ['es', 'Dejar un mensaje', 'Volver', 'Llámeme, no puedo pagar mi factura'],
  ['fr', 'Laisser un message', 'Retour', 'Rappelez-moi, je ne peux pas payer ma facture'],
  ['ar', 'ترك رسالة', 'رجوع', 'لا أستطيع دفع فاتورتي، اتصلوا بي'],
  ['ja', '伝言を残す', '戻る', '請求書が払えません。電話してください'],
] as const)
  describe(`a message for agents who are not there, in ${language}`, () => {
    it('is offered with both buttons, and taken from the next words', async () => {
      const world = await openWorld('webhook', { HANDOFF_FILE: closed(), LOCALE: language });
      await world.talk.post({
        text: ({ ja: '担当者', ar: 'موظف', es: 'agente' } as Record<string, string>)[language] ?? 'agent',
        locale: language,
      });
      world.talk.button(leave);
      world.talk.button(back);
      await world.talk.post({ text, locale: language });
      await until(() => world.events('requested').length > 0, 'the message');
      assert.equal(world.events('requested')[0].data.note, text);
      await world.close();
    });
  });
