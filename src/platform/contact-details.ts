// Recognises web addresses, e-mail addresses and phone numbers in words that a stranger wrote and that a customer reads on
// a page or paper of the account. Obfuscated ones are recognised as far as people would still read them as addresses.
import { plainDigits } from './possible-codes.ts';

/** Top-level domains that are no usual words, wherever they stand; and those that may be, behind another word. */
const sure = 'com|net|org|info|biz|xyz|example|test|io';
const likely = `${sure}|co|app|dev|cc|ly|gl|gg|tv|ru|cn|eu|us|uk|de|top|site|online|shop|store|link|click`;
const ends = String.raw`(?![\p{L}\p{N}])`;
const dot = 'dot|punkt|punto|point|نقطة|ドット';

const addresses = [
  /[a-z]\s{0,3}:\s{0,3}\/\s?\//u,
  /(?<![\p{L}\p{N}])www(?![\p{L}\p{N}])/u,
  /@/u,
  // evil.example, but neither St.Gallen nor J.Smith
  /[\p{L}\p{N}_-]{3}\.\p{L}{2}/u,
  /[a-z0-9]。[a-z]{2}/u,
  new RegExp(String.raw`[\p{L}\p{N}]{2}\.(?:${likely})${ends}`, 'u'),
  new RegExp(String.raw`[\p{L}\p{N}]\.\s{0,3}(?:${sure})${ends}`, 'u'),
  // evil . example, evil .example, evil dot com
  /\p{L}\s{1,3}\.\s{0,3}\p{L}/u,
  new RegExp(String.raw`[\p{L}\p{N}]\s{1,3}(?:${dot})\s{1,3}(?:${sure})${ends}`, 'u'),
  // evil[.]example, olga (at) evil (dot) example
  new RegExp(String.raw`[(\[{<]\s{0,3}(?:at|\u00e4t|arroba|arobase|\.|${dot})\s{0,3}[)\]}>]`, 'u'),
  /(?<![\p{N}.])\p{N}{1,3}(?:\.\p{N}{1,3}){3}(?![\p{N}.])/u,
];

/** Digits of one number, with what may stand between two of them. */
const runs = /\+?\p{Nd}(?:(?:,|[\s\p{Pd}\p{Ps}\p{Pe}\p{M}./·*_|]{0,3})\p{Nd})*/gu;
/** Dates, times, and postal codes of the United States and Japan. */
const otherNumbers =
  /(?<!\d)(?:\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2}(?:\d\d)?|\d{1,2}:\d\d|(?<=〒\s?)\d{3}-\d{4}|\d{3}-\d{4}(?=\s?\p{Script=Han})|(?<=\b[a-z]{2}\s)\d{5}-\d{4})(?!\d)/gu;

/** An account number by its check digits (ISO 13616). */
const isIban = (text: string): boolean => {
  const packed = text.replace(/\s/g, '').toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(packed)) return false;
  const digits = `${packed.slice(4)}${packed.slice(0, 4)}`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n;
};

/** Phone numbers have 7 to 15 digits (E.164). Digits alone, with nothing between them, name a contract or the like. */
const isPhoneNumber = (run: string, text: string): boolean => {
  const { length } = run.replace(/\P{Nd}/gu, '');
  if (run.startsWith('+')) return length >= 5;
  return length >= 7 && length <= 15 && !(run === text && /^\d+$/.test(run));
};

/** Whether a text holds a web address, an e-mail address or a phone number. Takes linear time. */
export const holdsContactDetails = (given: string): boolean => {
  const text = plainDigits(given).trim().toLowerCase();
  if (addresses.some((address) => address.test(text))) return true;
  if (isIban(text)) return false;
  return (text.replace(otherNumbers, ' x ').match(runs) ?? []).some((run) => isPhoneNumber(run, text));
};
