import assert from 'node:assert/strict';
import fc from 'fast-check';
import { escapeMarkdown, literal, oneLine, signsFirst } from '../../cards/plain.ts';

describe('untrusted text', () => {
  for (const [what, text, line] of [
    ['line breaks', 'one\r\ntwo\n\nthree\u2028four', 'one two three four'],
    ['control characters', 'a\u0000b\u0007c\u009Fd', 'a b c d'],
    ['marks that reverse text', '\u202Egnp.exe\u202C and \u2066more\u2069', 'gnp.exe and more'],
    ['surrounding space', '  \t padded \t ', 'padded'],
  ] as const) {
    it(`loses ${what}`, () => assert.equal(oneLine(text), line));
  }

  it('is cut at its limit, not through a character', () => {
    assert.equal(oneLine('abcdef', 4), 'abc…');
    assert.equal(oneLine('ab\u{1F600}def', 4), 'ab…');
    assert.equal(oneLine('abcd', 4), 'abcd');
  });

  it('cannot call template functions of a host', () => {
    assert.equal(literal('{{DATE(2026-11-20T00:00:00Z)}}'), '{\u200B{DATE(2026-11-20T00:00:00Z)}}');
    assert.equal(literal('{{name}}'), '{{name}}');
  });

  for (const [text, markdown] of [
    ['Annual plan', 'Annual plan'],
    ['It’s 5 o’clock, isn’t it? Yes!', 'It’s 5 o’clock, isn’t it? Yes!'],
    ['[x](https://evil.example)', '&#91;x&#93;&#40;https\\:\\//evil\\.example&#41;'],
    ['**bold** _em_ `code` ~~del~~', '\\*\\*bold\\*\\* \\_em\\_ \\`code\\` \\~\\~del\\~\\~'],
    ['<img src=x>', '&#60;img src=x&#62;'],
    ['a & b &amp; c', 'a &#38; b &#38;amp; c'],
    ['# heading', '\\# heading'],
    ['- item', '\\- item'],
    ['well-known', 'well-known'],
    ['1. item', '1\\. item'],
    ['12.50', '12\\.50'],
    ['back\\slash', 'back\\\\slash'],
    ['www.evil.example', 'www\\.evil\\.example'],
    ['j@evil.example', 'j\\@evil\\.example'],
    ['one\n# two', 'one # two'],
  ] as const) {
    it(`is escaped for markdown: ${JSON.stringify(text)}`, () => assert.equal(escapeMarkdown(text), markdown));
  }

  it('never keeps an active character, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
        const rest = escapeMarkdown(text).replace(/\\[!-/:-@[-`{-~]|&#\d+;/g, '');
        assert.doesNotMatch(rest, /[\\`*_~<>&[\](){}|@\n]|:\/|\/\//);
        assert.doesNotMatch(escapeMarkdown(text), /^(?:[#+=-]|\d+\. )/);
      }),
    );
  });
});

describe('signs in a language that is written from the right', () => {
  const mark = '\u200E';
  for (const [what, text, marked] of [
    ['the plus of a number stands before it', '+1•••0101', `${mark}+1•••0101`],
    ['the dollar of US$ stands behind its letters', 'US$ 5', `US$${mark} 5`],
    ['the stop of an initial stands behind it', 'J••• D.', `J••• D.${mark}`],
    ['also among words', 'هل أنت J••• D.؟', `هل أنت J••• D.${mark}؟`],
    ['the stop of a sentence is the sentence’s', 'افتح PDF.', 'افتح PDF.'],
  ] as const)
    it(what, () => assert.equal(signsFirst(text), marked));
});
