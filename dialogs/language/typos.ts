// Typing mistakes: which words are one mistake apart, and texts with their mistakes corrected.

/** Words this long may hold any one typo. Shorter ones are too similar: “play” is not “pay”, nor “come” “code”. */
export const correctable = 5;

/** Shorter words of this many letters may have two neighbours swapped ("sgin"), or a letter doubled ("payy"). */
const slippery = 4;

/** Whether two neighbouring letters are swapped, or one is doubled. The first letter is seldom mistyped. */
const isSlip = (typed: string, word: string) =>
  [...typed.slice(1)].some((letter, before) => {
    const [head, tail] = [typed.slice(0, before), typed.slice(before + 2)];
    const swapped = before > 0 && `${head}${letter}${typed[before]}${tail}` === word;
    return swapped || (letter === typed[before] && head + letter + tail === word);
  });

/** Whether one letter is missing, added, different, or swapped with the next. The first is seldom mistyped. */
export const areOneTypoApart = (one: string, other: string) => {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const [a, b] = [one.slice(same), other.slice(same)];
  const swapped = a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
  return same > 0 && (a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1) || swapped);
};

/** Words that typing mistakes are corrected to. */
export type KnownWords = ReturnType<typeof vocabularyFrom>;

/** `known`: the words by their first letter, which is seldom mistyped. `right`: words that are right as they are. */
export const vocabularyFrom = (words: readonly string[], alsoRight: readonly string[]) => {
  const known = new Set(words);
  return { known: Map.groupBy(known, (word) => word[0]), right: new Set([...known, ...alsoRight]) };
};

const isTypo = (typed: string, word: string) =>
  word.length >= correctable && typed.length >= correctable ? areOneTypoApart(word, typed) : isSlip(typed, word);

/** A text without accents, with one typing mistake in each of its words corrected. */
export const corrected = (text: string, { known, right }: KnownWords): string =>
  text.replace(/[\p{L}\p{N}]+/gu, (typed) => {
    const lower = typed.toLowerCase();
    return lower.length < slippery || right.has(lower) ? typed : (known.get(lower[0])?.find((word) => isTypo(lower, word)) ?? typed);
  });
