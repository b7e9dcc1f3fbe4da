import assert from 'node:assert/strict';
import { SlotPattern } from '../../src/flows/grammar/slot-pattern.ts';
import { phraseIn } from '../../src/flows/wishes.ts';
import { cpuTimeOf } from '../support/cpu-time.ts';

const said = { locale: 'en-US', region: 'US', today: '2026-11-20' };

const hostile: Readonly<Record<string, (length: number) => string>> = {
  'at signs': (length) => '@'.repeat(length),
  'at signs and dots': (length) => '@.'.repeat(length / 2),
  'dots behind an at sign': (length) => `x@${'.'.repeat(length)}`,
  'exclamation marks': (length) => `${'!'.repeat(length)}x`,
  digits: (length) => '1'.repeat(length),
  'the first word of the phrase': (length) => 'from '.repeat(length / 5),
  'words of the phrase': (length) => 'from a to b on '.repeat(length / 15),
  'gaps between words': (length) => `from${' . '.repeat(length / 3)}`,
};

describe('the slots of a phrase', () => {
  const cases: readonly (readonly [phrase: string, text: string, slots: Record<string, string> | undefined])[] = [
    ['pay invoice {n}', 'please pay invoice 12, thanks', { n: '12, thanks' }],
    ['move {a} to {b}', 'move 5 EUR to my sister', { a: '5 EUR', b: 'my sister' }],
    ['move {a} to {b}', 'move to here', undefined],
    ['move {a} to {b}', 'move this', undefined],
    ['move {a} to {b}', 'move to to here', { a: 'to', b: 'here' }],
    ['move {a} to {b}', 'move back to back to school', { a: 'back', b: 'back to school' }],
    ['{a} is gone', 'my bag, is gone', { a: 'my bag' }],
    ['from {a} {b} on', 'from one two on', { a: 'one', b: 'two' }],
    ['from {a} {b} on', 'from one on', undefined],
    ['pay {n}', 'prepay 5', undefined],
    ['pay {n}', 'pay', undefined],
    ['請求書 {n} を払う', '請求書12を払う', { n: '12' }],
    ['pay', 'I pay.', {}],
    ['この app を開く', 'このappを開く', {}],
  ];
  for (const [phrase, text, slots] of cases)
    it(`of “${phrase}” in “${text}”`, () => assert.deepEqual(new SlotPattern(phrase).matchIn(text)?.slots, slots));

  it('leave the rest of the sentence', () => {
    assert.equal(new SlotPattern('pay {n} now').matchIn('Hello, pay 5 now, bye')?.rest, 'Hello,  , bye');
    assert.equal(new SlotPattern('pay {n}').matchIn('Hello, pay 5 now, bye')?.rest, 'Hello,  ');
  });

  it('are filled from beside the phrase by the only address, however short', () => {
    const flow = { title: 'Trial', says: { en: ['subscribe me'] }, needs: { mail: 'email' }, do: [{ end: 'success' }] } as never;
    for (const [beside, mail] of [
      ['a@b.io, please', 'a@b.io'],
      ['@b.io', undefined],
      ['a@b', undefined],
      ['a@b.io or c@d.io', undefined],
    ])
      assert.equal(phraseIn(flow, `subscribe me: ${beside}`, ['en'], said)?.inputs.mail, mail, beside);
  });

  for (const type of ['email', 'number', 'money', 'date', 'phone', 'text'] as const)
    for (const phrase of ['subscribe me', 'from {one} to {two} on {three} by {four}'])
      for (const [what, text] of Object.entries(hostile))
        it(`take a time that grows with the length only: ${type}, “${phrase}”, ${what}`, async () => {
          const names = ['one', 'two', 'three', 'four'];
          const needs = phrase.includes('{') ? Object.fromEntries(names.map((name) => [name, type])) : { one: type };
          const flow = { title: 'Trial', says: { en: [phrase] }, needs, do: [{ end: 'success' }] } as never;
          const read = (length: number) => phraseIn(flow, `${phrase.split(' {')[0]} ${text(length)}`, ['en'], said);
          read(100);
          assert.ok((await cpuTimeOf(() => read(4000))) < 100);
        });
});
