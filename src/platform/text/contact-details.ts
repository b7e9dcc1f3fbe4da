// Recognises web addresses, e-mail addresses and phone numbers in words that a stranger wrote and that a customer reads on
// a page or paper of the account. Only what is usual may stand directly between two words: another sign makes an address
// of them. Digits that are no date, time or amount count as one number, whatever signs are between them. What may stand
// there is listed, because a list of what may not, like a list of bad words, would never end.
import tlds from 'tlds' with { type: 'json' };
import { numbersIn, plainDigits } from './possible-codes.ts';

/** Top-level domains, with the reserved ones (RFC 2606). */
const domains = new Set([...tlds, 'example', 'test', 'invalid', 'localhost']);
/** Those that are hardly ever words, so that a space in front of them makes no difference. */
const sureDomains = new Set(['com', 'net', 'org', 'biz', 'xyz', 'example', 'io']);
/** Those that often follow "point" or "punto" in a sentence. */
const usualWords = new Set('am as at be by de do es in is it la my no so to'.split(' '));
const abbreviations = new Set(['b.sc', 'm.sc', 'dr.in', 'co.kg']);

const dotWords = new Set(['dot', 'punkt', 'punto', 'point', 'نقطة', 'نقطه', 'ドット', 'どっと']);
const dotInside = /\p{L}(?:dot|punkt|punto)(?:com|net|org|biz|xyz|example|shop|site|online|info)$/u;
const dotSigns = '.․‧•∙⋅·・⸱⸳●⚫▪■。۔܁܂٫⁃';
const isDot = new RegExp(`^[${dotSigns}]$`, 'u');
const areDots = new RegExp(`^[${dotSigns}]+$`, 'u');
const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
const isBracketedDot = new RegExp(String.raw`^\s{0,3}\p{Ps}\s{0,3}[${dotSigns}]\s{0,3}\p{Pe}\s{0,3}$`, 'u');
const usualSigns = '´¿¡§°®©、，؛،؟…〆〒';
/** Signs that may stand directly between two words. */
const areUsual = new RegExp(String.raw`^[\s\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Sc}'",+&;:!?/%#=*_|~\x60${usualSigns}${dotSigns}]+$`, 'u');

const addresses = [
  /@/u,
  /\\|[/⁄∕⧸╱⟋]\s{0,3}[/⁄∕⧸╱⟋]/u,
  /(?<![\p{L}\p{N}])(?:h[tx]{2}ps?|ftps?|mailto)\s{0,3}:/u,
  /(?<![\p{L}\p{N}])www(?![\p{L}\p{N}])/u,
  // olga (at) evil (dot) example
  /[([{<]\s{0,3}(?:at|\u00e4t|arroba|arobase|アット|آت|dot|punkt|punto|point|نقطة|ドット)\s{0,3}[)\]}>]/u,
  new RegExp(String.raw`\p{N}{1,3}(?:\s{0,3}(?:[${dotSigns}]|dot|punkt|punto|point)\s{0,3}\p{N}{1,3}){3}`, 'u'),
];

/** Whether a word has letters of scripts that look alike (UTS 39, section 5), such as a Cyrillic one in "сom". */
const mixesScripts = (word: string) =>
  word.length > 2 &&
  /\p{Script=Latin}/u.test(word) &&
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}]/u.test(word);

const hasLetters = (word: string) => /\p{L}/u.test(word);

/** Whether what is between two words makes an address of them: evil.example, but neither St.Gallen nor J.Smith. */
const joinsAddress = (before: string, gap: string, after: string): boolean => {
  const sign = gap.trim();
  if (sign === '' || !hasLetters(after)) return false;
  if (isBracketedDot.test(gap)) return true;
  const [isDirect, isDomain] = [gap === sign, domains.has(after)];
  if (isDot.test(sign)) {
    // In Japanese it ends a sentence, or separates names; in Catalan it separates two letters.
    if (/[。・·]/.test(sign) && (cjk.test(before.slice(-1)) || cjk.test(after.charAt(0)))) return false;
    if (sign === '·' && before.endsWith('l') && after.startsWith('l')) return isDomain;
    // The end of a sentence.
    if (sign === '.' && /^\.\s/.test(gap)) return sureDomains.has(after);
    if (!isDirect) return (sign === '.' && hasLetters(before)) || isDomain;
    if (!hasLetters(before)) return isDomain && (after.length > 2 || before.length > 2);
    return (before.length > 2 && after.length > 1) || (isDomain && !abbreviations.has(`${before}.${after}`));
  }
  if (/\s$/.test(gap)) return false;
  if (areDots.test(sign) && isDirect && isDomain) return true;
  return sureDomains.has(after) ? !/^[-/&'’]$/.test(sign) : isDirect && !areUsual.test(sign);
};

/** Dates, times, years, amounts, and the postal codes that would be long enough for a phone number. */
const otherNumbers = [
  /(?<!\d)(?:\d{4}-\d\d-\d\d|\d{1,2}([./])\s?\d{1,2}\1\s?\d{2}(?:\d\d)?|\d{1,2}[./](?:19|20)\d\d|\d{1,2}:\d\d(?::\d\d)?)(?!\d)/gu,
  /(?<!\d)(?:19[5-9]|20[0-4])\d(?:\s?[-–/,]\s?(?:19[5-9]|20[0-4])\d){1,9}(?!\d)|\((?:19[5-9]|20[0-4])\d\)/gu,
  /(?<!\d)(?:(?<=〒\s?)\d{3}-\d{4}|\d{3}-\d{4}(?=\s?\p{Script=Han})|(?<=\b[a-z]{2}\s)\d{5}-\d{4})(?!\d)/gu,
  // A house number and a postal code.
  /(?<!\d)\d{1,4},\s\d{4,5}(?=\s\p{L})/gu,
  /\p{Sc}\s?\d{1,3}(?:[.,'’ ]\d{3}){1,3}(?:[.,]\d{2})?(?!\d)/gu,
  /(?<!\d)\d{1,3}(?:[.,'’ ]\d{3}){1,3}(?:[.,]\d{2})?(?=\s?(?:\p{Sc}|eur|usd|gbp|chf|jpy|円|euros?|dollars?))/gu,
];

/** An account number by its check digits (ISO 13616). */
const isIban = (text: string): boolean => {
  const packed = text.replace(/\s/g, '').toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(packed)) return false;
  const digits = `${packed.slice(4)}${packed.slice(0, 4)}`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n;
};

/** Letters that are read as digits among digits: "19oo", "O199". */
const asDigits = (word: string) => (/^(?=.*\d)[\doil]+$|^oo+$/.test(word) ? word.replaceAll('o', '0').replace(/[il](?!$)/g, '1') : word);

/**
 * Whether digits with nothing but signs between them are as many as a phone number has (E.164). Digits alone, with
 * nothing between them, name a contract or the like.
 */
const holdsPhoneNumber = (text: string): boolean => {
  if (/^\d+$/.test(text) || isIban(text)) return false;
  const rest = otherNumbers.reduce((left, shape) => left.replace(shape, ' x '), text).replace(/[\p{L}\p{N}]+/gu, asDigits);
  let [digits, end, least] = [0, 0, 7];
  for (const number of numbersIn(rest)) {
    const gap = rest.slice(end, number.start);
    if (digits === 0 || hasLetters(gap)) [digits, least] = [0, 7];
    if (digits === 0 && gap.endsWith('+')) least = 5;
    digits += number.digits.length;
    end = number.end;
    if (digits >= least) return true;
  }
  return false;
};

/** Signs that stand for letters: 🇦, 🅐, 🅰. */
const lettersOf = (text: string) =>
  text.replace(/[\u{1f1e6}-\u{1f1ff}\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}]/gu, (sign) => {
    const code = sign.codePointAt(0) as number;
    return String.fromCharCode(97 + code - (code >= 0x1f1e6 ? 0x1f1e6 : code >= 0x1f170 ? 0x1f170 : 0x1f150));
  });

/** Whether a text holds a web address, an e-mail address or a phone number. Takes linear time. */
export const holdsContactDetails = (given: string): boolean => {
  const plain = plainDigits(given)
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/(?!〇)[\p{No}\p{Nl}]/gu, '0')
    .trim();
  const text = lettersOf(plain);
  if (addresses.some((address) => address.test(text)) || holdsPhoneNumber(plain)) return true;
  // Words, and between them what separates them.
  const parts = text.split(/([\p{L}\p{N}]+)/u);
  for (let at = 1; at < parts.length; at += 2) {
    const [word = '', gap = '', after = '', next = '', afterNext = ''] = parts.slice(at, at + 5);
    if (mixesScripts(word) || dotInside.test(word) || joinsAddress(word, gap, after)) return true;
    const isSentence = usualWords.has(after) && /^\s+$/.test(next) && afterNext !== '';
    if (at > 1 && dotWords.has(word) && domains.has(after) && !isSentence) return true;
  }
  return false;
};
