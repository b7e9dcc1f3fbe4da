import assert from 'node:assert/strict';
import type { Interaction } from '../../../src/interactions/interaction.ts';
import type { News } from '../../../src/interactions/ports.ts';
import { type ConversationUnderTest, found, startConversation } from '../../support/conversation-under-test.ts';

const sentBy = async (app: string, ...choice: string[]) => {
  const chat = startConversation();
  await chat.say(app, '+12025550102', ...choice, 'send');
  assert.equal(chat.sent.length, 1);
  return chat;
};
const ended = (chat: ConversationUnderTest, status: 'success' | 'failure' | 'timeout' | 'cancelled') => {
  const interaction: Interaction = {
    ...(chat.sent.at(-1) as Interaction),
    state: 'decided',
    outcome: { status, by: 'event', at: chat.now },
  };
  chat.sent[chat.sent.length - 1] = interaction;
  return { kind: 'outcome', interaction } as const;
};

describe('an outcome', () => {
  it('comes in the language of the chat now, not in that of the send', async () => {
    const chat = await sentBy('payments', 'Router');
    chat.locale = 'es';
    assert.match(await chat.say('estado'), /Pagos/);
    assert.match(await chat.hears(ended(chat, 'success'), 'en-US'), /Pago recibido[\s\S]*¿Qué desea hacer\?/);
    assert.match(await chat.say('ayuda'), /Puede pulsar/);
  });

  for (const [status, answer] of [
    ['success', /“Payments” was completed/],
    ['timeout', /“Payments” expired before it was completed/],
    ['failure', /“Payments” was not completed/],
    ['cancelled', /“Payments” was cancelled/],
  ] as const) {
    it(`that was ${status} is what “did it work?” is answered with, and not that nothing was sent`, async () => {
      const chat = await sentBy('payments', 'Router');
      await chat.hears(ended(chat, status));
      const said = await chat.say('did it work?');
      assert.match(said, answer);
      assert.doesNotMatch(said, /Nothing has been sent|Nothing is open/);
    });
  }

  for (const [state, answer] of [
    ['refused', /“Payments” could not be sent/],
    ['expired', /do not know how “Payments” ended/],
    ['unknown', /cannot tell whether “Payments” was sent/],
  ] as const) {
    it(`of a send that ended ${state} is correct too`, async () => {
      const chat = startConversation();
      chat.starts = { state };
      await chat.say('payments', '+12025550102', 'Router');
      assert.match(await chat.say('did it work?'), answer);
    });
  }

  it('is not reported before anything was sent', async () => {
    const chat = startConversation();
    await chat.say('payments');
    assert.match(await chat.say('did it work?'), /Nothing has been sent yet/);
    await chat.say('cancel');
    assert.match(await chat.say('did it work?'), /Nothing is open/);
  });
});

describe('what the customer declined on their device', () => {
  const declined = (chat: ConversationUnderTest) => {
    const { kind, interaction } = ended(chat, 'failure');
    const result = { ...interaction, app: interaction.app, status: 'failure', timestamp: '2026-11-20T09:01:00.000Z', reason: 'declined' };
    return {
      kind,
      interaction: { ...interaction, outcome: { ...interaction.outcome, result } as unknown as Interaction['outcome'] },
    } as News;
  };

  for (const [app, choice] of [
    ['payments', ['Router']],
    ['passkeys', []],
  ] as const) {
    it(`is shown as their own choice, without a red cross (${app})`, async () => {
      const chat = await sentBy(app, ...choice);
      chat.channelId = 'msteams';
      const said = await chat.hears(declined(chat));
      assert.match(said, /You declined\./);
      assert.doesNotMatch(said + JSON.stringify([chat.said.slice(-2), chat.updates]), /✕|Attention|did not work|did not go through/);
      assert.match(await chat.say('did it work?'), /You declined “/);
    });
  }

  it('can be done with a passcode if it was a passkey', async () => {
    const chat = await sentBy('passkeys');
    await chat.hears(declined(chat));
    assert.match(await chat.press('Confirm with a code instead'), /^Get a one-time passcode/);
  });

  it('leads to the menu if there is no other way', async () => {
    const chat = await sentBy('payments', 'Router');
    await chat.hears(declined(chat));
    assert.match(await chat.press('Menu'), /What would you like to do\?/);
  });
});

describe('“menu” while a request waits', () => {
  for (const words of ['menu', 'start over'])
    it(`is asked about first, and withdraws on yes (${words})`, async () => {
      const chat = await sentBy('payments', 'Router');
      assert.match(await chat.say(words), /“Payments” is still open[\s\S]*Cancel it · Keep waiting/);
      assert.equal(chat.cancels, 0);
      await (words === 'menu' ? chat.say('yes') : chat.press('Cancel it'));
      assert.equal(chat.cancels, 1);
      assert.match(await chat.hears(ended(chat, 'cancelled')), /Payment request cancelled[\s\S]*What would you like to do\?/);
    });

  it('keeps waiting after no, or anything else', async () => {
    const chat = await sentBy('payments', 'Router');
    await chat.say('menu');
    assert.match(await chat.say('never mind'), /still waiting/);
    await chat.say('menu');
    assert.match(await chat.press('Keep waiting'), /still waiting/);
    await chat.say('menu', 'how is the weather');
    // The question is over with that.
    assert.match(await chat.say('yes'), /still waiting/);
    assert.equal(chat.cancels, 0);
  });
});

describe('a passcode that is sent again', () => {
  for (const channelId of ['msteams', 'directline'])
    it(`has all its tries on the card (${channelId})`, async () => {
      const chat = startConversation();
      chat.channelId = channelId;
      await chat.say('one-time-passcode', '+12025550102', 'send', '654321');
      const shown = () =>
        JSON.stringify(channelId === 'msteams' ? chat.updates.at(-1) : chat.said.findLast(({ attachments }) => attachments));
      if (channelId === 'msteams') assert.match(shown(), /4 tries left/);
      const answer = await chat.say('resend');
      assert.match(answer, /sent it to \+1•••0102 again/);
      assert.match(shown(), /5 tries left/);
      assert.doesNotMatch(shown(), /not the right code/);
    });
});

describe('a request that is sent again', () => {
  it('shows when it was last sent, and offers no status', async () => {
    const chat = startConversation();
    chat.channelId = 'msteams';
    chat.starts = { progress: { sent: chat.now } };
    await chat.say('payments', '+12025550102', 'Router', 'send');
    const { length } = chat.updates;
    chat.now += 7 * 60_000;
    assert.match(await chat.press('Send again'), /sent it to \+1•••0102 again/);
    assert.ok(chat.updates.length > length, 'the card is drawn again');
    const card = JSON.stringify(chat.updates.at(-1)).replace(/[\u00A0\u202F]/g, ' ');
    const [, time] = /"Sent to your phone".*?"text":"(\d+:\d\d [AP]M)/.exec(card) ?? [];
    assert.equal(time, new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone: 'UTC' }).format(chat.now).replace(/\u202F/g, ' '));
    assert.doesNotMatch(card, /"title":"Status"/);
    // The words still work.
    assert.match(await chat.say('status'), /It stays valid for about/);
    assert.match(await chat.say('help'), /the message went to/);
  });

  for (const [answer, words] of [
    [{ kind: 'too_soon' }, /It was sent only a moment ago/],
    [{ kind: 'unsupported' }, /I cannot send it a second time/],
    [{ kind: 'trouble', trouble: 'busy' }, /too many requests/],
    [{ kind: 'over' }, /just ended/],
  ] as const)
    it(`keeps its card where it is not sent, and says why (${answer.kind})`, async () => {
      const chat = startConversation();
      Object.assign(chat, { channelId: 'msteams', starts: { progress: { sent: chat.now } } });
      chat.interactions.resend = async () => answer;
      await chat.say('payments', '+12025550102', 'Router', 'send');
      const { length } = chat.updates;
      chat.now += 7 * 60_000;
      assert.match(await chat.press('Send again'), words);
      assert.equal(chat.updates.length, length);
    });

  it('keeps the numbers of a card from an earlier version, which offered the status first', async () => {
    const chat = startConversation();
    chat.channelId = 'sms';
    await chat.say('payments', '+12025550102', 'Router', 'send');
    chat.state = JSON.parse(JSON.stringify(chat.state).replace(/"actions":\{"check":/, '"actions":{"status":"earlier","check":'));
    assert.match(await chat.say('1'), /It stays valid for about/);
    assert.match(await chat.say('2'), /again/);
    await chat.say('3');
    assert.equal(chat.cancels, 1);
  });
});

describe('a number that the service does not take', () => {
  it('can be changed for another, and is not kept', async () => {
    const chat = startConversation();
    chat.trouble = 'rejected';
    assert.match(
      await chat.say('payments', '+12025550102'),
      /could not look you up by \+1•••0102[\s\S]*Use another number · Talk to a person · Menu/,
    );
    assert.match(await chat.press('Use another number'), /Which number should I try instead\?/);
    await chat.say('+12025550111');
    await chat.say('menu', 'payments');
    assert.match(chat.said.at(-1)?.text, /What is your phone number\?/);
    await chat.say('+12025550111');
    chat.trouble = undefined;
    // As everywhere, it can simply be typed.
    assert.match(await chat.say('it is +1 202 555 0110'), /M••• T\./);
    assert.deepEqual(chat.lookups, ['+12025550102', '+12025550111', '+12025550111', '+12025550110']);
  });
});

describe('a number that nobody has', () => {
  it('leads to a person too, for who has no other', async () => {
    const chat = startConversation();
    chat.found = { ...found, customers: [] };
    const asked = await chat.say('payments', '+12025550199');
    assert.match(asked, /could not find anyone.*Use another number · I have no number · Talk to a person/s);
    assert.match(await chat.press('I have no number'), /Nobody can join this chat right now[\s\S]*What would you like to do/);
    assert.match(await chat.say('payments', "I don't have one"), /Nobody can join/);
  });

  it('is not asked for in vain: who has none is told what that means', async () => {
    const chat = startConversation();
    assert.match(
      await chat.say('payments', 'I have no number'),
      /I can only look you up by a phone number\. Say “agent” to talk to a person\./,
    );
  });
});

describe('the card that fills in a document', () => {
  it('can be left by a button, without its blanks', async () => {
    const chat = startConversation();
    const variables = [{ name: 'holder', type: 'text', required: true }];
    chat.found = { ...found, documents: [{ id: found.documents[0]?.id ?? '', title: 'Mandate', variables }] };
    await chat.say('document-signature', '+12025550102');
    assert.match(await chat.press('Cancel'), /nothing was sent/);
    assert.equal(chat.sent.length, 0);
  });

  it('comes after a list that says which was chosen, and not that it was asked for', async () => {
    const chat = startConversation();
    chat.channelId = 'msteams';
    const variables = [{ name: 'holder', type: 'text', required: true }];
    chat.found = { ...found, documents: found.documents.map((one) => ({ ...one, variables })) };
    await chat.say('document-signature', '+12025550102');
    assert.match(await chat.press('Mandate'), /Fill in the document/);
    assert.match(JSON.stringify(chat.updates.at(-1)), /Your answer: Mandate/);
  });
});

describe('a text that is too long', () => {
  const variables = [{ name: 'holder', type: 'text', required: true, maxLength: 5000 }];
  const open = async () => {
    const chat = startConversation();
    chat.found = { ...found, documents: [{ id: found.documents[0]?.id ?? '', title: 'Mandate', variables }] };
    await chat.say('document-signature', '+12025550102');
    return chat;
  };

  it('is accepted up to 2,000 characters, and refused entirely above', async () => {
    const chat = await open();
    assert.match(await chat.say('x'.repeat(2001)), /longer than 2,000 characters[\s\S]*Fill in the document/);
    assert.ok(!JSON.stringify(chat.state).includes('xxx'));
    await chat.say('x'.repeat(2000), 'send');
    assert.deepEqual((chat.sent[0]?.request as { variables?: object } | undefined)?.variables, { holder: 'x'.repeat(2000) });
  });

  it('is refused too when only its plain form is longer', async () => {
    const chat = await open();
    assert.match(await chat.say('ﷺ'.repeat(200)), /longer than 2,000 characters/);
  });

  it('is refused on a card, and not kept in part', async () => {
    const chat = await open();
    assert.match(await chat.press('Continue', { 'variable:holder': 'x'.repeat(2001) }), /Holder: Please use 2,?000 characters at most/);
    assert.ok(!JSON.stringify(chat.state).includes('xxx'));
    assert.equal(chat.sent.length, 0);
  });

  it('is explained while a request waits, and at the menu', async () => {
    const chat = await sentBy('payments', 'Router');
    assert.match(await chat.say('status '.repeat(400)), /longer than 2,000 characters/);
    assert.match(await startConversation().say('pay '.repeat(600)), /longer than 2,000 characters/);
  });
});

describe('the card of a wait', () => {
  const plainSpaces = (text: string) => text.replace(/[\u00A0\u202F]/g, ' ');
  const saidBy = async (app: string, more: Partial<ConversationUnderTest>, ...choice: string[]) => {
    const chat = startConversation();
    Object.assign(chat, { sender: 'Brightwater Energy', ...more });
    // What is chosen from a list is sent at once.
    const answers = choice.length > 0 ? choice : ['send'];
    return { chat, said: plainSpaces(await chat.say(app, '+12025550102', ...answers)) };
  };

  it('says whose message to expect, about what, and until when: a minute before we stop waiting', async () => {
    const { said } = await saidBy('payments', {}, 'Router');
    assert.match(said, /The message comes from Brightwater Energy\. Product: Router; Amount: \$89\.00; Valid until: 9:09 AM UTC\n/);
  });

  for (const [app, choice, line] of [
    ['passkeys', [], 'The message comes from Brightwater Energy. Valid until: 9:09 AM UTC'],
    ['one-time-passcode', [], 'The message comes from Brightwater Energy. Valid until: 9:09 AM UTC'],
    ['document-signature', ['Mandate'], 'The message comes from Brightwater Energy. Document: Mandate; Valid until: 9:09 AM UTC'],
    ['e-form', ['Feedback'], 'The message comes from Brightwater Energy. Form: Feedback; Valid until: 9:09 AM UTC'],
  ] as const) {
    it(`says the same for ${app}`, async () => {
      const { said } = await saidBy(app, {}, ...choice);
      assert.ok(said.split('\n').includes(line), said);
    });
  }

  it('names no sender if none is known', async () => {
    const { said } = await saidBy('payments', { sender: undefined }, 'Router');
    assert.doesNotMatch(said, /comes from/);
    assert.match(said, /\nProduct: Router; Amount: \$89\.00;/);
  });

  it('names the day if the time alone would be read as today’s', async () => {
    const { said } = await saidBy('payments', { now: Date.UTC(2026, 10, 20, 23, 55) }, 'Router');
    assert.match(said, /Valid until: Nov 21, 2026, 12:04 AM UTC/);
  });

  it('does not mention a time that has passed', async () => {
    const { chat } = await saidBy('payments', { channelId: 'msteams' }, 'Router');
    chat.now += 9 * 60_000;
    await chat.hears({ kind: 'progress', interaction: chat.sent.at(-1) as Interaction });
    assert.doesNotMatch(JSON.stringify(chat.updates.at(-1)), /Valid until/);
    chat.now -= 1;
    await chat.hears({ kind: 'progress', interaction: chat.sent.at(-1) as Interaction });
    assert.match(JSON.stringify(chat.updates.at(-1)), /Valid until/);
  });
});

describe('a request that is no longer wanted', () => {
  for (const [locale, words, asked] of [
    ['en-US', 'I dont want this any more', /Shall I cancel it\?/],
    ['en-US', 'I no longer need it', /Shall I cancel it\?/],
    ['es-ES', 'ya no quiero', /¿Lo anulo\?/],
  ] as const)
    it(`is withdrawn when the customer says so again: “${words}”`, async () => {
      const chat = await sentBy('payments', 'Router');
      chat.locale = locale;
      assert.match(await chat.say(words), asked);
      assert.equal(chat.cancels, 0);
      await chat.say(locale === 'es-ES' ? 'sí' : 'yes');
      assert.equal(chat.cancels, 1);
    });
});

describe('a request that has ended', () => {
  const prompts = (said: string) => assert.doesNotMatch(said, /Enter the code|Enter your code|Waiting for your/);

  it('gets no prompt if its outcome came before its first card, as from another replica', async () => {
    const chat = startConversation();
    await chat.say('otp', '+12025550102');
    const { get } = chat.interactions;
    chat.interactions.get = async (id) => {
      const interaction = await get(id);
      return (
        interaction && { ...interaction, state: 'delivered', delivered: true, outcome: { status: 'failure', by: 'result', at: chat.now } }
      );
    };
    const said = await chat.say('send');
    prompts(said);
    assert.match(said, /What would you like to do now\?/);
  });

  it('gets no prompt while its outcome is about to be delivered', async () => {
    const chat = startConversation();
    await chat.say('otp', '+12025550102');
    const { get } = chat.interactions;
    chat.interactions.get = async (id) => {
      const interaction = await get(id);
      return (
        interaction && ({ ...interaction, state: 'decided', outcome: { status: 'failure', by: 'result', at: chat.now } } as Interaction)
      );
    };
    prompts(await chat.say('send'));
  });

  it('keeps its final card if an older step arrives late', async () => {
    const chat = startConversation();
    chat.channelId = 'msteams';
    await chat.say('otp', '+12025550102', 'send');
    const before = chat.sent[0] as Interaction;
    chat.sent[0] = { ...before, state: 'delivered', delivered: true, outcome: { status: 'failure', by: 'result', at: chat.now } };
    await chat.hears({ kind: 'progress', interaction: { ...before, progress: { opened: chat.now } } } as News);
    assert.ok(chat.updates.length > 0);
    assert.doesNotMatch(JSON.stringify(chat.updates.at(-1)), /Check the code/);
  });

  it('is not asked about again beneath its end, after something else was answered', async () => {
    const chat = await sentBy('otp');
    chat.sent[0] = { ...(chat.sent[0] as Interaction), state: 'unknown' };
    prompts(await chat.say('my card is 4111 1111 1111 1111'));
  });
});
