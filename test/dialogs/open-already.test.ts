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
    assert.doesNotMatch(await test.say('pay', '1'), /already open/);
    assert.equal(test.sent.length, 1);
    for (const words of ['1', 'my bill']) {
      const other = beside(test, 'whatsapp', number);
      const sent: number = test.sent.length;
      assert.match(
        await other.say('pay', words),
        /A request for this is already open: its message shows the number 49\. Send another only/,
      );
      assert.equal(test.sent.length, sent);
      await other.say('1');
      assert.equal(test.sent.length, sent + 1);
    }
  });

  it('is not sent if the customer who is told of the first does not want another', async () => {
    const test = start();
    await test.say('pay', '1');
    const other = beside(test, 'whatsapp', number);
    await other.say('pay', '1', 'not now');
    assert.equal(test.sent.length, 1);
  });

  for (const [where, asked] of [
    ['list', ['pay']],
    ['card that asks for it', ['pay', 'my bill']],
  ] as const)
    it(`is told of another that came after the question was asked, once: a ${where}`, async () => {
      const test = start();
      const other = beside(test, 'whatsapp', number);
      assert.doesNotMatch(await other.say(...asked), /already open/);
      await test.say('pay', '1');
      assert.match(await other.say('1'), /already open/);
      assert.equal(test.sent.length, 1);
      await other.say('1');
      assert.equal(test.sent.length, 2);
    });

  it('is not held up by another bill, another app, or one that has ended', async () => {
    const test = start();
    await test.say('pay', '1');
    const [first] = test.sent;
    for (const words of [
      ['pay', '2'],
      ['sign a document', '1'],
    ])
      assert.match(await beside(test, 'whatsapp', number).say(...words), /^Waiting for/);
    Object.assign(first ?? {}, { state: 'delivered' });
    assert.match(await beside(test, 'whatsapp', number).say('pay', '1'), /^Waiting for/);
    assert.equal(test.sent.length, 4);
  });

  for (const [what, channelId, vouched, asksInitials] of [
    ['somebody who typed the number', 'slack', undefined, false],
    ['somebody who gave initials', 'slack', undefined, true],
    ['a caller, whose number may be forged', 'telephony', number, false],
  ] as const)
    it(`is not told to ${what}`, async () => {
      const test = start();
      await test.say('pay', '1');
      const other = Object.assign(beside(test, channelId, vouched), { asksInitials });
      await other.say('pay');
      await other.say(vouched === undefined ? number : 'yes');
      if (asksInitials) await other.say('MT');
      assert.match(await other.say('my bill'), /Text me the link/);
      await other.say('yes');
      assert.doesNotMatch(other.said.map(({ text }) => text).join(), /already open/);
      assert.equal(test.sent.length, 2);
    });
});
