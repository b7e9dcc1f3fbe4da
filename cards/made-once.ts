// Parts of cards that never differ are made once. Many cards share them, so they are frozen.
import { isBuiltIn } from './plain.ts';

const frozen = <Part>(part: Part): Part => {
  if (typeof part !== 'object' || part === null) return part;
  for (const inner of Object.values(part)) frozen(inner);
  return Object.freeze(part);
};

/**
 * Makes a part from a text: from each text of the dictionaries once. Any other text may be a stranger's, and is not
 * retained.
 */
export const madeOnce = <Part extends object>(make: (text: string) => Part): ((text: string) => Part) => {
  const made = new Map<string, Part>();
  return (text) => {
    const known = made.get(text);
    if (known !== undefined) return known;
    const part = make(text);
    if (isBuiltIn(text)) made.set(text, frozen(part));
    return part;
  };
};
