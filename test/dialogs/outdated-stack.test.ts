import assert from 'node:assert/strict';
import { makeTexts } from '../../dialogs/language/texts.ts';
import { phrasesOf } from '../../dialogs/language/words.ts';
import { openIn } from '../../dialogs/turn/turn.ts';
import { startConversation } from '../support/conversation-under-test.ts';

describe('a chat in the middle of a dialog that an update has removed', () => {
  // The outermost one, and one inside it.
  for (const [which, rename] of [
    ['whole', (stack: { id: string }[]) => Object.assign(stack[0] ?? {}, { id: 'gone' })],
    [
      'a step of it',
      (stack: { state: { dialogs: { dialogStack: { id: string }[] } } }[]) =>
        Object.assign(stack[0]?.state.dialogs.dialogStack[0] ?? {}, { id: 'gone' }),
    ],
  ] as const) {
    it(`is told so, and can begin anew (${which})`, async () => {
      const chat = startConversation();
      await chat.say('payments', '+12025550102');
      // biome-ignore lint/suspicious/noExplicitAny: the SDK types what it stores as any.
      rename(chat.state.dialogs?.dialogStack as any);
      assert.match(await chat.say('Router'), /updated/);
      assert.equal(chat.sent.length, 0);
      assert.match(await chat.say('payments', '+12025550102', 'my router'), /Pay \S+ on your phone/);
    });
  }

  it('is understood when a button is pressed that an earlier version kept by its id', async () => {
    const chat = startConversation();
    await chat.say('pay for the router', '+12025550102');
    const open = openIn(chat.state.dialogs).at(-1);
    assert.ok(open);
    open.state.actions = Object.fromEntries(open.state.actions.map((id: string, index: number) => [id, index]));
    assert.match(await chat.press('Not now'), /nothing was sent/);
  });

  it('is understood when it answers a question whose phrases an earlier version kept as a list', async () => {
    const chat = startConversation();
    await chat.say('pay for the router', '+12025550102');
    const open = openIn(chat.state.dialogs).at(-1);
    assert.ok(open);
    for (const choice of open.state.choices) choice.phrases = phrasesOf(makeTexts('en'), choice.phrases);
    delete open.state.language;
    assert.match(await chat.say('never mind, thank you'), /nothing was sent/);
  });

  it('still hears how the request ended that it waited for', async () => {
    const chat = startConversation();
    await chat.say('payments', '+12025550102', 'Router');
    const [sent] = chat.sent;
    assert.ok(sent);
    Object.assign(chat.state.dialogs?.dialogStack[0] ?? {}, { id: 'gone' });
    const interaction = { ...sent, state: 'decided', outcome: { status: 'success', by: 'event', at: chat.now } } as const;
    assert.match(await chat.hears({ kind: 'outcome', interaction }), /[Pp]aid|[Pp]ayment/);
  });
});
