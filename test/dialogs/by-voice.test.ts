import assert from 'node:assert/strict';
import type { Interaction } from '../../src/interactions/index.ts';
import { type ConversationUnderTest, startConversation } from '../support/conversation-under-test.ts';
import type { Seen } from '../support/direct-line.ts';

const start = (more: Partial<ConversationUnderTest> = {}) =>
  Object.assign(startConversation(), { channelId: 'telephony', callerNumber: '+12025550102' }, more);

describe('a conversation by voice', () => {
  const outcomeOf = (test: ConversationUnderTest, status: string) => {
    const sent = test.sent.at(-1) as Interaction;
    return { kind: 'outcome', interaction: { ...sent, state: 'decided', outcome: { status, at: test.now } } } as never;
  };

  it('says with each message whether an answer is expected, welcome, or not yet: of a turn, only the last one opens the microphone', async () => {
    const test = start();
    const turns: [string, () => Promise<string>, 'expectingInput' | 'acceptingInput'][] = [
      ['a greeting', () => test.say('hello'), 'expectingInput'],
      ['nonsense', () => test.say('colourless green ideas'), 'expectingInput'],
      ['nonsense again', () => test.say('sleep furiously'), 'expectingInput'],
      ['a wish', () => test.say('pay and sign a document'), 'expectingInput'],
      ['help', () => test.say('help'), 'expectingInput'],
      ['status', () => test.say('status'), 'expectingInput'],
      ['a remark', () => test.say('is this a scam'), 'expectingInput'],
      ['a person', () => test.say('agent'), 'expectingInput'],
      ['yes', () => test.say('yes'), 'expectingInput'],
      ['what', () => test.say('my bill'), 'expectingInput'],
      ['send', () => test.say('send'), 'acceptingInput'],
      ['talk', () => test.say('nice weather'), 'acceptingInput'],
      ['start over', () => test.say('start over'), 'expectingInput'],
      ['stay', () => test.say('2'), 'acceptingInput'],
      ['resend', () => test.say('1'), 'acceptingInput'],
      ['a person while waiting', () => test.say('agent'), 'acceptingInput'],
      ['silence', () => test.hears({ kind: 'still', interaction: test.sent.at(-1) as Interaction }), 'acceptingInput'],
      ['the outcome', () => test.hears(outcomeOf(test, 'success')), 'expectingInput'],
      ['no', () => test.say('cancel'), 'expectingInput'],
      ['a failure', () => test.say('pay', 'yes', 'bill').then(() => test.hears(outcomeOf(test, 'failure'))), 'expectingInput'],
      ['goodbye', () => test.say('goodbye'), 'acceptingInput'],
    ];
    for (const [what, act, last] of turns) {
      let before = test.said.length;
      // Only the last turn of several counts.
      const happened = act();
      await happened;
      if (what === 'a failure') before = test.said.length - 2;
      const hints = test.said.slice(before).map(({ inputHint }: Seen) => inputHint);
      assert.ok(hints.length > 0, what);
      assert.deepEqual(hints, [...hints.slice(1).map(() => 'ignoringInput'), last], what);
    }
  });

  it('has SSML in every message', async () => {
    const test = start();
    await test.say('hello', 'pay', 'yes', 'bill', 'status');
    for (const { speak, text, attachments } of test.said) {
      assert.match(speak, /^<speak version="1\.0" [^>]+>(?:<s>.+<\/s>)+<\/speak>$/);
      assert.equal(attachments, undefined);
      assert.doesNotMatch(text, /[\uE000-\uE00F]/);
    }
  });

  it('takes words that were recognised twice once, and lets the next question be heard', async () => {
    const test = start();
    // The turn of words takes a second, after which the next question is asked.
    const says = (text: string, since = 0) => {
      const timestamp = new Date(test.now + since);
      test.now += 1000;
      return test.happens({ type: 'message', text, timestamp, locale: 'en-US' });
    };
    await says('pay');
    await says('yes', 500);
    assert.match(await says('my bill', 500), /^Pay 128\.40 US dollars on your phone\./);
    assert.equal(await says('my bill', -1), '');
    assert.equal(await says('My bill.', -1001), '');
    assert.match(await says('my bill', 0), /Pay 128\.40 US dollars on your phone\./);
    assert.deepEqual(test.sent, []);
    // Other words are an answer of their own.
    assert.match(await says('yes', -1), /^Waiting for your payment/);
  });

  it('says each time that it still waits, and nothing if nothing is pending', async () => {
    const test = start();
    await test.say('pay', 'yes', 'bill');
    const still = { kind: 'still', interaction: test.sent[0] as Interaction } as const;
    assert.match(await test.hears(still), /^I am still waiting for Payments\. Stay on the line, or hang up/);
    assert.match(await test.hears(still), /still waiting/);
    await test.hears(outcomeOf(test, 'success'));
    assert.equal(await test.hears(still), '');
  });

  it('confirms the number that the call came from, and asks for initials if typed numbers need them', async () => {
    const test = start({ asksInitials: true });
    assert.match(await test.say('pay'), /Is the number ending in 0102 yours\?/);
    assert.match(await test.say('yes'), /the initials of your name/);
    assert.deepEqual(test.lookups, []);
  });

  it('gives no more choices a key than there are keys', async () => {
    const test = start();
    const [one] = test.found.products;
    test.found = {
      ...test.found,
      products: Array.from({ length: 10 }, (_, index) => ({ ...one, id: `p${index}`, title: `Bill ${index}` })) as never,
    };
    const asked = await test.say('pay', 'yes');
    assert.match(asked, /\n8 for Bill 7, .*\nBill 8, .*\nBill 9, /);
  });

  it('includes AudioCodes calls through Azure’s Direct Line, as soon as they identify themselves; the number is only a guess', async () => {
    const test = startConversation();
    assert.ok(await test.happens({ type: 'conversationUpdate', membersAdded: [{ id: 'customer', name: '' }] }));
    const channelData = { vaigConversationId: '4c1f', caller: '+12025550102', callee: '+12025550000' };
    assert.match(await test.happens({ type: 'event', name: 'channel', channelData }), /1 for Confirm it's you/);
    assert.match(await test.happens({ type: 'event', name: 'DTMF', value: '4' }), /Is the number ending in 0102 yours\?/);
    await test.say('yes', 'bill');
    assert.match(await test.hears(outcomeOf(test, 'success')), /^Payment received/);
    assert.match(test.said.at(-1)?.speak, /^<speak/);
  });

  it('ends with goodbye, unless a request is still pending', async () => {
    const ends: string[] = [];
    for (const before of [['hello'], ['pay', 'yes', 'bill']]) {
      const test = start();
      test.onActivity = ({ type }) => void ends.push(type ?? '');
      await test.say(...before);
      ends.length = 0;
      await test.say('goodbye');
      assert.equal(ends.includes('endOfConversation'), before.length === 1, String(before));
    }
  });

  it('reads keys as Azure’s telephony channel sends them, and no others as keys', async () => {
    const test = start();
    await test.say('hello');
    const key = (text: string, entities: object[]) => test.happens({ type: 'message', text, entities: entities as never });
    assert.match(await key('4', [{ type: 'DTMF' }]), /Is the number ending in 0102 yours/);
    assert.match(await key('9', [{ type: 'DTMF' }]), /^Is the number ending in 0102 yours/);
    const chat = startConversation();
    assert.doesNotMatch(await chat.happens({ type: 'event', name: 'DTMF', value: '4' }), /./);
  });
});
