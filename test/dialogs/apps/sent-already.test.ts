import assert from 'node:assert/strict';
import type { Interaction } from '../../../src/interactions/interaction.ts';
import { type ConversationUnderTest, startConversation } from '../../support/conversation-under-test.ts';
import { flowOf, flowsOf } from '../../support/flows.ts';

describe('a chat whose request was sent by a turn that failed before it was stored', () => {
  let chat: ConversationUnderTest;
  const sent = async (words: readonly string[], send: string) => {
    await chat.say(...words);
    const before = structuredClone(chat.state);
    const said = chat.said.length;
    await chat.say(send);
    chat.state = before;
    chat.said.splice(said);
    assert.equal(chat.sent.length, 1);
  };
  beforeEach(() => {
    chat = startConversation({ flows: flowsOf({ trial: flowOf('- payments: { product: bill }\n  else: end') }) });
  });

  const beginnings: [string, string[], string, string][] = [
    ['an app', ['payments', '+12025550102', 'my Router'], 'send', 'Text me the link'],
    ['an app whose list sends at once', ['payments', '+12025550102'], 'Router', 'Router'],
    ['a flow', ['trial', '+12025550102'], 'send', 'Text me the link'],
  ];
  for (const [where, words, send, button] of beginnings)
    describe(`in ${where}`, () => {
      beforeEach(() => sent(words, send));

      for (const [how, cancel] of [
        ['typed', () => chat.say('cancel')],
        ['typed as “no”', () => chat.say('no')],
        ['pressed', () => chat.press('Not now')],
      ] as const)
        it(`withdraws it when the customer cancels, and never says that nothing was sent: ${how}`, async () => {
          assert.doesNotMatch(await cancel(), /nothing was sent/i);
          assert.equal(chat.cancels, 1);
        });

      for (const [how, go] of [
        ['the same answer', () => chat.say(send)],
        ['the same button', () => chat.press(button)],
        ['a change', () => chat.say('change')],
        ['a question about it', () => chat.say('where is it?')],
        ['a call for help', () => chat.say('help')],
        ['words that mean nothing', () => chat.say('qwertz')],
      ] as const)
        it(`says that it waits, after ${how}, and sends nothing else`, async () => {
          const said = await go();
          assert.match(said, /Waiting for your payment|on its way/);
          assert.doesNotMatch(said, /nothing (was|has been) sent|not been sent/i);
          assert.deepEqual([chat.sent.length, chat.cancels], [1, 0]);
        });

      it('delivers its outcome once, and asks nothing more about it', async () => {
        const [interaction] = chat.sent;
        Object.assign(interaction as object, { state: 'decided', outcome: { status: 'success', by: 'event', at: chat.now } });
        const said = await chat.hears({ kind: 'outcome', interaction: interaction as Interaction });
        assert.equal(said.match(/Payment received/g)?.length, 1);
        assert.doesNotMatch(await chat.say('send'), /Payment received|Waiting/);
        assert.equal(chat.sent.length, 1);
      });
    });

  it('asks whether to send what was not sent', async () => {
    await chat.say('payments', '+12025550102', 'my Router');
    assert.match(await chat.say('cancel'), /nothing was sent/);
  });
});
