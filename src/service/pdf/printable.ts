// Which text can be printed: what the embedded typefaces have.

/** Text as a document holds it: accents joined to their letters, and every run of white space one space. */
export const plainText = (text: string): string => text.normalize('NFC').replace(/\s+/gu, ' ');

/**
 * The signs of Japanese that the typeface has: those of Shift_JIS (JIS X 0208 with its extensions), but none of private
 * use.
 */
const readJapanese = (): ReadonlySet<string> => {
  const decoder = new TextDecoder('shift_jis');
  const signs = new Set<string>();
  for (let lead = 0x81; lead <= 0xfc; lead += 1)
    for (let trail = 0x40; trail <= 0xfc; trail += 1) {
      const [sign = '', ...more] = lead > 0x9f && lead < 0xe0 ? '' : decoder.decode(Uint8Array.of(lead, trail));
      if (more.length === 0 && /^[^\uFFFD\p{Co}≒]$/u.test(sign)) signs.add(sign);
    }
  return signs;
};

/** Read when a text first needs it. */
let japanese: ReadonlySet<string> | undefined;

/**
 * Whether text can be typeset: letters of Latin, Greek, Cyrillic, Arabic and Japanese, with the usual punctuation and
 * signs, all of which the embedded typefaces have. What could not be printed as it was shown is refused before it is
 * sent.
 */
export const isPrintable = (text: string): boolean => usual.test(text) || [...text].every((sign) => usual.test(sign) || isJapanese(sign));

const isJapanese = (sign: string): boolean => {
  japanese ??= readJapanese();
  return japanese.has(sign);
};

const usual =
  /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u024f\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce\u0400-\u0482\u048a-\u052f\u1e00-\u1eff\u2009\u2010-\u2015\u2018-\u201e\u2020-\u2022\u2026\u202f\u2030\u2032\u2033\u2039\u203a\u20a0-\u20bf\u2116\u2122\u2212\u060c\u061b\u061f\u0621-\u063a\u0640-\u0652\u0660-\u066c]*$/u;

/** Text with a sign in place of each character that the typeface may not have. */
export const printable = (text: string): string =>
  [...plainText(text)].map((character) => (isPrintable(character) ? character : '?')).join('');
