import assert from 'node:assert/strict';
import type { Interaction } from '../../src/interactions/interaction.ts';
import { type ConversationUnderTest, startConversation } from '../support/conversation-under-test.ts';

/** The withdrawal that was asked for, as a proactive turn brings it. */
const withdrawn = (chat: ConversationUnderTest) => {
  const outcome = { status: 'cancelled', by: 'customer', at: chat.now } as const;
  const interaction: Interaction = { ...(chat.sent.at(-1) as Interaction), state: 'decided', outcome };
  chat.sent[chat.sent.length - 1] = interaction;
  return chat.hears({ kind: 'outcome', interaction });
};

describe('a customer whose number was wrong', () => {
  let chat: ConversationUnderTest;
  beforeEach(() => {
    chat = startConversation();
  });
  const several = () => {
    chat.found = {
      ...chat.found,
      customers: ['Mei Tanaka', 'Avery Collins'].map((name, at) => ({ ...chat.found.customers[0], id: `cust-000${at}`, name })) as never,
    };
  };

  for (const words of [
    'another number',
    'wrong number',
    'that’s not my number',
    'sorry, I typed the wrong number',
    'use a different number please',
  ]) {
    it(`is asked for another number instead of choosing a customer: “${words}”`, async () => {
      several();
      assert.match(await chat.say('pay for the router', '+12025550101'), /Which one are you\?/);
      assert.match(await chat.say(words), /Which number should I try instead\?/);
      several();
      chat.found = startConversation().found;
      assert.match(await chat.say('+12025550102'), /Product: Router/);
    });

    it(`is asked for another number instead of confirming, and keeps the choice: “${words}”`, async () => {
      await chat.say('pay for the router', '+12025550101');
      assert.match(await chat.say(words), /Which number should I try instead\?/);
      assert.match(await chat.say('+12025550102'), /\+1•••0102[\s\S]*Product: Router/);
    });
  }

  for (const [locale, wish, words] of [
    ['en-US', 'pay for the router', 'that’s not me'],
    ['en-US', 'pay', 'No, that is not me.'],
    ['de-DE', 'bezahlen', 'Nein, das bin ich nicht'],
    ['es-ES', 'pagar', 'no, no soy yo'],
    ['fr-FR', 'payer', 'non, ce n’est pas moi'],
    ['ar', 'دفع', 'لا، لست أنا'],
    ['ja', '支払い', 'いいえ、私ではありません'],
  ] as const)
    it(`is asked for another number when they are somebody else: “${wish}”, “${words}”`, async () => {
      chat.locale = locale;
      await chat.say(wish, '+12025550101', words, '+12025550102');
      assert.deepEqual([chat.lookups, chat.sent], [['+12025550101', '+12025550102'], []]);
    });

  it('types the right one instead of confirming', async () => {
    await chat.say('pay for the router', '+12025550101');
    assert.match(await chat.say('no, it is 202 555 0102'), /\+1•••0102/);
    await chat.say('send');
    assert.equal(chat.sent[0]?.phoneNumber, '+12025550102');
  });

  it('types it as their own country writes it', async () => {
    chat.defaultRegion = 'GB';
    await chat.say('pay for the router', '020 7946 0018');
    assert.equal(chat.lookups.at(-1), '+442079460018');
    assert.match(await chat.say('no, 020 7946 0019'), /\S••• \S\./);
    assert.equal(chat.lookups.at(-1), '+442079460019');
  });

  it('is asked for a number other than the channel’s', async () => {
    chat.callerNumber = '+12025550101';
    await chat.say('pay for the router');
    assert.match(await chat.say('not my number'), /Which number should I try instead\?/);
  });

  it('is understood when initials are asked for', async () => {
    chat.asksInitials = true;
    await chat.say('pay', '+12025550101');
    assert.match(await chat.say('wrong number'), /Which number should I try instead\?/);
  });

  it('is asked for the number with the next request when nothing is open', async () => {
    await chat.say('pay', '+12025550101', 'cancel');
    assert.match(await chat.say('that is not my number'), /All right\. I will ask for your number/);
    assert.match(await chat.say('pay'), /What is your phone number\?/);
  });

  describe('while a request is pending', () => {
    const send = () => chat.say('pay', '+12025550101', 'router');

    for (const yes of ['yes', 'Cancel it'])
      it(`is asked whether to withdraw it, and then for the number (“${yes}”)`, async () => {
        await send();
        assert.match(
          await chat.say('that is the wrong number'),
          /“Payments” is still open\. Shall I cancel it and ask you for another number\?/,
        );
        assert.equal(chat.cancels, 0);
        await (yes === 'yes' ? chat.say(yes) : chat.press(yes));
        assert.equal(chat.cancels, 1);
        assert.match(await withdrawn(chat), /Payment request cancelled[\s\S]*Which number should I try instead\?/);
        assert.match(await chat.say('+12025550102'), /Product: Router/);
        await chat.say('send');
        assert.equal(chat.sent[1]?.phoneNumber, '+12025550102');
      });

    it('keeps waiting if they say no', async () => {
      await send();
      await chat.say('wrong number');
      assert.match(await chat.say('no'), /still waiting/);
      assert.equal(chat.cancels, 0);
      await chat.say('cancel');
      assert.doesNotMatch(await withdrawn(chat), /Which number/);
    });

    it('reads a success that came first, and is asked nothing', async () => {
      await send();
      await chat.say('wrong number', 'yes');
      const interaction: Interaction = {
        ...(chat.sent[0] as Interaction),
        state: 'decided',
        outcome: { status: 'success', by: 'event', at: chat.now },
      };
      chat.sent[0] = interaction;
      const told = await chat.hears({ kind: 'outcome', interaction });
      assert.match(told, /Payment received/);
      assert.doesNotMatch(told, /Which number/);
    });

    it('is asked in Spanish', async () => {
      chat.locale = 'es';
      await chat.say('pagar', '+12025550101', 'router');
      assert.match(await chat.say('me equivoqué de número'), /¿Lo anulo y le pido otro número\?/);
    });
  });
});

describe('a message that never arrived, where replies are alike', () => {
  for (const app of ['pay', 'otp'])
    for (const how of ['Send again', 'nothing arrived'])
      it(`can be withdrawn and asked for anew, with number and initials once more (${app}, ${how})`, async () => {
        const chat = startConversation();
        chat.asksInitials = true;
        await chat.say(app, '+12025550102', 'M. T.', ...(app === 'pay' ? ['router'] : []), 'send');
        // As the start of such an interaction marks it.
        chat.sent[0] = { ...(chat.sent[0] as Interaction), blindLookup: true };
        const asked = await (how === 'Send again' ? chat.press(how) : chat.say(how));
        assert.match(
          asked,
          /cannot send it a second time[\s\S]*number or the initials[\s\S]*Shall I cancel it and ask you for both again\?/,
        );
        await chat.say('yes');
        assert.equal(chat.cancels, 1);
        assert.match(chat.said.at(-1)?.text, /Which number should I try instead\?/);
        assert.match(await chat.say('+12025550102', 'M. T.'), /\+1•••0102 \(|Phone: \+1•••0102/);
        await chat.say('send');
        assert.equal(chat.sent.length, 2);
        assert.notEqual(chat.sent[1]?.id, chat.sent[0]?.id);
      });
});
