import assert from 'node:assert/strict';
import type { Interaction } from '../../../src/interactions/interaction.ts';
import { type ConversationUnderTest, startConversation } from '../../support/conversation-under-test.ts';
import { withOtherDialogs } from '../../support/other-version.ts';

const phoneNumber = '+12025550102';

describe('a conversation that a root bot runs', () => {
  let chat: ConversationUnderTest;
  let told: (readonly [id: string, how: string])[];
  beforeEach(() => {
    chat = startConversation();
    chat.root = '8a4b1c50-0000-4000-8000-00000000000a';
    told = [];
    const { interactions } = chat;
    Object.assign(interactions, {
      markDelivered: async ({ id }: Interaction, how = 'delivered') => void told.push([id, how]),
    });
  });
  const begin = (name: string, value: object = {}) => chat.happens({ type: 'event', name, value });
  const pays = async () => {
    await begin('payments', { phoneNumber, productId: 'bill' });
    await chat.say('yes');
  };
  const decided = (status: 'success' | 'failure' | 'timeout' | 'cancelled', more: object = {}) => {
    const interaction = chat.sent.at(-1) as Interaction;
    return { ...interaction, state: 'decided', outcome: { status, by: 'result', at: chat.now }, ...more } as Interaction;
  };
  const hears = (interaction: Interaction) => chat.hears({ kind: 'outcome', interaction });

  it('has no greeting for those who join', async () => {
    const membersAdded = [{ id: 'customer', name: '' }];
    assert.equal(await chat.happens({ type: 'conversationUpdate', membersAdded }), '');
    chat.root = undefined;
    assert.match(await chat.happens({ type: 'conversationUpdate', membersAdded }), /Hello/);
  });

  it('offers the customer of a number that the root bot vouches for, even if typed ones need initials', async () => {
    chat.asksInitials = true;
    assert.match(await begin('payments', { phoneNumber }), /M••• T\./);
  });

  for (const status of ['success', 'failure', 'timeout', 'cancelled'] as const)
    it(`is over with a ${status}`, async () => {
      await pays();
      assert.deepEqual(chat.ends, []);
      const said = await hears(decided(status));
      assert.equal(chat.ends.length, 1);
      const { app, status: ended, requestId, customerRef } = chat.ends[0] ?? assert.fail('no end');
      assert.deepEqual([app, ended, requestId, customerRef], ['payments', status, '01KAH5Z0V8Q2J9XW3N4M5P6R7S', 'cust-0102-mei']);
      assert.doesNotMatch(said, /Try again|What else/);
    });

  it('does not reveal a request to a root bot if nobody may learn about it', async () => {
    chat.starts = { blindLookup: true } as never;
    await pays();
    await hears(decided('timeout', { blindLookup: true, customerRef: '' }));
    assert.deepEqual([chat.ends[0]?.status, chat.ends[0]?.requestId], ['timeout', undefined]);
  });

  describe('whose dialogs an update has dropped', () => {
    const failed = { app: 'payments', status: 'failure', reason: 'outdated' };
    beforeEach(async () => {
      await begin('payments', { phoneNumber });
      withOtherDialogs(chat.state);
    });

    it('is over at the customer’s next words, which are not read as a new wish', async () => {
      const said = await chat.say('passkeys');
      assert.match(said, /updated/);
      assert.doesNotMatch(said, /passkey/i);
      assert.deepEqual(chat.ends, [failed]);
    });

    it('is over when the root bot asks for its question', async () => {
      await chat.happens({ type: 'event', name: 'repromptDialog' });
      assert.deepEqual(chat.ends, [failed]);
    });

    it('begins what the root bot begins next instead', async () => {
      assert.match(await begin('passkeys', { phoneNumber }), /Confirm with your passkey[\s\S]*For: M••• T\./);
      assert.deepEqual(chat.ends, []);
    });

    it('has no second end if the root bot ends it', async () => {
      await chat.happens({ type: 'endOfConversation' });
      assert.deepEqual(chat.ends, []);
    });

    it('begins anew after its end', async () => {
      await chat.say('yes');
      assert.match(await begin('passkeys', { phoneNumber }), /Confirm with your passkey[\s\S]*For: M••• T\./);
      assert.deepEqual(chat.ends, [failed]);
    });
  });

  it('is over once all requests are done', async () => {
    await chat.say('I want to pay and to sign a document');
    await chat.say(phoneNumber, 'Bill');
    await hears(decided('success'));
    assert.deepEqual(chat.ends, []);
    await chat.say('yes', 'Mandate');
    assert.equal(chat.sent.length, 2);
    await hears(decided('success'));
    assert.deepEqual(
      chat.ends.map(({ app, status }) => [app, status]),
      [['document-signature', 'success']],
    );
  });

  it('is refused if others can read the chat', async () => {
    const conversation = { id: 'c-1', isGroup: true } as never;
    await chat.happens({ type: 'event', name: 'payments', value: { phoneNumber }, conversation });
    assert.deepEqual(chat.ends, [{ app: 'payments', status: 'left', why: 'shared' }]);
    assert.deepEqual(chat.lookups, []);
  });

  it('ignores events of the root bot’s own while it asks, and does not call them actions', async () => {
    await begin('payments', { phoneNumber });
    assert.equal(await chat.happens({ type: 'event', name: 'theirs' }), '');
    assert.deepEqual(chat.ends, []);
  });

  it('replaces an action that is asking by another one', async () => {
    await begin('payments', { phoneNumber });
    await begin('e-form', { phoneNumber });
    await chat.say('cancel');
    assert.deepEqual(chat.ends, [{ app: 'e-form', status: 'left', why: 'cancel' }]);
  });

  describe('which the root bot has ended', () => {
    beforeEach(async () => {
      await pays();
      assert.equal(await chat.happens({ type: 'endOfConversation' }), '');
      assert.equal(chat.cancels, 1);
    });

    it('says nothing about a withdrawn request', async () => {
      assert.equal(await hears(decided('cancelled', { outcome: { status: 'cancelled', by: 'customer', at: chat.now } })), '');
      assert.deepEqual(told, [[chat.sent[0]?.id, 'delivered']]);
      assert.deepEqual(chat.ends, []);
    });

    it('stores an outcome that arrives anyway as undelivered', async () => {
      assert.equal(await hears(decided('success')), '');
      assert.deepEqual(told, [[chat.sent[0]?.id, 'unreachable']]);
    });

    for (const how of ['event', 'words'] as const)
      it(`can be begun anew, by ${how}`, async () => {
        chat.sent.splice(0);
        if (how === 'event') await pays();
        else await chat.say('I want to pay', 'yes', 'Bill');
        assert.match(await hears(decided('success')), /Payment received/);
        assert.equal(chat.ends.at(-1)?.status, 'success');
      });
  });
});
