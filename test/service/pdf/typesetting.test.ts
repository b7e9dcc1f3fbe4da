import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PDF } from '@libpdf/core';
import fc from 'fast-check';
import { languages } from '../../../src/platform/text/languages.ts';
import { textDigest } from '../../../src/service/document-signature/document-content.ts';
import { readDrawn } from '../../../src/service/document-signature/drawn.ts';
import { breakLines, visually } from '../../../src/service/pdf/lines.ts';
import { isPrintable, plainText } from '../../../src/service/pdf/printable.ts';
import { fromLeft, joined, piecesOf } from '../../../src/service/pdf/scripts.ts';
import { cpuTimeOf } from '../../support/cpu-time.ts';

const resolve = createRequire(import.meta.url).resolve;
const fontIn = (folder: string, style: string, family: string) =>
  PDF.create().embedFont(
    readFileSync(join(dirname(resolve(`@expo-google-fonts/${folder}/package.json`)), style, `${family}_${style}.ttf`)),
  );
const fontOf = (style: string) => fontIn('noto-serif', style, 'NotoSerif');

describe('the typefaces of signed documents', () => {
  const others = {
    arabic: [fontIn('noto-naskh-arabic', '400Regular', 'NotoNaskhArabic'), fontIn('noto-naskh-arabic', '700Bold', 'NotoNaskhArabic')],
    japanese: [fontIn('noto-sans-jp', '400Regular', 'NotoSansJP')],
  };
  for (const style of ['400Regular', '700Bold', '400Regular_Italic']) {
    it(`have every character that a document may have (${style})`, () => {
      const usual = [fontOf(style)];
      const missing: string[] = [];
      for (let code = 0; code < 0x11_0000; code += 1) {
        if (code >= 0xd800 && code < 0xe000) continue;
        const character = String.fromCodePoint(code);
        if (!isPrintable(character)) continue;
        const [piece] = piecesOf(character);
        assert.ok(piece);
        const fonts = piece.script === 'usual' ? usual : others[piece.script];
        if (!fonts.every((font) => font.canEncode(joined(character)))) missing.push(code.toString(16));
      }
      assert.deepEqual(missing, []);
    });
  }

  it('have the characters that our languages’ formats use', () => {
    for (const language of languages) {
      for (const currency of ['EUR', 'USD', 'JPY', 'INR', 'PLN', 'CRC', 'AED']) {
        const written = new Intl.NumberFormat(language, { style: 'currency', currency }).format(1234567.89);
        assert.ok(isPrintable(joined(written)) || language === 'ar', written);
        for (const { text, script } of piecesOf(joined(written)))
          if (script !== 'usual')
            assert.ok(
              others[script].every((font) => font.canEncode(text)),
              written,
            );
      }
    }
  });
});

describe('a line of Arabic', () => {
  const read = (text: string, direction: 'ltr' | 'rtl') =>
    fromLeft(
      [...joined(text)].map((sign) => ({ sign, of: undefined })),
      direction,
    )
      .map(({ sign }) => sign)
      .join('');

  it('is printed from the right, its letters joined, its numbers from the left', () => {
    assert.equal(read('دفع 128.40', 'rtl'), `128.40 ${[...joined('دفع')].reverse().join('')}`);
    assert.match(joined('دفع'), /^[\ufe70-\ufefc]{3}$/);
    assert.equal(joined('لا').length, 1, 'lam and alef are one sign');
  });

  it('mirrors brackets, and leaves other scripts as they are', () => {
    assert.equal(read('(ABC) ب', 'rtl').replace(/[\ufe70-\ufefc]/, 'b'), 'b (ABC)');
    assert.equal(read('ABC (D)', 'ltr'), 'ABC (D)');
  });

  it('begins at the right margin', () => {
    const [font] = [fontIn('noto-naskh-arabic', '400Regular', 'NotoNaskhArabic')];
    const [run] = visually([{ text: joined('توقيع '), font }], 11, 300, 'rtl');
    assert.ok(run && Math.abs(run.x + font.getTextWidth(run.text, 11) - 300) < 0.01);
    assert.equal(visually([{ text: 'A', font }], 11, 300, 'ltr')[0]?.x, 0);
  });
});

describe('a paragraph of Japanese', () => {
  it('is broken between any two characters, but no line begins with a full stop', () => {
    const font = fontIn('noto-sans-jp', '400Regular', 'NotoSansJP');
    const text = '請求書を支払いました。契約書に署名しました、ありがとうございます。'.repeat(4);
    for (const width of [60, 77, 100, 133, 200]) {
      const lines = breakLines([{ text, font }], 11, width).map((line) => line.map((run) => run.text).join(''));
      assert.equal(lines.join(''), text);
      for (const line of lines) {
        assert.doesNotMatch(line, /^[。、]/);
        assert.ok(font.getTextWidth(line, 11) <= width + 0.01);
      }
      const full = lines.slice(0, -1);
      assert.ok(
        full.every((line) => font.getTextWidth(line, 11) > width - 3 * 11),
        'lines are filled',
      );
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

  it('is refused quickly if it only looks like one', async () => {
    const refuse = () => assert.equal(readDrawn(`300.150_${'1.1-'.repeat(5900)}x`), undefined);
    assert.ok((await cpuTimeOf(refuse)) < 100);
  });
});

describe('the digest of a text', () => {
  const content = (...paragraphs: string[]) => ({
    title: 'Title',
    language: 'en',
    paragraphs: paragraphs.map((text) => [{ text, filled: false }]),
  });
  it('differs for any two texts, wherever their paragraphs end', () => {
    const digests = [content('ab', 'c'), content('a', 'bc'), content('abc'), content('ab', 'C'), content('ab', 'c', '')].map(textDigest);
    assert.equal(new Set(digests).size, digests.length);
  });
});
