// Removes secrets from text that people outside the chat may read, or that may be read later.
import { withoutCardNumbers } from './card-number.ts';

/** Six digits, alone or separated by spaces or hyphens, may be a passcode. */
const codes = /(?<!\d[ -]?)\d(?:[ -]?\d){5}(?![ -]?\d)/g;

/** Replaces hidden text. */
export const hidden = '••••••';

/** The text without card numbers and possible passcodes. */
export const withoutSecrets = (text: string): string => withoutCardNumbers(text).replace(codes, hidden);
