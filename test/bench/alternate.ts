// Floor and ours by turns, so that whatever else the machine does meanwhile strikes both.
import { median } from './numbers.ts';

/** Measures a side once. */
export type Measure = () => Promise<number>;

/** The medians of so many rounds. A first round warms up and is not counted. */
export const alternate = async (rounds: number, sides: { readonly floor: Measure; readonly ours: Measure }) => {
  const floor: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const [low, own] = [await sides.floor(), await sides.ours()];
    if (round === 0) continue;
    floor.push(low);
    ours.push(own);
  }
  return { floor: median(floor), ours: median(ours) };
};
