import assert from 'node:assert/strict';
import type { VerificationState } from '../../../src/verification/index.ts';
import { type ChatwootChat, openChatwootChat } from '../../support/chatwoot-chat.ts';
import { until } from '../../support/until.ts';

const createMessage = 'create-a-new-message-in-a-conversation';
const verified: VerificationState = {
  ...{ state: 'verified', method: 'passkeys', customerRef: 'cust-1', requestId: 'r1' },
  ...{ at: Date.now(), until: Date.now() + 900_000 },
};
const none: VerificationState = { state: 'none' };

describe('a chat that goes to Chatwoot', () => {
  let chat: ChatwootChat;
  beforeEach(async () => {
    chat = await openChatwootChat();
  });
  afterEach(() => chat.close());
  const conversation = () => chat.chatwoot.conversations.at(-1) ?? assert.fail('there is no conversation');
  const words = () => conversation().messages.flatMap(({ content, message_type }) => (message_type === 0 ? [content] : []));
  const [mara] = [{ id: 7, email: 'mara@example.com', name: 'Mara' }];
  /** A handoff that an agent has taken. */
  const join = async (state: VerificationState = none) => {
    chat.verify(state);
    await chat.request();
    await chat.settled();
    await chat.chatwoot.assign(conversation().id, mara);
    await chat.poll();
    await until(async () => (await chat.record()).state === 'accepted', 'the agent');
  };
  const shown = () => {
    const { custom_attributes: has, labels } = conversation();
    const { cs_assertion, cs_customer_ref, cs_verified, cs_verification, cs_verified_until } = has;
    const label = labels.filter((one) => /^cs-(verified|expired|failed|not-verified)$/.test(one)).join();
    return { cs_verified, cs_verification, label, more: [cs_assertion, cs_customer_ref, cs_verified_until].filter(Boolean).length };
  };
  const nobody = { cs_verified: false, cs_verification: 'none', label: 'cs-not-verified', more: 0 };
  /** The end of the verification that was shown. */
  const lapsed = { cs_verified: false, cs_verification: 'expired', label: 'cs-expired', more: 1 };

  describe('shows nobody as verified', () => {
    const endings: [string, () => Promise<unknown>, typeof nobody, status: string][] = [
      ['the agent resolves it', () => chat.chatwoot.setStatus(conversation().id, 'resolved'), lapsed, 'resolved'],
      ['the agent gives it back', () => chat.chatwoot.setStatus(conversation().id, 'pending'), lapsed, 'pending'],
      ['the customer goes back to the bot', () => chat.leave(), lapsed, 'resolved'],
      [
        'the verification ends while the agent stays',
        async () => {
          chat.verify(none);
          await chat.report();
        },
        nobody,
        'open',
      ],
    ];
    for (const [when, end, after, status] of endings)
      it(`once ${when}, and is ${status} then`, async () => {
        await join(verified);
        assert.deepEqual(shown(), { cs_verified: true, cs_verification: 'verified', label: 'cs-verified', more: 3 });
        await end();
        await chat.poll();
        await chat.settled();
        assert.deepEqual([shown(), conversation().status], [after, status]);
      });

    it('once the agent resolves it, although Chatwoot fails at first', async () => {
      await join(verified);
      for (const operation of [
        'conversation-add-labels',
        'update-custom-attributes-of-a-conversation',
        'destroy-custom-attributes-of-a-conversation',
      ]) {
        let times = 0;
        const before = chat.chatwoot.fault;
        chat.chatwoot.fault = (asked, body) => (asked === operation && ++times === 1 ? 500 : before?.(asked, body));
      }
      await chat.chatwoot.setStatus(conversation().id, 'resolved');
      await chat.poll();
      await chat.settled();
      assert.deepEqual(shown(), lapsed);
    });

    it('once the customer goes back to the bot, although Chatwoot refuses that more often than words', async () => {
      await join(verified);
      let refused = 0;
      chat.chatwoot.fault = (operation) => (operation === 'conversation-add-labels' && ++refused <= 7 ? 422 : undefined);
      await chat.leave();
      await chat.settled();
      assert.deepEqual([shown(), chat.givenUp], [lapsed, []]);
    });

    it('because of an outcome that comes after the end', async () => {
      await join(none);
      await chat.leave();
      await chat.settled();
      chat.verify(verified);
      await chat.engine.report(await chat.record(), {
        ...{ type: 'outcome', key: 'outcome' },
        data: { outcome: { app: 'passkeys', status: 'success' }, verification: verified },
      });
      await chat.settled();
      assert.deepEqual(shown(), lapsed);
    });
  });

  it('shows who is verified with the words of the customer, although nothing else was said of it', async () => {
    await join();
    chat.verify(verified);
    await chat.write('It is me');
    await chat.settled();
    assert.deepEqual(shown(), { cs_verified: true, cs_verification: 'verified', label: 'cs-verified', more: 3 });
  });

  it('gets words that Chatwoot refuses at first, in their order', async () => {
    await join();
    let times = 0;
    chat.chatwoot.fault = (operation) => (operation === createMessage && ++times <= 4 ? 422 : undefined);
    await chat.write('my house is on fire');
    await chat.write('please hurry');
    await chat.settled();
    assert.deepEqual(words(), ['my house is on fire', 'please hurry']);
    assert.ok(!chat.told.includes('undelivered'));
  });

  for (const status of [400, 401, 403, 404, 409, 422])
    it(`tells the customer within five attempts what does not reach it if Chatwoot answers ${status} for good`, async () => {
      await join();
      let refused = 0;
      chat.chatwoot.fault = (operation, body) => {
        if (operation !== createMessage || !/fire/.test(body.content)) return undefined;
        refused += 1;
        return status;
      };
      await chat.write('my house is on fire');
      await chat.write('please hurry');
      await chat.settled();
      assert.deepEqual([words(), refused], [['please hurry'], 5]);
      assert.deepEqual(
        chat.told.filter((one) => one === 'undelivered'),
        ['undelivered'],
      );
      assert.deepEqual(chat.givenUp, ['message']);
      assert.match(chat.lines.join('\n'), /"level":"error".*an event to a hub is given up/);
      assert.doesNotMatch(chat.lines.join('\n'), /fire/);
    });

  it('gets a long message that was left, in full', async () => {
    const note = 'x'.repeat(1870);
    await chat.request({ reason: 'message', note });
    await chat.settled();
    assert.deepEqual(words(), [note]);
    assert.equal(String(conversation().custom_attributes.va_AgentMessage).length, 1500);
    assert.deepEqual([chat.told, chat.givenUp], [[], []]);
  });

  describe('in an inbox that is locked to a single conversation', () => {
    beforeEach(async () => {
      chat.chatwoot.inbox.lock_to_single_conversation = true;
      await join(verified);
      await chat.chatwoot.write(conversation().id, mara, 'Goodbye');
      await chat.chatwoot.setStatus(conversation().id, 'resolved');
      await chat.poll();
      await chat.settled();
      chat.told.length = 0;
      chat.verify(none);
    });

    it('goes on in the old one, which is open and nobody’s again', async () => {
      const { id } = await chat.request({ reason: 'trouble' });
      await chat.settled();
      await chat.poll();
      assert.equal(chat.chatwoot.conversations.length, 1);
      const { assignee, custom_attributes: has, status } = conversation();
      assert.deepEqual([assignee, status, has.cs_handoff, has.cs_reason], [undefined, 'open', id, 'trouble']);
      assert.deepEqual(shown(), nobody);
      assert.deepEqual(chat.told, []);
      assert.equal((await chat.engine.at('chatwoot', String(conversation().id)))?.id, id);
    });

    it('brings the agent who takes it anew, and nothing that was written before', async () => {
      await chat.request();
      await chat.settled();
      await chat.chatwoot.assign(conversation().id, mara);
      await chat.chatwoot.write(conversation().id, mara, 'Hello again');
      await chat.poll();
      await until(() => chat.told.length > 1, 'the agent');
      assert.deepEqual(chat.told, ['accept', 'Hello again']);
      assert.doesNotMatch(
        conversation()
          .messages.map(({ content }) => content)
          .join(),
        /did not reach/,
      );
    });
  });

  for (const merges of [true, false])
    it(`keeps what agents have entered, with a Chatwoot that ${merges ? 'merges' : 'replaces'} attributes`, async () => {
      chat.chatwoot.merges = merges;
      await join();
      conversation().custom_attributes.contract = 'gold';
      if (merges)
        chat.chatwoot.fault = (operation) => {
          // Somebody edits it while the bot is writing.
          if (operation === 'update-custom-attributes-of-a-conversation') conversation().custom_attributes.contract = 'platinum';
          return undefined;
        };
      chat.verify(verified);
      await chat.report();
      await chat.settled();
      assert.equal(conversation().custom_attributes.contract, merges ? 'platinum' : 'gold');
      assert.equal(conversation().custom_attributes.cs_verified, true);
    });

  it('brings no message that an agent has deleted before it was read', async () => {
    await join();
    await chat.chatwoot.write(conversation().id, mara, 'Wrong customer data 4711');
    await chat.chatwoot.deleteLast(conversation().id);
    await chat.chatwoot.write(conversation().id, mara, 'Hello');
    await chat.poll();
    assert.deepEqual(chat.told, ['accept', 'Hello']);
  });

  it('tells agents once that a deleted message stays with the customer', async () => {
    await join();
    await chat.chatwoot.write(conversation().id, mara, 'Wrong customer data 4711');
    await chat.poll();
    await chat.chatwoot.deleteLast(conversation().id);
    for (let times = 0; times < 2; times += 1) await chat.poll();
    const notes = conversation().messages.filter(({ content }) => /deleted message stays with the customer/i.test(content));
    assert.deepEqual(
      notes.map((note) => note.private),
      [true],
    );
    assert.deepEqual(chat.told, ['accept', 'Wrong customer data 4711']);
  });

  it('gets a message once from an older Chatwoot, which keeps no attributes of messages', async () => {
    chat.chatwoot.keepsAttributes = false;
    await join();
    chat.chatwoot.loses.push(createMessage);
    await chat.write('only once');
    await chat.settled();
    assert.deepEqual(words(), ['only once']);
  });

  it('writes nothing into the conversation of a contact who is only called like it', async () => {
    await chat.request();
    await chat.settled();
    const [own] = chat.chatwoot.contacts;
    await chat.leave();
    await chat.settled();
    chat.chatwoot.contacts.unshift({ id: 9999, identifier: 'somebody else', name: `About ${own?.identifier}` });
    await chat.request();
    await chat.settled();
    assert.deepEqual(
      chat.chatwoot.conversations.map(({ contact }) => contact),
      [own?.id, own?.id],
    );
  });

  it('is not searched for again, if a later step of the request breaks off', async () => {
    let times = 0;
    chat.chatwoot.fault = (operation) => (operation === createMessage && ++times === 1 ? 500 : undefined);
    await chat.request();
    await chat.settled();
    assert.ok(times > 1);
    assert.equal(chat.chatwoot.asked.filter(({ operation }) => operation === 'contactSearch').length, 1);
  });

  it('arrives at the first attempt, though every call takes half a second', async () => {
    chat.chatwoot.delay = 450;
    await chat.request({ transcript: [{ from: 'customer', text: 'hello', at: 0 }] });
    await chat.settled();
    assert.ok(chat.chatwoot.asked.length > 5);
    assert.deepEqual([chat.lines, chat.chatwoot.asked.filter(({ operation }) => operation === 'newConversation').length], [[], 1]);
  });

  it('looks back for a message that may be there, however much was written since', async () => {
    await join();
    chat.chatwoot.loses.push(createMessage);
    let times = 0;
    chat.chatwoot.fault = (operation) => {
      if (operation !== 'list-all-messages' || ++times > 1) return undefined;
      for (let count = 0; count < 45; count += 1) void chat.chatwoot.note(conversation().id, mara, `note ${count}`);
      return undefined;
    };
    await chat.write('only once');
    await chat.settled();
    assert.deepEqual(words(), ['only once']);
  });
});
