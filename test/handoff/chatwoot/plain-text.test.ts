import assert from 'node:assert/strict';
import fc from 'fast-check';
import { inertLine } from '../../../dialogs/escalation/inert-line.ts';
import { plainText } from '../../../src/handoff/chatwoot/plain-text.ts';
import { cpuTimeOf } from '../../support/cpu-time.ts';

describe('what an agent writes in Markdown', () => {
  const rows: [string, string, string][] = [
    ['hard breaks', 'Hello,\\\nI am Mara.  \nHow are you?', 'Hello,\nI am Mara.\nHow are you?'],
    ['escapes', 'AB\\_12, 5 \\* 3 &amp; \\#1', 'AB_12, 5 * 3 & #1'],
    ['emphasis', '**your** *reference* is `AB_12`', 'your reference is AB_12'],
    ['a link', 'see [our site](https://x.example)', 'see our site (https://x.example)'],
    ['a link that shows its address', '<https://x.example/a> and <a@x.example>', 'https://x.example/a and a@x.example'],
    ['a picture', '![a meter](https://x.example/m.png)', 'a meter (https://x.example/m.png)'],
    ['lists', 'Please\n\n- one\n- two\n  1. a\n  2. b', 'Please\n\n- one\n- two\n  1. a\n  2. b'],
    ['an item without words', '- one\n-', '- one\n-'],
    ['a quotation', '> you wrote\n> this\n\nYes.', '> you wrote\n> this\n\nYes.'],
    ['paragraphs', 'One.\n\n\nTwo.\nThree.', 'One.\n\nTwo.\nThree.'],
    ['code', '```\na < b\n```', 'a < b'],
    ['HTML, as it was typed', '<b>bold</b>', '<b>bold</b>'],
    ['words that only look like Markdown', '+ yes', '+ yes'],
    ['nothing but marks', '-', '-'],
    ['a heading', '# Your bill\nis here', 'Your bill\nis here'],
    ['a script’s address, as text', '[x](javascript:alert(1))', '[x](javascript:alert(1))'],
  ];
  for (const [what, markdown, expected] of rows) it(`reads as plain text: ${what}`, () => assert.equal(plainText(markdown), expected));

  it('loses no words', () => {
    const words = fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1, maxLength: 8 }).map((all) => all.join(' '));
    // As an editor would escape them.
    fc.assert(
      fc.property(words, (text) => {
        const line = `x ${inertLine(text)} x`;
        const shown = plainText(line);
        for (const word of text.match(/[\p{L}\p{N}]{2,}/gu) ?? []) assert.ok(shown.includes(word), `${word} in ${shown}`);
      }),
    );
  });

  it('is read in linear time, whatever it is made of', async () => {
    const pieces = [
      '>',
      '> ',
      '[',
      '![',
      '*a',
      '*a_',
      '_a',
      '`a',
      '- ',
      '1. ',
      '> - ',
      '[a](',
      '[a][',
      '[a]: b\n',
      '<a',
      '<!--',
      '&#',
      '\\',
      '((',
      '\n\n    a',
    ];
    for (const piece of pieces) {
      assert.ok((await cpuTimeOf(() => plainText(piece.repeat(100_000 / piece.length)))) < 5000, piece);
    }
  });
});
