import assert from 'node:assert/strict';
import { demoCatalogue, loadAccounts } from '../../../src/service/core/catalogue/load.ts';
import { makeServiceTexts } from '../../../src/service/core/texts.ts';
import { fillTemplate } from '../../../src/service/document-signature/fill.ts';

describe('a document with blanks', () => {
  const filled = (paragraphs: readonly string[], values: Readonly<Record<string, string | undefined>>) =>
    fillTemplate(
      { title: 'A document', paragraphs },
      Object.entries(values).map(([name, value]) => ({ name, type: 'text', value })),
      'en',
      makeServiceTexts()('en'),
    ).paragraphs.map((parts) => parts.map(({ text }) => text).join(''));

  const table: [string, string, Readonly<Record<string, string | undefined>>, string[]][] = [
    [
      'says an optional passage whose blank is filled',
      'It begins.[[ The first day is {{day}}.]] It ends.',
      { day: 'Monday' },
      ['It begins. The first day is Monday. It ends.'],
    ],
    [
      'drops an optional passage whose blank is empty',
      'It begins.[[ The first day is {{day}}.]] It ends.',
      { day: undefined },
      ['It begins. It ends.'],
    ],
    ['leaves no gap at an end', 'It begins. [[The first day is {{day}}.]]', { day: undefined }, ['It begins.']],
    ['drops a paragraph that says nothing any more', '[[The first day is {{day}}.]]', { day: undefined }, []],
    ['drops a passage when one of its blanks is empty', 'So.[[ From {{day}} to {{end}}.]]', { day: 'Monday', end: undefined }, ['So.']],
    [
      'does not read what was filled in for marks',
      'I am {{name}}.[[ On {{day}}.]]',
      { name: '[[x]] {{day}}', day: undefined },
      ['I am [[x]] {{day}}.'],
    ],
  ];
  for (const [what, paragraph, values, expected] of table)
    it(what, () => {
      assert.deepEqual(filled([paragraph], values), expected);
    });

  it('of the demo account never shows a blank as not given', () => {
    const [demo] = loadAccounts(demoCatalogue, {});
    for (const template of demo?.documents ?? assert.fail('there is no account')) {
      const values = Object.fromEntries(template.variables.map(({ name, required }) => [name, required ? 'X' : undefined]));
      assert.doesNotMatch(filled(template.paragraphs, values).join(' '), /not given|\[\[|\]\]/, template.title);
    }
  });
});
