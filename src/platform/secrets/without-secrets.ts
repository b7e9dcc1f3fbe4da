// Removes secrets from text that people outside the chat may read, or that may be read later.
import { withoutCardNumbers } from '../text/card-number.ts';
import { plainDigits, possibleCodes } from '../text/possible-codes.ts';

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
