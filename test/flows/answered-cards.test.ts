import assert from 'node:assert/strict';
import { answering, openChannel } from '../support/channel.ts';
import { channelTalk } from '../support/channel-talk.ts';
import { type Talk, talkTo } from '../support/talk.ts';
import { until } from '../support/until.ts';
import { startWhole, type Whole } from '../support/whole.ts';

const json = { 'content-type': 'application/json' };

describe('a card that has been answered', () => {
  let whole: Whole;
  before(async () => {
    whole = await startWhole({ turnRate: { points: 100_000, seconds: 1 } });
  });
  after(() => whole.close());

  /** The whole text of each message as it is now. */
  const texts = (talk: Talk) => talk.messages().map(({ text }) => text as string);

  it('stays as its question and the choice, without buttons', async () => {
    const talk = await talkTo(whole);
    await talk.press(/^Pay a bill/);
    await talk.say('+12025550113');
    await talk.press('Use another number');
    await talk.say('+12025550113');
    await talk.say('my charging pass');
    await talk.sees(/on your phone/);
    await talk.press('Change');
    await talk.sees(/What would you like to pay for\?/);
    await until(() => texts(talk).some((text) => text.endsWith('Your answer: Change')), 'the record of the last click');
    const list =
      'What would you like to pay for? Choose one, or type its number. As soon as you choose, the link for O••• G. goes to +1•••0113.';
    assert.deepEqual(texts(talk).slice(0, -1), [
      'Hello! How can I help you? Choose one, or say it in your own words.\nYour answer: Pay a bill',
      'What is your phone number? I will use it to look you up. For example: 202 555 0101, or +1 202 555 0101.',
      `${list}\nYour answer: Use another number`,
      'Which number should I try instead?',
      list,
      'Pay €59.90 on your phone. You will get a message with a link to a secure payment page.\nFor: O••• G.\nPhone: +1•••0113\n' +
        'Product: Charging pass\nDescription: Ten sessions at any public charging point in the euro area.\nYour answer: Change',
    ]);
    for (const { attachments } of talk.messages().slice(0, -1)) assert.equal(attachments, undefined);
    // So does a page that opens the chat now.
    assert.equal((await talk.transcript(/Your answer: Use another number/)).length, 1);
    assert.equal((await talk.transcript(/on your phone/)).length, 1);
  });

  it('says who the customer confirmed to be, and what they asked for with its price', async () => {
    const ends = async (talk: Talk, line: RegExp) => void (await until(() => texts(talk).some((text) => line.test(text)), String(line)));
    const talk = await talkTo(whole);
    await talk.press(/^Pay a bill/);
    await talk.say('+12025550101');
    await talk.sees(/Several customers share/);
    await talk.press(/^\S••• \S\./);
    await ends(talk, /^Several customers share \+1•••0101\. Which one are you\?.*\nYou confirmed: \S••• \S\.$/);
    await talk.press(/^Electricity and gas, November/);
    await ends(talk, /^What would you like to pay for\?.*\nYou asked for a payment: Electricity and gas, November, \$128\.40$/);
    await talk.say('cancel');
    for (const [wish, chosen, send, line] of [
      ['confirm now', undefined, 'E-mail me the link', /\nYou asked to confirm with your passkey\.$/],
      ['text me a code', undefined, 'Text me the code', /\nYou asked for a code\.$/],
      ['fill in the feedback form', undefined, 'Text me the link', /\nYou asked for a form: Feedback$/],
      ['fill in a form', /^Feedback/, undefined, /\nYou asked for a form: Feedback$/],
      ['pay the charging pass', undefined, 'Text me the link', /\nYou asked for a payment: Charging pass, €59\.90$/],
    ] as const) {
      const one = await talkTo(whole);
      for (const words of [wish, '+12025550102']) await one.say(words);
      for (const press of [chosen, send]) if (press) await one.press(press);
      await ends(one, line);
    }
  });

  it('leaves typed words to the customer’s own message, and says of blanks that they are filled in, without quoting them', async () => {
    const talk = await talkTo(whole);
    for (const words of ['please let me sign something', '+12025550102', 'Direct debit mandate']) await talk.say(words);
    await talk.press('Continue', {
      'variable:accountHolder': 'Mei Tanaka',
      'variable:accountEnding': '4711',
      'variable:monthlyLimit': '250',
    });
    await talk.sees(/Sign this document on your phone/);
    await until(() => texts(talk).at(-2)?.endsWith('You filled this in.'), 'the record of the blanks');
    assert.deepEqual(texts(talk).slice(0, -1), [
      'Hello! How can I help you? Choose one, or say it in your own words.',
      texts(talk)[1],
      'Which document would you like to sign? Choose one, or type its number. The link for M••• T. will go to +1•••0102.',
      'Fill in the document. These details go into “Direct debit mandate”.\nYou filled this in.',
    ]);
    await talk.press('Not now');
    const sent = await until(() => texts(talk).find((text) => text.endsWith('Your answer: Not now')), 'the record of the confirmation');
    assert.match(
      sent,
      /^Sign this document on your phone\..*\nFor: M••• T\.\nPhone: \+1•••0102\nDocument: Direct debit mandate\nYour answer: Not now$/,
    );
    assert.doesNotMatch(texts(talk).join(), /Mei Tanaka|4711|250/);
  });

  it('is updated once, after the turn is kept, and costs nothing more when that fails', async () => {
    const channel = await openChannel();
    try {
      const talk = channelTalk(whole, channel, { conversation: 'teams-1', user: 'user-1', channelId: 'msteams' });
      await talk.say('menu');
      const put = () => channel.received.filter(({ method }) => method === 'PUT');
      await talk.submit(talk.button('Pay a bill'));
      await talk.sees(/phone number/);
      await until(() => put().length === 1, 'the update');
      assert.match(String(put()[0]?.body?.summary), /^Hello! How can I help you\?/);
      await talk.say('+12025550102');
      for (let count = 0; count < 5; count += 1)
        channel.next.push((req, res) => (req.method === 'PUT' ? answering(400) : answering(200, json, '{"id":"again"}'))(req, res));
      await talk.sees(/What would you like to pay for\?/);
      await talk.submit(talk.button('Use another number'));
      await talk.sees(/Which number/);
      assert.ok(whole.lines.some((line) => /an answered card was not updated/.test(line)));
      await talk.say('+12025550102');
      await talk.sees(/What would you like to pay for/);
    } finally {
      await channel.close();
    }
  });

  it('stays as it was if the channel cannot update it, and its old buttons get an answer', async () => {
    const channel = await openChannel();
    try {
      const talk = channelTalk(whole, channel, { conversation: 'plain-1', user: 'user-1', channelId: 'webchat' });
      await talk.say('menu');
      const old = talk.button('Sign a document');
      await talk.submit(talk.button('Pay a bill'));
      await talk.sees(/phone number/);
      await talk.submit(old);
      await talk.sees(/earlier step/);
      assert.ok(channel.received.every(({ method }) => method === 'POST'));
    } finally {
      await channel.close();
    }
  });
});
