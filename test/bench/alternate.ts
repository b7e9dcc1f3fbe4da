// Floor and ours by turns, so that whatever else the machine does meanwhile strikes both.
import { median } from './numbers.ts';
import type { Cost } from './side.ts';

/** Measures a side once. */
export type Measure = () => Promise<number>;

/** The medians of so many rounds. The first `uncounted` rounds before them warm up. */
export const alternate = async (rounds: number, sides: { readonly floor: Measure; readonly ours: Measure }, uncounted = 1) => {
  const floor: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round < uncounted + rounds; round += 1) {
    const [low, own] = [await sides.floor(), await sides.ours()];
    if (round < uncounted) continue;
    floor.push(low);
    ours.push(own);
  }
  return { floor: median(floor), ours: median(ours) };
};

/** The same with time beside CPU time. */
export const alternateCosts = async (
  rounds: number,
  sides: { readonly floor: () => Promise<Cost>; readonly ours: () => Promise<Cost> },
  uncounted = 1,
) => {
  const elapsed: Record<keyof typeof sides, number[]> = { floor: [], ours: [] };
  const measure = (name: keyof typeof sides) => async () => {
    const cost = await sides[name]();
    elapsed[name].push(cost.elapsed);
    return cost.cpu;
  };
  const cpu = await alternate(rounds, { floor: measure('floor'), ours: measure('ours') }, uncounted);
  return { cpu, elapsed: { floor: median(elapsed.floor.slice(uncounted)), ours: median(elapsed.ours.slice(uncounted)) } };
};
