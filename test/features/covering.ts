// Which features to start together: few starts in which every two features are on together, and each is on without
// the other (a covering array of strength two).

/** A number in [0, 1) from a seed (mulberry32). */
const randomFrom = (seed: number) => {
  let state = seed >>> 0;
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** Whether two features can be on in one start. */
export type Fits = (one: string, other: string) => boolean;

/** One of two features is on (or off) while the other is on (or off). */
type Combination = readonly [one: string, on: boolean, other: string, otherOn: boolean];

/** Every combination of two features that can occur, except that both are off. */
export const combinationsOf = (names: readonly string[], fits: Fits): Combination[] =>
  names.flatMap((one, index) =>
    names
      .slice(index + 1)
      .flatMap((other): Combination[] => [
        [one, true, other, false],
        [one, false, other, true],
        ...(fits(one, other) ? [[one, true, other, true] as const] : []),
      ]),
  );

const isIn = (start: ReadonlySet<string>, [one, on, other, otherOn]: Combination) => start.has(one) === on && start.has(other) === otherOn;

/** The starts, each with the features that are on. The same seed gives the same starts. */
export const coveringStarts = (names: readonly string[], fits: Fits, seed: number): ReadonlySet<string>[] => {
  const random = randomFrom(seed);
  const starts: ReadonlySet<string>[] = [];
  let open = combinationsOf(names, fits);
  while (open.length > 0) {
    const tries = Array.from({ length: 40 }, () => tryStart(names, fits, open, random));
    const best = tries.reduce((most, one) => (gainOf(one, open) > gainOf(most, open) ? one : most));
    starts.push(best);
    open = open.filter((combination) => !isIn(best, combination));
  }
  return starts;
};

const gainOf = (start: ReadonlySet<string>, open: readonly Combination[]) => open.filter((one) => isIn(start, one)).length;

/** Begins with one combination that is open still, and decides the others in random order, each by what it covers. */
const tryStart = (names: readonly string[], fits: Fits, open: readonly Combination[], random: () => number): ReadonlySet<string> => {
  const [one, on, other, otherOn] = open[Math.floor(random() * open.length)] as Combination;
  const decided = new Map([
    [one, on],
    [other, otherOn],
  ]);
  const order = names.map((name) => ({ name, at: random() })).toSorted((a, b) => a.at - b.at);
  for (const { name } of order) {
    if (decided.has(name)) continue;
    const gain = (is: boolean) =>
      open.filter(([a, aOn, b, bOn]) =>
        a === name ? aOn === is && decided.get(b) === bOn : b === name && bOn === is && decided.get(a) === aOn,
      ).length;
    const possible = [...decided].every(([with_, isOn]) => !isOn || fits(name, with_));
    decided.set(name, possible && (gain(true) > gain(false) || (gain(true) === gain(false) && random() < 0.5)));
  }
  return new Set([...decided].flatMap(([name, isOn]) => (isOn ? [name] : [])));
};
