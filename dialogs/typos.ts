// Typing mistakes: which words are one slip of the finger apart.

/** Words this long may hold any one typo. Shorter ones are too similar: “play” is not “pay”, nor “come” “code”. */
export const correctable = 5;

/** Shorter words of this many letters may have two neighbours swapped ("sgin"), or a letter doubled ("payy"). */
export const slippery = 4;

/** Whether two neighbouring letters are swapped, or one is doubled. The first letter is seldom mistyped. */
export const isSlip = (typed: string, word: string) =>
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
