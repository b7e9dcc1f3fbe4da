// The structure of a flow: the places of its steps, what follows each, and the edges that lead on.
import {
  type BranchingStep,
  type FlowSource,
  isApp,
  type OutcomeName,
  outcomes,
  type Step,
  type Steps,
  type Target,
  verbOf,
} from './grammar/schema.ts';

/** The place of a step: `do.2`, `do.2.on.failure.0`, `parts.person.0`. */
export type StepPlace = string;

const pathOf = (place: StepPlace) => place.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));

/** The step at a place; `undefined`: none. */
export const stepAt = (flow: FlowSource, place: StepPlace): Step | undefined =>
  pathOf(place).reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], flow) as Step | undefined;

/** The same as a path in the file. */
export const pathIn = (place: StepPlace): (string | number)[] => pathOf(place);

const split = (place: StepPlace) => {
  const at = place.lastIndexOf('.');
  return { list: place.slice(0, at), index: Number(place.slice(at + 1)) };
};

/** The step that a list of steps belongs to; `undefined` for the flow's own list and for parts. */
const ownerOf = (list: string): StepPlace | undefined => /^(.*\.\d+)\.\D.*$/s.exec(list)?.[1];

/** The next step in the order of the file; `undefined` at the end of the flow or of a part. */
export const after = (flow: FlowSource, place: StepPlace): StepPlace | undefined => {
  const { list, index } = split(place);
  const next = `${list}.${index + 1}`;
  if (stepAt(flow, next)) return next;
  const owner = ownerOf(list);
  return owner === undefined ? undefined : after(flow, owner);
};

export const isBranching = (step: Step): step is BranchingStep => {
  const verb = verbOf(step);
  return verb !== undefined && (verb === 'run' || verb === 'verify' || isApp(verb));
};

/**
 * Where an outcome leads: the target, and the name under which it is written, which is its edge. `next` if nothing is
 * written for success.
 */
export const targetOf = (
  step: BranchingStep,
  outcome: OutcomeName,
): { readonly edge: string; readonly key: string; readonly target: Target } => {
  const { on = {}, else: otherwise } = step;
  const own = on[outcome];
  if (own !== undefined) return { edge: outcome, key: `on.${outcome}`, target: own };
  if (on.else !== undefined) return { edge: 'else', key: 'on.else', target: on.else };
  if (outcome === 'success' || otherwise === undefined) return { edge: outcome, key: '', target: 'next' };
  return { edge: 'else', key: 'else', target: otherwise };
};

/** An edge that leads on from a step. */
export interface Edge {
  readonly place: StepPlace;
  /** An outcome or `else`; `again` for a retry; `true` or `false`. */
  readonly edge: string;
  /** The outcomes for which it is taken. */
  readonly outcomes: readonly OutcomeName[];
  /** It leads back to its step, which is tried again. */
  readonly again?: true;
}

const edgesOfStep = (place: StepPlace, step: Step): Edge[] => {
  if ('when' in step) return ['true', 'false'].map((edge) => ({ place, edge, outcomes: [] }));
  return isBranching(step) ? edgesOfBranching(place, step) : [];
};

/** The edges of a step that ends in an outcome. */
export const edgesOfBranching = (place: StepPlace, step: BranchingStep): Edge[] => {
  const taken = outcomes.map((outcome) => ({ outcome, ...targetOf(step, outcome) }));
  return [...new Set(taken.map(({ edge }) => edge))].flatMap((edge) => {
    const by = taken.filter((one) => one.edge === edge);
    const names = by.map(({ outcome }) => outcome);
    const again = isRetry(by[0]?.target) ? [{ place, edge: `${edge} again`, outcomes: names, again: true as const }] : [];
    return [...again, { place, edge, outcomes: names }];
  });
};

export const isRetry = (target: Target | undefined): target is Extract<Target, { readonly retry: number }> =>
  typeof target === 'object' && !Array.isArray(target);

export const isSteps = (target: Target): target is Steps => Array.isArray(target);

/** The lists of steps inside a step, by place. */
export const listsIn = (place: StepPlace, step: Step): (readonly [list: string, steps: Steps])[] => {
  if ('when' in step) return [[`${place}.do`, step.do], ...(step.else ? [[`${place}.else`, step.else] as const] : [])];
  if (!isBranching(step)) return [];
  const targets: (readonly [string, Target | undefined])[] = [
    ...Object.entries(step.on ?? {}).map(([key, target]) => [`${place}.on.${key}`, target] as const),
    [`${place}.else`, step.else],
  ];
  return targets.flatMap(([list, target]): (readonly [string, Steps])[] => {
    if (target === undefined || typeof target === 'string') return [];
    if (isSteps(target)) return [[list, target]];
    return isRetry(target) && isSteps(target.then as Target) ? [[`${list}.then`, target.then as Steps]] : [];
  });
};

/** Every step of a list, with the steps inside it, in the order of the file. */
const walk = (list: string, steps: Steps): (readonly [StepPlace, Step])[] =>
  steps.flatMap((step, index) => {
    const place = `${list}.${index}`;
    return [[place, step] as const, ...listsIn(place, step).flatMap(([inner, within]) => walk(inner, within))];
  });

/** Every step of a flow by its place. */
export const stepsOf = (flow: FlowSource): (readonly [StepPlace, Step])[] => [
  ...walk('do', flow.do),
  ...Object.entries(flow.parts ?? {}).flatMap(([name, steps]) => walk(`parts.${name}`, steps)),
];

/** Every edge. */
export const edgesOf = (flow: FlowSource): Edge[] => stepsOf(flow).flatMap(([place, step]) => edgesOfStep(place, step));

/** The flow and those that it runs, by name. */
export const reachedFrom = <Read extends { readonly source: FlowSource }>(
  name: string,
  flows: ReadonlyMap<string, Read>,
): Map<string, Read> => {
  const reached = new Map<string, Read>();
  const visit = (one: string) => {
    const read = flows.get(one);
    if (!read || reached.has(one)) return;
    reached.set(one, read);
    for (const [, step] of stepsOf(read.source)) if ('run' in step) visit(step.run);
  };
  visit(name);
  return reached;
};
