// Finds possible passcodes in what people write: six digits of any script or in words, with anything but words between.
import { asciiOf, withoutCardNumbers } from './card-number.ts';
import { numbersInWords } from './number-words.ts';

const zero = '〇零';
const kanji = '一二三四五六七八九';
/** The signs of official papers. */
const daiji = '壱弐参';
const ten = '十';

const sign = new RegExp(`[${kanji}]?${ten}[${kanji}]?|.`, 'gu');
const written = new RegExp(`\\p{Nd}+|(?<signs>[${zero}${kanji}${daiji}${ten}]+)`, 'gu');

/** What may stand between two digits of one code. */
const between = /^[^\p{L}\p{N}]{0,4}$/u;
/** Between the parts of a phone number. */
const ofNumber = /^(?!\. )[ ().-]{1,3}$/;

const length = 6;

/** Circled digits that Unicode does not name as forms of digits. */
const circled = ['❶❷❸❹❺❻❼❽❾', '➀➁➂➃➄➅➆➇➈', '➊➋➌➍➎➏➐➑➒', '⓵⓶⓷⓸⓹⓺⓻⓼⓽'];
const valueOfCircled = (sign: string) => String(1 + Math.max(...circled.map((signs) => signs.indexOf(sign))));

/**
 * Text with the digits of all scripts as ASCII ones, without differences of width, vowel marks of Arabic, and characters
 * that nobody sees.
 */
export const plainDigits = (text: string): string =>
  text
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .normalize('NFKC')
    .replace(/[\u0640\u064b-\u065f\u0670]/g, '')
    .replace(/(?![0-9])\p{Nd}/gu, asciiOf)
    .replace(/[⓿\u{1f10b}\u{1f10c}❶-❾➀-➈➊-➒⓵-⓽]/gu, valueOfCircled);

/** A number, by its digits, and where it stands. */
type Group = { readonly digits: string; readonly start: number; readonly end: number };

const valueIn = (number: string): string => {
  const [tens = '', ones = ''] = number.split(ten);
  const digitOf = (one: string) => kanji.indexOf(one) + 1 || daiji.indexOf(one) + 1;
  return number.includes(ten) ? `${tens === '' ? 1 : digitOf(tens)}${ones === '' ? 0 : digitOf(ones)}` : String(digitOf(number));
};

const groupOf = ({ 0: text, index, groups: { signs } = {} }: RegExpExecArray): Group => ({
  digits: signs === undefined ? text : (signs.match(sign) ?? []).map(valueIn).join(''),
  start: index,
  end: index + text.length,
});

/** An amount of money, with its decimals: 1,234.56 or 1234.56. */
const isAmount = (groups: readonly Group[], gaps: readonly string[]) => {
  const shape = groups.map(({ digits }) => digits.length).join();
  const decimals = /^[.,]$/.test(gaps.at(-1) ?? '');
  return decimals && (shape === '4,2' || (shape === '1,3,2' && /^[.,'’ ]$/.test(gaps[0] ?? '') && gaps[0] !== gaps[1]));
};

/** Whether a number goes on beyond the six digits: as it is written itself, or as phone numbers are. */
const goesOn = (gap: string | undefined, groups: readonly Group[], gaps: readonly string[]): boolean => {
  if (gap === undefined) return false;
  if (gap === '' || gaps.includes(gap)) return true;
  if (gaps.length === 0) return /^[ -]$/.test(gap);
  return groups.some(({ digits }) => digits.length > 1) && ofNumber.test(gap);
};

/** `code`: its digits, as ASCII. */
type PossibleCode = { readonly code: string; readonly start: number; readonly end: number };

/** The numbers in a text of {@link plainDigits}, in digits, signs or words, in order. Takes linear time. */
export const numbersIn = (plain: string): Group[] =>
  [...[...plain.matchAll(written)].map(groupOf), ...numbersInWords(plain)].toSorted((one, other) => one.start - other.start);

/** The possible passcodes in a text of {@link plainDigits}, in order. Takes linear time. */
export const possibleCodes = (plain: string): PossibleCode[] => {
  const groups = numbersIn(plain);
  const gapBefore = (index: number): string | undefined => {
    const [one, other] = [groups[index - 1], groups[index]];
    if (!one || !other || other.start - one.end > 4) return undefined;
    const gap = plain.slice(one.end, other.start);
    return between.test(gap) ? gap : undefined;
  };
  const found: PossibleCode[] = [];
  for (let from = 0; from < groups.length; from++) {
    let code = '';
    const gaps: string[] = [];
    for (let to = from; to < groups.length && code.length < length; to++) {
      const gap = to > from ? gapBefore(to) : undefined;
      if (to > from && gap === undefined) break;
      if (gap !== undefined) gaps.push(gap);
      code += groups[to]?.digits;
      if (code.length !== length) continue;
      const own = groups.slice(from, to + 1);
      const isPart = goesOn(gapBefore(from), own, gaps) || goesOn(gapBefore(to + 1), own, gaps);
      if (isPart || isAmount(own, gaps)) break;
      found.push({ code, start: (own[0] as Group).start, end: (own.at(-1) as Group).end });
      from = to;
    }
  }
  return found;
};

/** Whether a text has nothing but one to five digits, in digits or words, which may be a part of a passcode. */
export const isPartOfCode = (text: string): boolean => {
  const plain = plainDigits(text);
  const numbers = numbersIn(plain);
  const digits = numbers.reduce((sum, number) => sum + number.digits.length, 0);
  const rest =
    numbers.map(({ start }, index) => plain.slice(numbers[index - 1]?.end ?? 0, start)).join('') + plain.slice(numbers.at(-1)?.end);
  return digits > 0 && digits < length && !/\p{L}/u.test(rest);
};

/** Replaces hidden text. */
export const hidden = '••••••';

const withoutCodes = (text: string): string => {
  const plain = plainDigits(text);
  const codes = possibleCodes(plain);
  // Text without a code stays exactly as it was typed.
  if (codes.length === 0) return text;
  const kept = [...codes, undefined].map((code, index) => plain.slice(codes[index - 1]?.end ?? 0, code?.start));
  return kept.join(hidden);
};

/** The text without card numbers and possible passcodes. */
export const withoutSecrets = (text: string): string => withoutCodes(withoutCardNumbers(text));
