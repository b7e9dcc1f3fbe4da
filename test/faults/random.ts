// Chance that can be repeated: everything a run decides comes from one printed seed.

export interface Chance {
  /** From 0 up to 1. */
  next(): number;
  /** A whole number from `from` up to, not including, `to`. */
  between(from: number, to: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** `true` with this probability. */
  happens(probability: number): boolean;
  /**
   * A source of its own, the same for the same name: what one part of the run draws does not shift what the others get.
   */
  branch(name: string | number): Chance;
}

const hash = (text: string) => {
  let state = 0x811c9dc5;
  for (const letter of text) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return state >>> 0;
};

/** Chance from a seed (mulberry32: 32 bits of state, which is plenty for choosing faults). */
export const makeChance = (seed: number): Chance => {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from));
  return {
    next,
    between,
    pick: <Item>(items: readonly Item[]) => items[between(0, items.length)] as Item,
    happens: (probability) => next() < probability,
    branch: (name) => makeChance(hash(`${seed}/${name}`)),
  };
};

/** The seed of this run: `SEED`, else a new one. */
export const seedOfRun = (): number => (process.env.SEED ? Number(process.env.SEED) : Math.floor(Math.random() * 2 ** 31));
