import assert from 'node:assert/strict';
import { button, waiting } from '../../cards/index.ts';
import { channelOf } from '../../dialogs/channel.ts';
import { asActivity } from '../../dialogs/say.ts';
import { makeTexts } from '../../dialogs/texts.ts';

describe('a message with a card', () => {
  const t = makeTexts('en');
  const at = Date.UTC(2026, 10, 20, 9);
  const card = waiting({ app: 'payments', to: '•••0102', code: '42', progress: { sent: at }, actions: [button('status', 'a1', t)] }, t);
  const on = (channelId: string, serviceUrl = 'https://channel.example/', extras = {}) =>
    asActivity({ channel: channelOf({ channelId, serviceUrl }), t }, card, extras);

  it('is a card, one line for a notification, and words to be spoken, and never text beside them', () => {
    for (const channelId of ['msteams', 'webchat', 'directline', 'emulator']) {
      const { attachments, text, textFormat, summary, speak } = on(channelId);
      assert.deepEqual([attachments?.length, attachments?.[0]?.content, text, textFormat], [1, card.card, undefined, undefined], channelId);
      assert.match(summary ?? '', /^Waiting for your payment\. [^\n]*$/);
      assert.equal(speak, card.speak);
    }
  });

  it('is read out by Web Chat, in words that stand beside the card', () => {
    assert.equal(on('directline').channelData['webchat:fallback-text'], card.text);
    assert.equal(on('msteams').channelData, undefined);
  });

  it('is text alone where cards are not shown', () => {
    const { attachments, text, textFormat, summary, speak, channelData } = on('sms');
    assert.deepEqual(
      [attachments, text, textFormat, summary, speak, channelData],
      [undefined, card.text, 'plain', undefined, undefined, undefined],
    );
  });

  it('is spoken without marks, and without the steps that are still to come', () => {
    assert.match(card.text, /✓ Sent to your phone, .*\n● Waiting to be opened\n○ Started\n○ Completed\nYou can answer: Status/);
    assert.match(card.speak, /42\nSent to your phone, .*\nWaiting to be opened\nYou can answer: Status$/);
  });

  it('alerts where it is worth it, and where the channel can', () => {
    const data = { alert: true, name: 'i1:ending', channelData: { interaction: { app: 'payments' } } };
    assert.deepEqual(on('msteams', undefined, data).channelData, {
      interaction: { app: 'payments' },
      notification: { alert: true },
      deliveryKey: 'i1:ending',
    });
    assert.equal('notification' in on('directline', undefined, data).channelData, false);
  });
});
