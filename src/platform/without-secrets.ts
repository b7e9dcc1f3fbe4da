// Words as people other than the one in the chat may read them, or as anybody may later.
import { withoutCardNumbers } from './card-number.ts';

/** Six digits, alone or with spaces or hyphens between them, are a passcode to whoever reads along. */
const codes = /(?<!\d[ -]?)\d(?:[ -]?\d){5}(?![ -]?\d)/g;

/** What stands in the place of what is hidden. */
export const hidden = '••••••';

/** The words without card numbers and what may be a passcode. */
export const withoutSecrets = (text: string): string => withoutCardNumbers(text).replace(codes, hidden);
