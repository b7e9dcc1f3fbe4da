// Card numbers have no place in a chat: they are recognised before anything else reads or keeps them.

/** Digits in groups, with one sign between two groups at most. */
const runs = /\d+(?:[ .–-]\d+)*/g;

const shortest = 13;
const longest = 19;

/** What stands in the place of a card number. */
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

/** Which group a card number that begins with group `from` ends with: what is typed before or after it may be digits too. */
const endOfCard = (groups: readonly string[], from: number): number | undefined => {
  let digits = '';
  for (let to = from; to < groups.length; to++) {
    digits += groups[to];
    if (digits.length > longest) return undefined;
    if (isCardNumber(digits)) return to;
  }
  return undefined;
};

const masked = (run: string): string => {
  const parts = run.split(/(\D)/);
  const groups = parts.filter((_, index) => index % 2 === 0);
  let text = '';
  for (let group = 0; group < groups.length; group++) {
    const end = endOfCard(groups, group);
    text += end === undefined ? groups[group] : cardMask;
    group = end ?? group;
    text += parts[group * 2 + 1] ?? '';
  }
  return text;
};

const maskedText = (text: string): string => {
  // Full-width digits and the like are digits to whoever reads them. Text without a card number stays as it was typed.
  const plain = text.normalize('NFKC');
  const blanked = plain.replace(runs, masked);
  return blanked === plain ? text : blanked;
};

/**
 * JSON without the numbers of payment cards: in every string, number and name of a field, each is replaced by dots. What looks like one: 13 to 19 digits
 * that begin with 2 to 6 and have the right check digit. A value that holds none is answered as it is.
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

/** Whether JSON, or words, hold what looks like the number of a payment card. */
export const holdsCardNumber = (value: unknown): boolean => blank(value) !== value;
