import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openChannel } from '../../support/channel.ts';
import { talkTo } from '../../support/talk.ts';
import { until } from '../../support/until.ts';
import { startWhole, type Whole } from '../../support/whole.ts';

describe('a chat', () => {
  let whole: Whole;
  before(async () => {
    whole = await startWhole();
  });
  after(() => whole.close());

  const newest = (talk: Awaited<ReturnType<typeof talkTo>>) => talk.messages().at(-1);

  it('greets with the menu, explained the first time and brief from then on', async () => {
    const talk = await talkTo(whole);
    assert.match(newest(talk).text, /Hello! How can I help you\?[\s\S]*4\. Pay a bill: Pay securely/);
    await talk.say('payments');
    await talk.say('cancel');
    await talk.sees(/nothing was sent[\s\S]*4\. Pay a bill\n/);
  });

  it('accepts a request in words at any point before something is sent', async () => {
    const talk = await talkTo(whole);
    await talk.say('I need to sign something');
    await talk.sees(/phone number/);
    await talk.say('actually, I want to pay my bill');
    await talk.sees(/phone number/);
    await talk.say('+12025550102');
    await talk.sees(/What would you like to pay for/);
  });

  it('tells the page which messages to leave out of the customer’s copy: the values of a document', async () => {
    const talk = await talkTo(whole);
    const secretly = () => talk.messages().flatMap(({ text, channelData }) => (channelData?.answersSecret ? [text] : []));
    for (const words of ['sign a document', '+12025550102', 'Direct debit mandate']) await talk.say(words);
    await talk.sees(/Account holder/);
    assert.deepEqual(secretly(), []);
    await talk.say('Zebra Tanaka');
    const said = await talk.transcript(/Zebra Tanaka/);
    const replies = talk.messages().filter(({ channelData }) => channelData?.answersSecret);
    assert.ok(replies.length > 0);
    for (const { replyToId } of replies) assert.equal(replyToId, said[0]?.id);
    await talk.say('cancel');
    await talk.say('menu');
    assert.equal(newest(talk).channelData?.answersSecret, undefined);
  });

  it('speaks the language of the channel, and changes over when the customer does', async () => {
    const talk = await talkTo(whole, {}, 'en-GB');
    await talk.say('quiero pagar mi factura');
    await talk.sees(/¿Cuál es su número de teléfono\?/);
    await talk.say('+12025550102');
    await talk.sees(/¿Qué desea pagar\?[\s\S]*128,40/);
  });

  it('accepts an answer in the language chosen since the question', async () => {
    const talk = await talkTo(whole, {}, 'es');
    await talk.say('quiero pagar mi factura');
    await talk.say('+12025550102');
    await talk.sees(/¿Qué desea pagar\?/);
    await talk.say('my router', 'en');
    await talk.sees(/Pay \$89\.00 on your phone/);
  });

  it('begins an app anew by its name when it has not worked out', async () => {
    const talk = await talkTo(whole);
    await talk.say('pay');
    for (const words of ['+12025550111', '1']) await talk.say(words);
    await talk.sees(/What would you like to do now/);
    await talk.say('I want to pay');
    await talk.sees(/What would you like to pay for/);
  });

  it('says that another wish follows the pending one', async () => {
    const talk = await talkTo(whole);
    await talk.say('pay');
    for (const words of ['+12025550113', '1']) await talk.say(words);
    await talk.sees(/Waiting for your payment/);
    await talk.say('I want to sign a document');
    await talk.sees(/To begin with “Document signature”, say “cancel” first/);
    await talk.say('status');
    await talk.sees(/It stays valid for about 30 minutes/);
    await talk.say('I changed my mind, cancel please');
    await talk.sees(/cancelled/i);
  });

  it('says that a passkey request went out by e-mail', async () => {
    const talk = await talkTo(whole);
    await talk.say('passkey');
    await talk.say('+12025550102');
    await talk.sees(/Confirm with your passkey[\s\S]*E-mail: the address we have for you/);
    await talk.say('send');
    await talk.sees(/Open the e-mail sent to the address we have for you/);
    await talk.say('status');
    await talk.sees(/^Passkeys: it .* to the address we have for you/);
    await talk.say('cancel');
  });

  it('understands at the menu what can be said anywhere', async () => {
    const talk = await talkTo(whole);
    const said: [string, RegExp][] = [
      ['help', /Say “cancel” to stop/],
      ['how far is it?', /Nothing is open at the moment/],
      ['never mind', /Nothing is open at the moment/],
      ['send it again', /Nothing is open at the moment/],
      ['start over', /What would you like to do\?/],
      ['a real person please', /Nobody can join/],
    ];
    for (const [words, answer] of said) {
      await talk.say(words);
      await talk.sees(answer);
      assert.match(newest(talk).text, /4\. Pay a bill/);
    }
  });

  it('does not change language over a name in another one', async () => {
    const talk = await talkTo(whole);
    await talk.say('sign a document');
    await talk.say('+12025550102');
    await talk.say('Direct debit mandate');
    await talk.say('Persona y Firma');
    await talk.sees(/Next: Last four digits of the account/);
  });

  it('says that files cannot be used, and asks again', async () => {
    const talk = await talkTo(whole);
    await talk.say('payments');
    await talk.attach();
    await talk.sees(/can only read what is written in words/);
    await talk.sees(/phone number/);
  });

  it('offers a person as the only quick reply while waiting, and takes the words for the rest', async () => {
    const talk = await talkTo(whole);
    for (const said of ['log in', '+12025550113', 'send']) await talk.say(said);
    const waiting = await talk.sees(/Waiting for your passkey/);
    assert.deepEqual(
      waiting.suggestedActions.actions.map(({ type, value }: { type: string; value: string }) => [type, value]),
      [['imBack', 'Talk to a person']],
    );
    await talk.say('Help');
    await talk.sees(/the result appears here automatically/);
    await talk.say('Talk to a person');
    await talk.sees(/Nobody can join/);
    await talk.say('Start over');
    // Nothing is withdrawn by a word that only means the menu.
    await talk.sees(/Cancel it/);
    await talk.say('yes');
    assert.equal((await talk.outcome()).channelData.interaction.status, 'cancelled');
    await talk.sees(/What would you like to do/);
  });

  it('knows the number that its token vouches for, and never shows it whole', async () => {
    const talk = await talkTo(whole, { verified: { phoneNumber: '+12025550102' } });
    await talk.say('payments');
    await talk.sees(/M••• T\./);
    assert.ok(talk.messages().every(({ text, attachments }) => !/2025550102/.test(text + JSON.stringify(attachments ?? ''))));
  });
});

describe('a menu in the operator’s words', () => {
  it('offers the apps by these titles, which can be typed, and each app by its name too', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-menu-'));
    const file = join(folder, 'menu.yaml');
    writeFileSync(file, 'titles: { payments: { en: Settle up, es: Saldar }, e-form: { en: Tell us } }');
    const whole = await startWhole({ settings: { MENU_FILE: file } });
    try {
      const talk = await talkTo(whole);
      await talk.sees(/4\. Settle up: Pay securely[\s\S]*5\. Tell us: /, true);
      await talk.say('settle up');
      await talk.sees(/phone number/);
      await talk.say('cancel');
      await talk.press(/^Tell us/);
      await talk.sees(/phone number/);
      await talk.say('payments');
      for (const words of ['+12025550102']) await talk.say(words);
      await talk.sees(/What would you like to pay for/);
      const spanish = await talkTo(whole, {}, 'es');
      await spanish.say('hola');
      await spanish.say('menú');
      await spanish.sees(/4\. Saldar\n5\. Tell us/);
    } finally {
      await whole.close();
      rmSync(folder, { recursive: true });
    }
  });
});

describe('what should not stay in a chat', () => {
  let whole: Whole;
  before(async () => {
    whole = await startWhole();
  });
  after(() => whole.close());

  it('is a card number: it is removed, stored nowhere, and the question is repeated', async () => {
    const talk = await talkTo(whole);
    await talk.say('payments');
    await talk.say('4111 1111 1111 1111');
    await talk.sees(/looks like a card number/);
    await talk.sees(/phone number/);
    // All of it, or as it was typed: four of its digits stand in ports and ids, too.
    const cardNumber = /4111 ?1111/;
    assert.deepEqual(await talk.transcript(cardNumber), []);
    assert.doesNotMatch(whole.lines.join(''), cardNumber);
  });

  it('is a card number in the input of a card, or beside other digits', async () => {
    const talk = await talkTo(whole);
    await talk.say('payments');
    for (const send of [
      () => talk.say('4111 1111 1111 1111 12/27'),
      () => talk.submit({ action: 'whatever', field: '4111111111111111' }),
    ]) {
      const before = talk.messages().length;
      await send();
      await until(
        () =>
          talk
            .messages()
            .slice(before)
            .some(({ text }) => /looks like a card number/.test(text ?? '')),
        'the warning',
      );
    }
    assert.deepEqual(await talk.transcript(/4111 ?1111/), []);
  });

  it('is a passcode, right or wrong', async () => {
    const talk = await talkTo(whole);
    for (const said of ['one-time passcode', '+12025550110', 'yes', '654321', '123456']) await talk.say(said);
    await talk.outcome();
    assert.deepEqual(await talk.transcript(/654321|123456/), []);
  });
});

describe('a chat that others can read', () => {
  it('points the customer to a private chat, and looks nobody up', async () => {
    const whole = await startWhole();
    const channel = await openChannel();
    try {
      const activity = {
        type: 'message',
        id: 'm1',
        text: '<at>Bot</at> payments',
        entities: [{ type: 'mention', text: '<at>Bot</at>', mentioned: { id: '28:bot' } }],
        channelId: 'msteams',
        serviceUrl: channel.serviceUrl,
        conversation: { id: '19:group', conversationType: 'groupChat', isGroup: true },
        from: { id: '29:member' },
        recipient: { id: '28:bot' },
      };
      const answer = await fetch(whole.bot().endpointUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(activity),
      });
      assert.equal(answer.status, 200);
      assert.match(String(channel.received.at(-1)?.body?.summary), /private chat/);
      assert.equal(whole.proxy.count(/bootstrap/), 0);
    } finally {
      await channel.close();
      await whole.close();
    }
  });
});
