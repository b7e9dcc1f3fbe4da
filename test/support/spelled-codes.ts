// A code of six digits in the ways in which people write it.

const words = {
  English: ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'],
  German: ['null', 'eins', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun'],
  Spanish: ['cero', 'uno', 'dos', 'tres', 'cuatro', 'cinco', 'seis', 'siete', 'ocho', 'nueve'],
  French: ['zéro', 'un', 'deux', 'trois', 'quatre', 'cinq', 'six', 'sept', 'huit', 'neuf'],
  Arabic: ['صفر', 'واحد', 'اثنان', 'ثلاثة', 'أربعة', 'خمسة', 'ستة', 'سبعة', 'ثمانية', 'تسعة'],
  'Arabic as it is typed': ['صفر', 'وحده', 'اتنين', 'تلاته', 'اربعه', 'خمسه', 'سته', 'سبعه', 'تمانيه', 'تسعه'],
  'Arabic with vowel marks': ['صِفْر', 'وَاحِد', 'اِثْنَان', 'ثَلَاثَة', 'أَرْبَعَة', 'خَمْسَة', 'سِتَّة', 'سَبْعَة', 'ثَمَانِيَة', 'تِسْعَة'],
  'Japanese as it is spoken': ['れー', 'いち', 'にー', 'さん', 'よん', 'ごー', 'ろく', 'なな', 'はち', 'きゅー'],
  'Japanese kana': ['ゼロ', 'いち', 'に', 'さん', 'よん', 'ご', 'ろく', 'なな', 'はち', 'きゅう'],
};

/** The ten digits in words, in each language. */
export const digitWordsOf = Object.values(words);

const digitsFrom = (zero: string) => (code: string) =>
  [...code].map((digit) => String.fromCodePoint((zero.codePointAt(0) ?? 0) + Number(digit))).join('');

/** How it is written, and the text. */
export const spelledCodes = (code: string): [string, string][] => {
  const digits = [...code];
  const pairs = code.match(/../g) ?? [];
  const threes = code.match(/.../g) ?? [];
  const separators = ['.', ',', ', ', ' ', '-', ' - ', '/', '_', '*', '\n', '\t', '\u00a0', '\u2009', '–', '·', '、', '…', '+', '|', ' | '];
  return [
    ['plainly', code],
    ...separators.map((sign): [string, string] => [`with ${JSON.stringify(sign)} between its digits`, digits.join(sign)]),
    ['in pairs', pairs.join(' ')],
    ['in pairs with dots', pairs.join('.')],
    ['in threes', threes.join(' ')],
    ['in threes with a hyphen', threes.join('-')],
    ['in threes with a comma', threes.join(',')],
    ['with zero-width spaces', digits.join('\u200b')],
    ['with one zero-width joiner', threes.join('\u200d')],
    ['with soft hyphens', digits.join('\u00ad')],
    ['with marks of direction', `\u202e${digits.join('\u2066')}`],
    ['with keycaps', digits.join('\ufe0f\u20e3')],
    ['in full width', digitsFrom('０')(code)],
    ['in full width with dots', [...digitsFrom('０')(code)].join('．')],
    ['in Arabic digits', digitsFrom('٠')(code)],
    ['in Arabic digits with commas', [...digitsFrom('٠')(code)].join('، ')],
    ['in Persian digits', digitsFrom('۰')(code)],
    ['in Devanagari digits', digitsFrom('०')(code)],
    ['in mathematical digits', digitsFrom('𝟎')(code)],
    ['with signs that nobody sees', digits.join('\u034f\u3164')],
    ['in circled digits', digits.map((digit) => '⓿❶❷❸❹❺❻❼❽❾'[Number(digit)]).join('')],
    ['in kanji of papers', digits.map((digit) => '零壱弐参四五六七八九'[Number(digit)]).join('')],
    ['in kanji', digits.map((digit) => '〇一二三四五六七八九'[Number(digit)]).join('')],
    ...Object.entries(words).flatMap(([language, names]): [string, string][] => {
      const spelled = digits.map((digit) => names[Number(digit)] ?? '');
      return [
        [`in ${language}`, spelled.join(' ')],
        [`in ${language} with commas`, spelled.join(', ')],
        [`in ${language} in one word`, spelled.join('')],
        [`in ${language} and digits`, digits.map((digit, index) => (index % 2 === 0 ? digit : spelled[index])).join(' ')],
      ];
    }),
    ...(code[0] === code[1]
      ? [['with a double', `double ${words.English[Number(code[0])]} ${digits.slice(2).join(' ')}`] as [string, string]]
      : []),
    ['in capitals', digits.map((digit) => words.English[Number(digit)]?.toUpperCase()).join(' ')],
  ];
};
