// The initials of a name: what customers give where the chat may not show which names we know.

/** Letters without their diacritics, in capitals: É as E. */
const bare = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase();

/** A longer list of words is no name. */
const most = 6;

/**
 * The initials in what was typed, in capitals: `M. T.`, `mt`, or a whole name, of which only they are kept. `undefined`:
 * there are none, or it is one word that may be a name.
 */
export const initialsIn = (typed: string): string | undefined => {
  const words = typed.normalize('NFKC').match(/\p{L}\p{M}*(?:['’-]?\p{L}\p{M}*)*/gu) ?? [];
  const [only = ''] = words;
  if (words.length === 1) return /^(?:\p{Lu}{1,4}|\p{L}{1,2})$/u.test(only) ? bare(only) : undefined;
  return words.length > 0 && words.length <= most ? words.map(firstOf).join('') : undefined;
};

const firstOf = (word: string) => [...bare(word)][0] ?? '';

/**
 * Whether initials stand for a name: the first one, and some of the others in order, since people leave out middle names
 * and second surnames. A name of several words needs two.
 */
export const standFor = (initials: string, name: string): boolean => {
  const own = name.split(/\s+/).filter(Boolean).map(firstOf);
  const [first, ...others] = [...initials];
  if (first === undefined || first !== own[0] || (own.length > 1 && others.length === 0)) return false;
  let at = 0;
  return others.every((letter) => {
    at = own.indexOf(letter, at + 1);
    return at > 0;
  });
};
