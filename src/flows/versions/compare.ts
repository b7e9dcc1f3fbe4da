// Compares two versions of a flow: which steps correspond, and what has changed.
import { isDeepStrictEqual } from 'node:util';
import { ownValue } from '../../platform/text/own-value.ts';
import { type FlowSource, type Step, type Steps, verbOf } from '../grammar/schema.ts';
import { stepLabel } from '../graph.ts';
import { listsIn, type StepPlace, stepAt, stepsOf } from '../program.ts';

/** What identifies a step after it was changed or moved within its list. */
const nameOf = (step: Step): string => {
  const { as, choose, ask, run, when } = step as { readonly [key: string]: unknown };
  return [verbOf(step), as ?? choose ?? run ?? when ?? ask ?? ''].join(' ');
};

/** The longest common run of two lists, as pairs of places in them. */
const common = (one: readonly Step[], other: readonly Step[]): (readonly [number, number])[] => {
  const lengths = Array.from({ length: one.length + 1 }, () => new Array<number>(other.length + 1).fill(0));
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  const score = (i: number, j: number) => {
    const [a, b] = [one[i] as Step, other[j] as Step];
    return isDeepStrictEqual(a, b) ? 3 : nameOf(a) === nameOf(b) ? 2 : 0;
  };
  for (let i = one.length - 1; i >= 0; i -= 1)
    for (let j = other.length - 1; j >= 0; j -= 1) {
      const both = score(i, j);
      (lengths[i] as number[])[j] = Math.max(at(i + 1, j), at(i, j + 1), both > 0 ? both + at(i + 1, j + 1) : 0);
    }
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < one.length && j < other.length; ) {
    const both = score(i, j);
    if (both > 0 && at(i, j) === both + at(i + 1, j + 1)) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return pairs;
};

/** The place of each step of one version in the other; steps without a counterpart are left out. */
export const alignmentOf = (before: FlowSource, now: FlowSource): ReadonlyMap<StepPlace, StepPlace> => {
  const places = new Map<StepPlace, StepPlace>();
  const align = (list: string, steps: Steps, otherList: string, otherSteps: Steps): void => {
    for (const [i, j] of common(steps, otherSteps)) {
      const [place, other] = [`${list}.${i}`, `${otherList}.${j}`];
      places.set(place, other);
      const otherLists = listsIn(other, otherSteps[j] as Step);
      for (const [inner, within] of listsIn(place, steps[i] as Step)) {
        const same = otherLists.find(([one]) => one.slice(other.length) === inner.slice(place.length));
        if (same) align(inner, within, ...same);
      }
    }
  };
  align('do', before.do, 'do', now.do);
  for (const [name, steps] of Object.entries(before.parts ?? {})) {
    const other = ownValue(now.parts ?? {}, name);
    if (other) align(`parts.${name}`, steps, `parts.${name}`, other);
  }
  return places;
};

export interface Difference {
  readonly kind: 'added' | 'changed' | 'moved' | 'removed';
  readonly place: StepPlace;
  /** The new place of a changed or moved step. */
  readonly to?: StepPlace;
  readonly step: string;
}

/** A step without the steps inside it. */
const bare = (step: Step): unknown =>
  JSON.parse(
    JSON.stringify(step, (key, value) =>
      Array.isArray(value) && ['do', 'else', 'then', 'success', 'failure', 'timeout', 'cancelled'].includes(key) ? 'steps' : value,
    ),
  );

export const differences = (before: FlowSource, now: FlowSource): Difference[] => {
  const places = alignmentOf(before, now);
  const found = new Set(places.values());
  const old = stepsOf(before).flatMap(([place, step]): Difference[] => {
    const to = places.get(place);
    if (to === undefined) return [{ kind: 'removed', place, step: stepLabel(step) }];
    const other = stepAt(now, to) as Step;
    if (!isDeepStrictEqual(bare(step), bare(other))) return [{ kind: 'changed', place, to, step: stepLabel(other) }];
    return to === place ? [] : [{ kind: 'moved', place, to, step: stepLabel(other) }];
  });
  const added = stepsOf(now).flatMap(([place, step]): Difference[] =>
    found.has(place) ? [] : [{ kind: 'added', place, step: stepLabel(step) }],
  );
  return [...old, ...added];
};
