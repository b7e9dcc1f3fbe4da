// What a bench answers: lines of a table, each a floor, ours, and what the ratio of the two has to reach.

/** `ratio`: ours over the floor, at most. `most`: ours, at most, in the line's own unit. */
export type Reach = { readonly ratio: number } | { readonly most: number };

export interface Line {
  /** What is measured, and in which way. */
  readonly what: string;
  readonly unit: string;
  /** The same work done by what there is no way around; where there is no such thing, none. */
  readonly floor?: number;
  readonly ours: number;
  /** docs/performance.md; none for a figure that only explains another. */
  readonly reach?: Reach;
}

/** How much is measured. */
export interface Effort {
  /** Floor and ours by turns, so many times; the medians count. */
  readonly rounds: number;
  /** How many interactions wait, where some do. */
  readonly waiting: number;
  /** Says how far it is. */
  readonly say: (progress: string) => void;
}

/** Measures one row of the table in docs/performance.md. */
export type Bench = (effort: Effort) => Promise<readonly Line[]>;

/** Ours over the floor, where there is one. */
export const ratioOf = ({ floor, ours }: Line): number | undefined => (floor === undefined ? undefined : ours / floor);

/** Whether the line is where it has to be; `undefined` where it need not be anywhere. */
export const isReached = (line: Line): boolean | undefined => {
  const { reach, ours } = line;
  if (!reach) return undefined;
  return 'most' in reach ? ours <= reach.most : (ratioOf(line) ?? Number.POSITIVE_INFINITY) <= reach.ratio;
};
