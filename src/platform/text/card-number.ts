// Card numbers have no place in a chat: they are recognised and removed before any other code reads or stores them.

/**
 * Digits of any script, with up to three separators between two of them. Every character can match in one way only, so
 * the time stays linear.
 */
const runs = /\p{Nd}+(?:[^\p{L}\p{N}]{1,3}\p{Nd}+)*/gu;

const shortest = 13;
const longest = 19;

/** Replaces each digit of a card number. */
export const cardMask = '•••• •••• •••• ••••';

/** The check digit of payment cards (ISO/IEC 7812-1, annex B). */
const hasCheckDigit = (digits: string) => {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const value = (digits.charCodeAt(digits.length - 1 - place) - 48) * (place % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
};

const isCardNumber = (digits: string) => digits.length >= shortest && /^[2-6]/.test(digits) && hasCheckDigit(digits);

const digit = /\p{Nd}/gu;

/**
 * A digit as ASCII. Unicode lists the digits of a script in a row, from zero to nine (UAX 44, Numeric_Type=Decimal).
 */
export const asciiOf = (char: string): string => {
  let below = char.codePointAt(0) as number;
  let value = -1;
  for (; /\p{Nd}/u.test(String.fromCodePoint(below)); below--) value++;
  return String(value % 10);
};

/**
 * The last group that can belong to a card number beginning with group `from`. Other digits may stand right before or
 * after the number.
 */
const endOfCard = (groups: readonly string[], from: number): number | undefined => {
  let digits = '';
  let end: number | undefined;
  for (let to = from; to < groups.length && digits.length <= longest; to++) {
    digits += groups[to];
    if (digits.length <= longest && isCardNumber(digits)) end = to;
  }
  return end;
};

const masked = (run: string): string => {
  const parts = run.split(/(\P{Nd}+)/u);
  const written = parts.filter((_, index) => index % 2 === 0);
  const groups = written.map((group) => group.replace(digit, asciiOf));
  let text = '';
  for (let group = 0; group < groups.length; group++) {
    const end = endOfCard(groups, group);
    text += end === undefined ? written[group] : cardMask;
    group = end ?? group;
    text += parts[group * 2 + 1] ?? '';
  }
  return text;
};

const maskedText = (text: string): string => {
  // People read full-width digits and the like as digits. Text without a card number stays exactly as it was typed.
  const plain = text.normalize('NFKC');
  const blanked = plain.replace(runs, masked);
  return blanked === plain ? text : blanked;
};

/**
 * JSON with the numbers of payment cards replaced by dots, in every string, number and field name. A card number has 13
 * to 19 digits, begins with 2 to 6 and has the right check digit. A value without one is returned unchanged.
 */
export const withoutCardNumbers = <Value>(value: Value): Value => blank(value) as Value;

const blank = (value: unknown): unknown => {
  if (typeof value === 'string') return maskedText(value);
  if (typeof value === 'number') return isCardNumber(String(value)) ? cardMask : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(blank);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const before = Object.entries(value);
  const after = before.map(([name, field]) => [maskedText(name), blank(field)] as const);
  const changed = after.some(([name, field], index) => name !== before[index]?.[0] || field !== before[index]?.[1]);
  return changed ? Object.fromEntries(after) : value;
};

/** Whether JSON or text contains a likely payment card number. */
export const holdsCardNumber = (value: unknown): boolean => blank(value) !== value;
