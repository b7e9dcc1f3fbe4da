import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PDF } from '@libpdf/core';
import fc from 'fast-check';
import { isPrintable, plainText, textDigest } from '../../../src/service/core/documents/content.ts';
import { readDrawn } from '../../../src/service/core/documents/drawn.ts';
import { breakLines } from '../../../src/service/documents/lines.ts';

const typeface = dirname(createRequire(import.meta.url).resolve('@expo-google-fonts/noto-serif/package.json'));
const fontOf = (style: string) => PDF.create().embedFont(readFileSync(join(typeface, style, `NotoSerif_${style}.ttf`)));

describe('the typeface of signed documents', () => {
  for (const style of ['400Regular', '700Bold', '400Regular_Italic']) {
    it(`has every character that a document may have (${style})`, () => {
      const font = fontOf(style);
      const missing: string[] = [];
      for (let code = 0; code < 0x11_0000; code += 1) {
        if (code >= 0xd800 && code < 0xe000) continue;
        const character = String.fromCodePoint(code);
        if (isPrintable(character) && !font.canEncode(character)) missing.push(code.toString(16));
      }
      assert.deepEqual(missing, []);
    });
  }

  it('has what the formats of our languages write', () => {
    for (const language of ['en', 'es']) {
      for (const currency of ['EUR', 'USD', 'JPY', 'INR', 'PLN', 'CRC']) {
        const written = new Intl.NumberFormat(language, { style: 'currency', currency }).format(1234567.89);
        assert.ok(isPrintable(written), written);
      }
    }
  });
});

describe('the lines of a paragraph', () => {
  const [regular, bold] = [fontOf('400Regular'), fontOf('700Bold')];
  const words = fc.array(fc.string({ unit: fc.constantFrom('a', 'W', 'é', ' ', '-', 'm'), minLength: 0, maxLength: 40 }), {
    maxLength: 12,
  });

  it('hold all of the text in its order, and none is wider than its column', () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 60, max: 460 }), (texts, width) => {
        const runs = texts.map((text, index) => ({ text: plainText(text), font: index % 2 ? bold : regular }));
        const lines = breakLines(runs, 11, width);
        const printed = lines
          .flat()
          .map(({ text }) => text)
          .join('');
        assert.equal(printed, runs.map(({ text }) => text).join(''));
        for (const line of lines) {
          const last = line.at(-1);
          if (last) assert.ok(last.x + last.font.getTextWidth(last.text.trimEnd(), 11) <= width + 0.01);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('a drawn signature', () => {
  it('is read as it was drawn', () => {
    assert.deepEqual(readDrawn('300.150_10.20-110.120_5.5'), {
      width: 300,
      height: 150,
      strokes: [
        [
          { x: 10, y: 20 },
          { x: 110, y: 120 },
        ],
        [{ x: 5, y: 5 }],
      ],
    });
  });

  it('is read or refused, whatever is posted, and never throws', () => {
    const noise = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('1', '9', '.', '-', '_', 'e') }));
    fc.assert(
      fc.property(noise, (posted) => {
        const drawn = readDrawn(posted);
        for (const { x, y } of drawn?.strokes.flat() ?? []) {
          assert.ok(Number.isInteger(x) && Number.isInteger(y) && x <= (drawn?.width ?? 0) && y <= (drawn?.height ?? 0));
        }
      }),
    );
  });

  it('takes no time to refuse what only looks like one', () => {
    const started = performance.now();
    assert.equal(readDrawn(`300.150_${'1.1-'.repeat(5900)}x`), undefined);
    assert.ok(performance.now() - started < 100);
  });
});

describe('the digest of a text', () => {
  const content = (...paragraphs: string[]) => ({
    title: 'Title',
    language: 'en',
    paragraphs: paragraphs.map((text) => [{ text, filled: false }]),
  });
  it('tells any two texts apart, wherever their paragraphs end', () => {
    const digests = [content('ab', 'c'), content('a', 'bc'), content('abc'), content('ab', 'C'), content('ab', 'c', '')].map(textDigest);
    assert.equal(new Set(digests).size, digests.length);
  });
});
