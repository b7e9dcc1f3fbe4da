import assert from 'node:assert/strict';
import { SegmentedMessage } from 'sms-segments-calculator';
import { inSegments } from '../../dialogs/language/segments.ts';
import { type ConversationUnderTest, startConversation } from '../support/conversation-under-test.ts';

const segmentsOf = (text: string) => new SegmentedMessage(text).segmentsCount;

/** Pays the bill from the menu to the receipt, with the given answers; the bot's messages. */
const pay = async (test: ConversationUnderTest, answers: readonly string[]): Promise<readonly string[]> => {
  await test.say(...answers);
  const [sent] = test.sent;
  assert.ok(sent, 'a request was sent');
  const result = { app: 'payments', timestamp: '2026-11-20T09:01:00Z', amount: 128.4, currency: 'USD', quantity: 1 };
  const outcome = { status: 'success', at: test.now, result };
  await test.hears({ kind: 'outcome', interaction: { ...sent, state: 'decided', outcome } as never });
  return test.said.map(({ text }) => text);
};

describe('a payment by text message', () => {
  const start = (locale: string, channelId = 'sms') =>
    Object.assign(startConversation(), { channelId, callerNumber: '+12025550102', locale });

  const ways: [string, string, string[]][] = [
    ['by numbers', 'en-US', ['hi', '4', '1']],
    ['by numbers in words', 'en-US', ['hi', 'four', 'the first one']],
    ['in words', 'en-US', ['I want to pay', 'the bill']],
    ['by numbers, in Spanish', 'es-ES', ['hola', '4', '1']],
    ['in words, in Spanish', 'es-ES', ['quiero pagar', 'bill']],
  ];
  for (const [how, locale, answers] of ways)
    it(`costs twelve segments at the most from the menu to the receipt, ${how}`, async () => {
      const said = await pay(start(locale), answers);
      const each = said.map(segmentsOf);
      const all = each.reduce((sum, count) => sum + count, 0);
      console.log(`      ${all} segments in ${said.length} messages (${each.join(' + ')}), ${locale}`);
      assert.ok(Math.max(...each) <= 10);
      assert.ok(all <= 12, said.join('\n---\n'));
      assert.deepEqual(
        said.flatMap((text) => new SegmentedMessage(text).getNonGsmCharacters()),
        [],
      );
    });

  it('leaves out the steps, and gives every choice a number', async () => {
    const test = start('en-US');
    await test.say('hi', '4');
    assert.match(await test.say('1'), /same number: 49\nReply: 1\. Send again, 2\. Cancel$/);
    assert.match(await test.say('status'), /it is on its way to \+1\*{3}0102/);
    assert.match(await test.say('one'), /I have sent it to \+1\*{3}0102 again/);
    assert.match(await test.say('start over'), /Reply: 1\. Cancel it, 2\. Keep waiting/);
    await test.say('2');
    assert.equal(test.cancels, 0);
    await test.say('2');
    assert.equal(test.cancels, 1);
  });

  it('is followed by one line instead of the menu, whose numbers still work; MENU shows it', async () => {
    const test = start('en-US');
    const said = await pay(test, ['hi', '4', '1']);
    assert.equal(said.at(-1), 'Anything else? Reply MENU.');
    assert.match(await test.say('MENU'), /1\. Confirm it's you\n2\. Get a one-time code\n3\. Sign a document/);
    assert.match(await test.say('3'), /M\*{3} T\./);
  });

  for (const [channelId, locale, late] of [
    ['sms', 'en-US', '3'],
    ['sms', 'en-US', '1'],
    ['twilio-sms', 'en-US', 'the third one'],
    ['sms', 'en-US', '2.'],
    ['sms', 'es-ES', '3'],
    ['sms', 'ar', '٣'],
    ['sms', 'ja', '3'],
    ['telephony', 'en-US', '1'],
  ] as const)
    it(`starts nothing by a number that comes when it is over: ${late}, ${channelId}, ${locale}`, async () => {
      const test = start(locale, channelId);
      const pays = { 'en-US': 'I want to pay', 'es-ES': 'quiero pagar', ar: 'أريد الدفع', ja: '支払いたい' }[locale];
      await pay(test, channelId === 'telephony' ? [pays, '1', '1'] : [pays, '1']);
      const answer = await test.say(late);
      assert.match(answer, /completed|se complet|اكتمل|完了しました/);
      assert.match(answer, /MENU|menu|القائمة|メニュー/);
      assert.deepEqual([test.sent.length, test.state.dialogs?.dialogStack.map(({ id }) => id)], [1, ['menu']]);
      assert.match(await test.say({ 'en-US': 'menu', 'es-ES': 'menú', ar: 'القائمة', ja: 'メニュー' }[locale]), /3/);
      await test.say('3');
      assert.deepEqual(
        test.state.dialogs?.dialogStack.map(({ id }) => id),
        ['document-signature'],
      );
    });

  it('begins with the name of its sender, once, and names it to whoever asks', async () => {
    const test = Object.assign(start('en-US'), { sender: 'Brightwater Energy' });
    assert.match(await test.say('I want to pay'), /^Brightwater Energy: What would you like to pay for\?[\s\S]*M\*{3} T\./);
    await test.say('1', 'status');
    assert.deepEqual(
      test.said.filter(({ text }) => text.startsWith('Brightwater Energy: ')).map(({ text }) => text),
      test.said.slice(0, 1).map(({ text }) => text),
    );
    const other = Object.assign(start('en-US', 'whatsapp'), { sender: 'Brightwater Energy' });
    assert.match(await other.say('hi'), /^Hello!/);
  });

  const asking: [string, string, RegExp][] = [
    ['en-US', 'who is this', /Brightwater Energy[\s\S]*wrong number/],
    ['en-US', 'Who are you?', /Brightwater Energy[\s\S]*wrong number/],
    ['en-US', 'wrong number', /Brightwater Energy[\s\S]*wrong number/],
    ['de-DE', 'Wer ist da?', /Brightwater Energy[\s\S]*in der Nummer geirrt/],
    ['de-DE', 'falsche Nummer', /Brightwater Energy[\s\S]*in der Nummer geirrt/],
    ['es-ES', '¿quién es?', /Brightwater Energy[\s\S]*equivocado de numero/],
    ['fr-FR', 'qui êtes-vous ?', /Brightwater Energy[\s\S]*erreur de numéro/],
    ['ar', 'من أنت؟', /Brightwater Energy[\s\S]*الرقم خطأ/],
    ['ja', 'どちら様ですか', /Brightwater Energy[\s\S]*番号をお間違え/],
  ];
  for (const [locale, words, answer] of asking)
    it(`says who is writing, at the beginning and later: ${words}`, async () => {
      const test = Object.assign(start(locale), { sender: 'Brightwater Energy' });
      assert.match(await test.say(words), answer);
      assert.match(await test.say(words), answer);
      assert.deepEqual([test.sent, test.lookups], [[], []]);
    });

  it('keeps its accents on a channel that does not count segments', async () => {
    const test = start('es-ES', 'whatsapp');
    assert.match(await test.say('hola'), /2\. Recibir un código/);
  });
});

describe('the words of a text message', () => {
  const table: [string, string, string][] = [
    ['quotes, dashes and dots', '“Bill” – it’s due…', '"Bill" - it\'s due...'],
    ['masks', 'M••• T., +1•••0102, j•••@•••.com', 'M*** T., +1***0102, j***@***.com'],
    ['separators and signs', '✓ Send · ● Change', 'Send, Change'],
    ['spaces that do not break', '128,40\u00a0€ 10\u202f000', '128,40 € 10 000'],
    ['a name, which is not respelt', 'Łukasz Müller, señor Núñez', 'Łukasz Müller, señor Núñez'],
    ['another script', 'مرحبا 👋', 'مرحبا 👋'],
    ['line ends', '1. One\n2. Two', '1. One\n2. Two'],
  ];
  for (const [what, text, sent] of table) it(`has ${what} as they can be sent`, () => assert.equal(inSegments(text), sent));
});

describe('a document by text message', () => {
  const withBlanks = () => {
    const test = Object.assign(startConversation(), { channelId: 'sms', callerNumber: '+12025550102' });
    const [mandate] = test.found.documents;
    const variables = [
      { name: 'start', type: 'date', required: true, label: 'Start' },
      { name: 'limit', type: 'currency', currency: 'USD', required: true, label: 'Limit' },
    ];
    test.found = { ...test.found, documents: [{ ...(mandate as NonNullable<typeof mandate>), variables }] };
    return test;
  };

  it('asks for one blank after the other, and sends no list again', async () => {
    const test = withBlanks();
    assert.equal(await test.say('sign a document'), 'For "Mandate" I need this: Start (a date, for example Dec 24, 2026).');
    assert.equal(await test.say('tomorrow-ish'), 'Start: Please enter a date, for example Dec 24, 2026.');
    assert.equal(await test.say('24/12/2026'), 'Noted for "Start".\nFor "Mandate" I need this: Limit (an amount, for example $50.00).');
    assert.match(await test.say('$1,200'), /Start: Dec 24, 2026\nLimit: \$1,200\.00\nReply: 1\. Text me the link/);
  });
});
