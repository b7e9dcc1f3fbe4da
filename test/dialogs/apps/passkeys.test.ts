import assert from 'node:assert/strict';
import type { Interaction } from '../../../src/interactions/index.ts';
import { type ConversationUnderTest, startConversation } from '../../support/conversation-under-test.ts';

/** The end of the newest request, as a service reports it that ends a request with the set-up. */
const ended = (chat: ConversationUnderTest, action: string) => {
  const interaction = chat.sent.at(-1) as Interaction;
  const { app, customerRef } = interaction;
  const result = { app, customerRef, status: 'success', action, timestamp: new Date(chat.now).toISOString() };
  const outcome = { status: 'success', by: 'result', at: chat.now, result } as unknown as NonNullable<Interaction['outcome']>;
  const address = JSON.stringify({ channelId: 'directline', conversation: { id: 'c-1' }, user: { id: 'customer' } });
  return { kind: 'outcome', interaction: { ...interaction, address, outcome } } as const;
};

describe('a passkey that was only set up', () => {
  let chat: ConversationUnderTest;
  beforeEach(async () => {
    chat = startConversation();
    await chat.say('passkeys', '+12025550102', 'send');
    assert.equal(chat.sent.length, 1);
  });

  it('is used by one button, without the name and the review', async () => {
    assert.match(await chat.hears(ended(chat, 'enrollment')), /Your passkey is set up[\s\S]*Would you like to use it now\?/);
    const answer = await chat.press('Confirm now');
    assert.match(answer, /Waiting for your passkey/);
    assert.doesNotMatch(answer, /Confirm with your passkey|phone number/);
    const [first, second] = chat.sent;
    assert.equal(chat.sent.length, 2);
    assert.equal(second?.customerRef, first?.customerRef);
    assert.match(await chat.hears(ended(chat, 'authentication')), /You are verified/);
    assert.equal(chat.sent.length, 2);
  });

  it('is used by the words that the button shows, once, however often they are said', async () => {
    await chat.hears(ended(chat, 'enrollment'));
    const before = structuredClone(chat.state);
    await chat.say('confirm now');
    assert.equal(chat.sent.length, 2);
    // A turn that failed before its state was stored is repeated.
    chat.state = before;
    await chat.say('confirm now');
    assert.equal(chat.sent.length, 2);
  });

  it('is not asked of another customer who has the number by then, before that customer is shown', async () => {
    await chat.hears(ended(chat, 'enrollment'));
    chat.found = { ...chat.found, customers: chat.found.customers.map((one) => ({ ...one, id: 'cust-0102-ken', name: 'Ken Tanaka' })) };
    assert.match(await chat.press('Confirm now'), /K••• T\./);
    assert.equal(chat.sent.length, 1);
    await chat.say('send');
    assert.equal(chat.sent.at(-1)?.customerRef, 'cust-0102-ken');
  });

  it('can wait', async () => {
    await chat.hears(ended(chat, 'enrollment'));
    assert.match(await chat.press('Not now'), /What can I do for you|What would you like/);
    assert.equal(chat.sent.length, 1);
  });

  it('leaves nothing to confirm in a chat that is verified', async () => {
    await chat.hears(ended(chat, 'authentication'));
    await chat.say('passkeys', 'send');
    assert.equal(chat.sent.length, 2);
    const answer = await chat.hears(ended(chat, 'enrollment'));
    assert.match(answer, /Your passkey is set up\. You can use it from now on\./);
    assert.doesNotMatch(answer, /to confirm|Confirm now/);
  });

  it('is used with the number and initials that the chat has, where hit and miss are alike', async () => {
    chat = startConversation();
    chat.asksInitials = true;
    await chat.say('passkeys', '+12025550102', 'MT', 'send');
    assert.equal(chat.sent.length, 1);
    await chat.hears(ended(chat, 'enrollment'));
    assert.match(await chat.press('Confirm now'), /Waiting for your passkey/);
    assert.equal(chat.sent.length, 2);
  });
});
