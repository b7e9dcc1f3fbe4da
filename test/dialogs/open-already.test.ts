import assert from 'node:assert/strict';
import { startConversation } from '../support/conversation-under-test.ts';

describe('a request for what is open already', () => {
  const number = '+12025550102';
  const start = () => Object.assign(startConversation(), { channelId: 'sms', callerNumber: number as string | undefined });
  /** Another chat of the same customer, with the same service. */
  const beside = (test: ReturnType<typeof start>, channelId: string, callerNumber?: string) => {
    const other = Object.assign(start(), { channelId, callerNumber });
    Object.assign(other.interactions, test.interactions);
    return other;
  };

  it('is confirmed with the number of the first in view, in whichever chat of that phone', async () => {
    const test = start();
    const first = await test.say('pay', '1', '1');
    assert.doesNotMatch(first, /already open/);
    await test.say('1');
    const other = beside(test, 'whatsapp', number);
    assert.match(
      await other.say('pay', '1', '1'),
      /A request for this is already open: its message shows the number 49\. Send another only/,
    );
    await other.say('1');
    assert.equal(test.sent.length, 2);
  });

  it('is told of another that came after the question was asked, once', async () => {
    const test = start();
    const other = beside(test, 'whatsapp', number);
    assert.doesNotMatch(await other.say('pay', '1', '1'), /already open/);
    await test.say('pay', '1', '1', '1');
    assert.match(await other.say('1'), /already open/);
    assert.equal(test.sent.length, 1);
    await other.say('1');
    assert.equal(test.sent.length, 2);
  });

  it('is not held up by another bill, another app, or one that has ended', async () => {
    const test = start();
    await test.say('pay', '1', '1', '1');
    assert.doesNotMatch(await beside(test, 'whatsapp', number).say('pay', '1', '2'), /already open/);
    assert.doesNotMatch(await beside(test, 'whatsapp', number).say('sign a document', '1', '1'), /already open/);
    Object.assign(test.sent[0] ?? {}, { state: 'delivered' });
    assert.doesNotMatch(await beside(test, 'whatsapp', number).say('pay', '1', '1'), /already open/);
  });

  for (const [what, channelId, vouched, asksInitials] of [
    ['somebody who typed the number', 'slack', undefined, false],
    ['somebody who gave initials', 'slack', undefined, true],
    ['a caller, whose number may be forged', 'telephony', number, false],
  ] as const)
    it(`is not told to ${what}`, async () => {
      const test = start();
      await test.say('pay', '1', '1', '1');
      const other = Object.assign(beside(test, channelId, vouched), { asksInitials });
      await other.say('pay');
      await other.say(vouched === undefined ? number : 'yes');
      if (asksInitials) await other.say('MT');
      const confirmed = await other.say('yes', '1');
      assert.doesNotMatch(other.said.map(({ text }) => text).join(), /already open/);
      assert.match(confirmed, /Send this payment request/);
    });
});
