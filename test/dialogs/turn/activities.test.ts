import assert from 'node:assert/strict';
import type { Activity, TurnContext } from 'botbuilder';
import { button, universal, waiting } from '../../../cards/index.ts';
import { makeTexts } from '../../../dialogs/language/texts.ts';
import { asActivity, readInput } from '../../../dialogs/turn/activities.ts';
import { channelOf } from '../../../src/platform/channels.ts';

describe('a typed message', () => {
  const recipient = { id: '28:bot', name: 'Bot' };
  const mention = (text: string, id = recipient.id) => ({ type: 'mention', text, mentioned: { id, name: 'Bot' } });
  const typed = (fields: object) => readInput({ type: 'message', channelId: 'msteams', recipient, ...fields } as Partial<Activity>);

  const said: [string, object, string][] = [
    ['the bot’s name before it', { text: '<at>Bot</at> payments', entities: [mention('<at>Bot</at>')] }, 'payments'],
    [
      'a name of two words, marked twice',
      { text: '<at>My</at> <at>Bot</at> pay', entities: [mention('<at>My</at>'), mention('<at>Bot</at>')] },
      'pay',
    ],
    ['a space that Teams wrote as an entity', { text: '&nbsp;payments' }, 'payments'],
    ['Teams’ newline at the end', { text: 'payments\r\n' }, 'payments'],
    ['characters that Teams wrote as entities', { text: 'Smith &amp; S&#246;hne &lt;3' }, 'Smith & Söhne <3'],
    [
      'somebody else’s name, which is part of what is said',
      { text: '<at>Eve</at> pays', entities: [mention('<at>Eve</at>', '29:eve')] },
      '<at>Eve</at> pays',
    ],
    ['XML', { channelId: 'other', textFormat: 'xml', text: 'a &amp; b' }, 'a & b'],
    ['an entity that a customer typed', { channelId: 'directline', textFormat: 'plain', text: 'a &amp; b' }, 'a &amp; b'],
    ['entities that are none', { text: 'pay', entities: [{ type: 'mention' }, { type: 'mention', text: 'pay', mentioned: null }] }, 'pay'],
    ['a character that would mean something in a replacement', { text: '$& pay', entities: [mention('$&')] }, 'pay'],
  ];
  for (const [what, fields, text] of said) {
    it(`is read without ${what}`.replace(/without (somebody|an entity that a|entities that are none|XML)/, 'with $1'), () => {
      assert.deepEqual(typed(fields), { kind: 'text', text });
    });
  }

  // docs.slack.dev, "Formatting message text": links stand between < and >, and only &, < and > are escaped.
  const slack: [string, string, string][] = [
    ['a phone number', '<tel:2025550110|202-555-0110>', '202-555-0110'],
    ['a phone number in a sentence', 'my number is <tel:+12025550110|+1 202 555 0110>.', 'my number is +1 202 555 0110.'],
    ['a phone number without a label', '<tel:+12025550110>', '+12025550110'],
    ['an e-mail address', '<mailto:mei@example.com|mei@example.com>, or <mailto:m@example.com>', 'mei@example.com, or m@example.com'],
    ['a link without a label', 'see <https://example.com/a?b=1&amp;c=2>', 'see https://example.com/a?b=1&c=2'],
    ['a channel and a member', '<#C1|help> <@U1|mei> <!subteam^S1|@team>', 'help mei @team'],
    ['characters that Slack escapes', 'Tom &amp; Jerry &lt;x&gt;', 'Tom & Jerry <x>'],
    ['a link that a customer typed by hand', '&lt;tel:1|2&gt; &amp;amp;', '<tel:1|2> &amp;'],
  ];
  for (const [what, text, read] of slack)
    it(`is read with ${what} as the customer of Slack sees it`, () => {
      assert.deepEqual(typed({ channelId: 'slack', text }), { kind: 'text', text: read });
    });

  // core.telegram.org/bots/api#contact: the number has its country code, mostly without a plus sign.
  const contact = (fields: object, text = '') => typed({ channelId: 'telegram', text, channelData: { message: { contact: fields } } });

  it('is the number of a contact that was shared, like a typed one', () => {
    assert.deepEqual(contact({ phone_number: '12025550110', user_id: 7 }), { kind: 'text', text: '+12025550110' });
    assert.deepEqual(contact({ phone_number: '+1 202-555-0110' }), { kind: 'text', text: '+12025550110' });
    assert.deepEqual(contact({ phone_number: '12025550110' }, 'this one'), { kind: 'text', text: 'this one' });
  });

  it('is unreadable if a contact has no number', () => {
    for (const fields of [{}, { phone_number: {} }, { phone_number: 'x' }]) assert.deepEqual(contact(fields), { kind: 'unreadable' });
  });

  it('is unreadable if it is only the bot’s name', () => {
    assert.deepEqual(typed({ text: '<at>Bot</at>&nbsp;', entities: [mention('<at>Bot</at>')] }), { kind: 'unreadable' });
  });
});

describe('a number in a plain message of a language that is written from the right', () => {
  const sent = (language: 'ar' | 'en', text: string, channelId = 'msteams') =>
    asActivity({ channel: channelOf({ channelId }), t: makeTexts(language), context: {} as TurnContext }, text).text;

  // Some channels lay every bubble out from the left, others by its first letter: neither may turn a number around.
  for (const [what, text, shown] of [
    ['with its plus', 'أو \u200E+1 202 555 0101.', 'أو \u2066+1 202 555 0101\u2069.'],
    ['in groups', 'مثلًا: 202 555 0101 أو', 'مثلًا: \u2066202 555 0101\u2069 أو'],
    ['that is masked', 'إلى \u200E+1•••0102؟', 'إلى \u2066+1•••0102\u2069؟'],
    ['two of them', '+1•••0102, 20 55', '\u2066+1•••0102\u2069, \u206620 55\u2069'],
  ] as const)
    it(`is isolated ${what}`, () => {
      for (const channelId of ['msteams', 'slack', 'telegram', 'whatsapp']) assert.equal(sent('ar', text, channelId), shown);
    });

  it('is left as it is where it stands alone, where it is spoken or paid for by the letter, and in other languages', () => {
    for (const text of ['الرقم 34', '1. نعم\n2. لا']) assert.equal(sent('ar', text), text);
    assert.equal(sent('ar', 'إلى +1 202', 'sms'), 'إلى +1 202');
    assert.doesNotMatch(sent('ar', 'إلى +1 202', 'telephony') ?? '', /[\u2066\u2069]/);
    assert.equal(sent('en', '+1 202 555 0101'), '+1 202 555 0101');
  });

  it('stands so in the question for the phone number', () => {
    assert.match(sent('ar', makeTexts('ar')('phone.ask')) ?? '', /\u2066202 555 0101\u2069.*\u2066\+1 202 555 0101\u2069/);
  });
});

describe('a message with a card', () => {
  const t = makeTexts('en');
  const at = Date.UTC(2026, 10, 20, 9);
  const card = waiting({ app: 'payments', to: '•••0102', code: '42', progress: { sent: at }, actions: [button('status', 'a1', t)] }, t);
  const context = { activity: { from: { id: 'u1' } } } as TurnContext;
  const on = (channelId: string, serviceUrl = 'https://channel.example/', extras = {}) =>
    asActivity({ channel: channelOf({ channelId, serviceUrl }), t, context }, card, extras);

  it('has a card, a one-line summary and words to speak, but never text', () => {
    for (const channelId of ['msteams', 'webchat', 'directline', 'emulator']) {
      const { attachments, text, textFormat, summary, speak } = on(channelId);
      const shown = channelId === 'msteams' ? universal(card.card) : card.card;
      assert.deepEqual([attachments?.length, attachments?.[0]?.content, text, textFormat], [1, shown, undefined, undefined], channelId);
      assert.match(summary ?? '', /^Waiting for your payment\. [^\n]*$/);
      assert.equal(speak, card.speak);
    }
  });

  it('is refreshed for the customer only, if the channel can and the message asks for it', () => {
    const refreshes = (channelId: string, extras: object) => on(channelId, undefined, extras).attachments?.[0]?.content.refresh;
    assert.deepEqual(refreshes('msteams', { refreshes: true }).userIds, ['u1']);
    assert.equal(refreshes('msteams', {}), undefined);
    assert.equal(refreshes('webchat', { refreshes: true }), undefined);
  });

  it('has a text for Web Chat to read out', () => {
    assert.equal(on('directline').channelData['webchat:fallback-text'], card.text);
    assert.equal(on('msteams').channelData, undefined);
  });

  it('is text alone on channels without cards', () => {
    const { attachments, text, textFormat, summary, speak, channelData } = on('slack');
    assert.deepEqual(
      [attachments, text, textFormat, summary, speak, channelData],
      [undefined, card.text, 'plain', undefined, undefined, undefined],
    );
  });

  it('leaves out the steps on channels without updates, and uses the SMS alphabet for text messages', () => {
    const [title, code, , , , , options] = card.text.split('\n');
    assert.equal(on('whatsapp').text, [title, code, options].join('\n'));
    assert.equal(on('sms').text, [title?.replace('•••', '***'), code, options].join('\n'));
  });

  it('is spoken without symbols, and without the steps that are still to come', () => {
    assert.match(card.text, /✓ Sent to your phone, .*\n● Waiting to be opened\n○ Started\n○ Completed\nYou can answer: Status/);
    assert.match(card.speak, /42\nSent to your phone, .*\nWaiting to be opened\nYou can answer: Status$/);
  });

  it('notifies the customer if that is asked for, and if the channel can', () => {
    const data = { alert: true, deliveryKey: 'i1:ending', channelData: { interaction: { app: 'payments' } } };
    assert.deepEqual(on('msteams', undefined, data).channelData, {
      interaction: { app: 'payments' },
      notification: { alert: true },
      deliveryKey: 'i1:ending',
    });
    assert.equal('notification' in on('directline', undefined, data).channelData, false);
  });
});
