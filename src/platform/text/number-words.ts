// Numbers below a hundred in words, in the languages that the bot speaks.

/**
 * A word in the form of the lists below: without accents, vowel marks and capitals, in hiragana, and in Arabic without
 * hamza and with ه for ة and ي for ى, as most people type. It keeps its length.
 */
const folded = (word: string): string =>
  Array.from(word, (letter) => {
    const plain = letter
      .toLowerCase()
      .normalize('NFD')
      .replace(/[\u0300-\u036f\u0653-\u0655]/g, '')
      .normalize('NFC')
      .replace(/[\u30a1-\u30f6]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60))
      .replace('ة', 'ه')
      .replace(/[ىی]/, 'ي');
    return plain.length === letter.length ? plain : letter;
  }).join('');

/** The digits as words, from zero to nine, with their other forms, in the languages that the bot speaks. */
const digitWords: readonly (readonly string[])[] = [
  'zero oh nought naught null cero صفر زيرو ぜろ れい れー まる',
  'one eins ein eine uno una un une واحد واحده وحده احد احدي いち いー',
  'two zwei zwo dos deux اثنان اثنين اثنا اثني اثنتان اثنتين ثنتين اتنين تنين に にー にい',
  'three drei tres trois ثلاثه ثلاث تلاته تلات さん',
  'four vier cuatro quatre اربعه اربع よん よー し しー',
  'five funf fuenf cinco cinq خمسه خمس ご ごー ごお',
  'six sechs seis سته ست ろく',
  'seven sieben siete sept سبعه سبع なな しち',
  'eight acht ocho huit ثمانيه ثماني ثمان تمانيه تمنيه تمن はち',
  'nine neun nueve neuf تسعه تسع きゅう きゅー く',
].map((words) => words.split(' '));
const german = ['zehn', 'elf', 'zwolf', 'dreizehn', 'vierzehn', 'funfzehn', 'sechzehn', 'siebzehn', 'achtzehn', 'neunzehn'];
const english = ['ten', 'eleven', 'twelve', ...['thir', 'four', 'fif', 'six', 'seven', 'eigh', 'nine'].map((stem) => `${stem}teen`)];
const spanish = ['diez', 'once', 'doce', 'trece', 'catorce', 'quince', 'dieciseis', 'diecisiete', 'dieciocho', 'diecinueve'];
const french = ['dix', 'onze', 'douze', 'treize', 'quatorze', 'quinze', 'seize'];
const arabic = (stem: string) => [`${stem}ون`, `${stem}ين`];

/** Ten, twenty and so on, to which the next digit belongs, or in German and Arabic the one before. */
const tens: readonly (readonly string[])[] = [
  ['dix', 'じゅう', 'じゅー', 'عشر', 'عشره'],
  ['twenty', 'zwanzig', 'veinte', 'vingt', 'vingts', ...arabic('عشر')],
  ['thirty', 'dreißig', 'dreissig', 'treinta', 'trente', ...arabic('ثلاث'), ...arabic('تلات')],
  ['forty', 'fourty', 'vierzig', 'cuarenta', 'quarante', ...arabic('اربع')],
  ['fifty', 'funfzig', 'fuenfzig', 'cincuenta', 'cinquante', ...arabic('خمس')],
  ['sixty', 'sechzig', 'sesenta', 'soixante', ...arabic('ست')],
  ['seventy', 'siebzig', 'setenta', 'septante', ...arabic('سبع')],
  ['eighty', 'achtzig', 'ochenta', 'huitante', 'octante', ...arabic('ثمان'), ...arabic('تمان')],
  ['ninety', 'neunzig', 'noventa', 'nonante', ...arabic('تسع')],
];
const twenties = ['un', 'uno', 'dos', 'tres', 'cuatro', 'cinco', 'seis', 'siete', 'ocho', 'nueve'];

const numbers = new Map<string, string>(digitWords.flatMap((words, digit) => words.map((word) => [word, String(digit)] as const)));
for (const teens of [english, german, spanish, french]) for (const [index, word] of teens.entries()) numbers.set(word, String(10 + index));
for (const [word, number] of [
  ['zwoelf', '12'],
  ['fuenfzehn', '15'],
] as const)
  numbers.set(word, number);
for (const word of twenties) numbers.set(`veinti${word}`, String(20 + Number(numbers.get(word))));
const germanDigits = digitWords.flatMap((words, digit) => words.map((word) => [word, digit] as const));
for (const [index, words] of tens.entries()) {
  for (const word of words) {
    numbers.set(word, `${index + 1}0`);
    if (/zig$|ßig$|ssig$/.test(word)) for (const [digit, value] of germanDigits) numbers.set(`${digit}und${word}`, `${index + 1}${value}`);
  }
}
const longest = Math.max(...[...numbers.keys()].map(({ length }) => length));
const isTen = new Set(tens.flat());
const times = new Map([
  ['double', 2],
  ['doble', 2],
  ['doppel', 2],
  ['doppelt', 2],
  ['triple', 3],
]);

/** A number that ends in the word `one`, and another word, as one number, if they are one. */
const asOneNumber = (first: string, one: string, other: string): string | undefined => {
  const second = digitsOf(other);
  if ((one === 'quatre' && other.startsWith('vingt')) || (first.length === 1 && /^じゅ[うー]$/.test(other)))
    return String(Number(first) * Number(second));
  const sum = String(Number(first) + Number(second));
  if (first.length === 1) return /^(?:عشره?|و.+[وي]ن)$/.test(other) && isTen.has(other.replace(/^و/, '')) ? sum : undefined;
  if (!isTen.has(one)) return undefined;
  return second.length === 1 || (/^(?:soixante|vingts?)$/.test(one) && french.includes(other)) ? sum : undefined;
};

/** The number words that a run of letters consists of, the longest first; `undefined`: it has other letters too. */
const wordsIn = (run: string): string[] | undefined => {
  const found: string[] = [];
  for (let at = 0; at < run.length; ) {
    let size = Math.min(longest + 1, run.length - at);
    while (size > 0 && !isNumber(run.slice(at, at + size))) size--;
    if (size === 0) return undefined;
    found.push(run.slice(at, at + size));
    at += size;
  }
  return found;
};
/** In Arabic, "and" is a part of the next word. */
const isNumber = (word: string) => numbers.has(word) || (word.startsWith('و') && numbers.has(word.slice(1)));
const digitsOf = (word: string) => numbers.get(word) ?? numbers.get(word.slice(1)) ?? '';

const letters = /[^\P{L}一二三四五六七八九十]+/gu;
const gap = /^[\s\p{Pd}]{0,3}$/u;

type NumberInWords = { digits: string; readonly start: number; end: number };

/** The numbers in words in a text, in order. Takes linear time. */
export const numbersInWords = (text: string): NumberInWords[] => {
  const found: NumberInWords[] = [];
  let last = '';
  let repeated: { readonly by: number; readonly start: number; readonly end: number } | undefined;
  /** Where a number ends that "y" or "et" continues. */
  let joined: number | undefined;
  for (const { 0: run, index } of text.matchAll(letters)) {
    const lower = folded(run);
    const before = found.at(-1);
    const by = times.get(lower);
    if (by !== undefined) repeated = { by, start: index, end: index + run.length };
    if ((lower === 'y' || lower === 'et') && before && gap.test(text.slice(before.end, index).slice(0, 4))) joined = index + run.length;
    let start = index;
    for (const word of run.length > 200 ? [] : (wordsIn(lower) ?? [])) {
      const end = start + word.length;
      const previous = found.at(-1);
      const from = joined ?? previous?.end ?? 0;
      const sum = previous && start - from <= 3 && gap.test(text.slice(from, start)) ? asOneNumber(previous.digits, last, word) : undefined;
      if (previous && sum !== undefined) {
        previous.digits = sum;
        previous.end = end;
      } else if (repeated && start - repeated.end <= 3 && /^[\s\p{P}]{1,3}$/u.test(text.slice(repeated.end, start)))
        found.push({ digits: digitsOf(word).repeat(repeated.by), start: repeated.start, end });
      else found.push({ digits: digitsOf(word), start, end });
      [last, start, repeated, joined] = [word, end, undefined, undefined];
    }
  }
  return found;
};
