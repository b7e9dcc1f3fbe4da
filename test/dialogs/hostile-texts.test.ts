import assert from 'node:assert/strict';
import { passcodeIn } from '../../dialogs/apps/one-time-passcode.ts';
import { parsePhoneNumber } from '../../dialogs/language/phone-number.ts';
import { lacksYear, readAmount, readDate, readNumber } from '../../dialogs/language/readings.ts';
import { commandIn, isNegated, isUnwanted, remarkIn, wishesIn } from '../../dialogs/language/recogniser.ts';
import { inSegments, withoutAccents } from '../../dialogs/language/segments.ts';
import { makeTexts } from '../../dialogs/language/texts.ts';
import { clausesOf, comparable } from '../../dialogs/language/words.ts';
import { withoutCardNumbers } from '../../src/platform/text/card-number.ts';
import { withoutSecrets } from '../../src/platform/text/possible-codes.ts';
import { startConversation } from '../support/conversation-under-test.ts';
import { cpuTimeOf } from '../support/cpu-time.ts';
import { flowOf, flowsOf } from '../support/flows.ts';

/** The longest message that the bot reads. */
const longest = 2000;
const today = '2026-11-20';

const repeated = (part: string, end = '') => part.repeat(Math.floor((longest - end.length) / part.length)) + end;
const hostile = [
  ...['@', '@.', 'a@a.', '!', '.', '1', '1,', '1 ', '1-', '0', '٣', '〇', '(', '[', '<', '&', '\\', '"', "'", '$', '#', '\u0301', 'é'],
  ...['a', 'aa ', 'and ', 'and then ', 'pay ', 'pay and ', 'not ', 'for +1202555', '4111 ', '4111-1111-', '41111111111111111', '12 34 56 '],
  ...[
    'ال',
    'و ',
    'そして',
    '払う',
    '請求書',
    'twenty-',
    'twenty second ',
    '1 day ',
    '0H0W0H',
    '0DAY0',
    'of may ',
    'monday ',
    '1.1.',
    '5/6/',
    ' 5 de ',
  ],
  ...['<at>x', 'https://a.b/', 'ﷺ', '👨‍👩‍👧', '\u200b', '\u202e', '\t', ' \t', '\n', ' . ', 'x ! ', 'ß'],
].flatMap((part) => [repeated(part), `x${repeated(part, 'x')}`.slice(0, longest), `pay ${repeated(part, '\u0000')}`.slice(0, longest)]);

/** The texts that take longer than this (ms). What is made once is not a text's cost: it is tried again. */
const slowOf = async (work: (text: string) => unknown, texts = hostile): Promise<string[]> => {
  const slow: string[] = [];
  for (const text of texts) {
    const ms = await cpuTimeOf(() => work(text));
    const again = ms < mostMs ? 0 : await cpuTimeOf(() => work(`${text.slice(0, -1)} `));
    if (again >= mostMs) slow.push(`${JSON.stringify(text.slice(0, 40))} takes ${again} ms`);
  }
  return slow;
};
const mostMs = 300;

describe('a message as long as the bot reads', function () {
  this.timeout(120_000);
  const locales = ['en-US', 'de-DE', 'es-ES', 'fr-FR', 'ar-EG', 'ja-JP'];
  const texts = locales.map((locale) => makeTexts(locale));
  const everywhere = (read: (locale: string) => unknown) => locales.map(read);
  const ways: Readonly<Record<string, (text: string) => unknown>> = {
    'a number': (text) => everywhere((locale) => readNumber(text, locale)),
    'an amount': (text) => everywhere((locale) => readAmount(text, locale, 'EUR')),
    'a day': (text) => everywhere((locale) => readDate(text, locale, today)),
    'a day without its year': (text) => everywhere((locale) => lacksYear(text, locale, today)),
    'a phone number': (text) => parsePhoneNumber(text, 'US'),
    'a passcode': (text) => texts.map((t) => passcodeIn(text, 'chat', t)),
    'words to compare': comparable,
    clauses: (text) => texts.map((t) => clausesOf(text, t)),
    wishes: (text) => texts.map((t) => wishesIn(text, t)),
    'a command': (text) => texts.map((t) => commandIn(text, t)),
    'a remark': (text) => texts.map((t) => remarkIn(text, t)),
    'a refusal': (text) => texts.map((t) => [isNegated(text, t), isUnwanted(text, t)]),
    'a text message': (text) => withoutAccents(inSegments(text)),
    'card numbers': withoutCardNumbers,
    secrets: withoutSecrets,
  };
  for (const [what, read] of Object.entries(ways))
    it(`takes little time, read as ${what}`, async () => {
      assert.deepEqual(await slowOf(read), []);
    });

  const asks = (type: string) => `- ask: ${type}\n  as: it\n  text: What?${type === 'money' ? '\n  currency: EUR' : ''}\n- say: done`;
  const slots = 'says:\n  en: [ subscribe me, "from {a} to {b} on {c} by {d}" ]\nneeds: { a: email, b: text?, c: date?, d: number? }';
  const states: Readonly<Record<string, readonly string[]>> = {
    'at the beginning': [],
    'to a question of an app': ['pay'],
    'to a choice': ['pay', '+12025550102'],
    ...Object.fromEntries(
      ['text', 'number', 'money', 'date', 'email', 'phone', 'yes-no'].map((type) => [`to a question for ${type}`, [type]]),
    ),
  };
  for (const [state, before] of Object.entries(states))
    it(`takes little time in a turn, ${state}`, async () => {
      const flows = flowsOf({
        ...Object.fromEntries(
          ['text', 'number', 'money', 'date', 'email', 'phone', 'yes-no'].map((type) => [type, flowOf(asks(type)).replace('trial', type)]),
        ),
        slots: `flow: slots\ntitle: Slots\n${slots}\ndo:\n  - say: done\n`,
      });
      const slow = await slowOf(
        async (said) => {
          const chat = startConversation({ flows });
          for (const words of before) await chat.say(words);
          await chat.say(`subscribe me from ${said}`.slice(0, longest));
        },
        hostile.filter((_, index) => index % 3 === 0),
      );
      assert.deepEqual(slow, []);
    });
});
