// Which edges of a flow its tests take, and the beginnings of tests for the others.
import { stringify } from 'yaml';
import type { AppId } from '../../contract/index.ts';
import {
  type FlowSource,
  isApp,
  type OutcomeName,
  outcomes,
  type Step,
  type StepOf,
  type Steps,
  type Target,
  textIn,
  verbOf,
} from '../grammar/schema.ts';
import type { LoadedFlow } from '../load-flows.ts';
import { type Edge, edgesOf, isBranching, isRetry, listsIn, pathIn, type StepPlace, stepAt, stepsOf, targetOf } from '../program.ts';
import { wayInto } from '../wishes.ts';
import { edgeKey } from './run-script.ts';

/** Where an edge is written. */
const pathOfEdge = (source: FlowSource, { place, edge, outcomes: by }: Edge): (string | number)[] => {
  const step = stepAt(source, place) as Step;
  if ('when' in step) return [...pathIn(place), edge === 'true' ? 'when' : step.else ? 'else' : 'when'];
  const { key } = isBranching(step) ? targetOf(step, by[0] as OutcomeName) : { key: '' };
  return [...pathIn(place), ...key.split('.').filter(Boolean)];
};

/** Every edge of a flow, and whether it was taken. */
export const coverageOf = ({ name, source, positions }: LoadedFlow, taken: ReadonlySet<string>) =>
  edgesOf(source).map((edge) => ({
    ...edge,
    flow: name,
    file: positions.file,
    line: positions.line(pathOfEdge(source, edge)),
    taken: taken.has(edgeKey(name, edge.place, edge.edge)),
  }));

/** A step of a test as it is written; the answer to the question `as`; or that this question has to be answered with `is`. */
type Written = Readonly<Record<string, string>>;

const answers: Partial<Record<StepOf<'ask'>['ask'], string>> = {
  text: 'Something',
  number: '12',
  money: '12',
  email: 'mei@example.com',
  phone: '+1 202 555 0147',
  'yes-no': 'yes',
};

/** An answer that is valid for such a question; if there is a check, people have to write it, except for choices. */
const answerTo = ({ ask, as, check, choices: [first] = [] }: StepOf<'ask'>): string => {
  // A title with a value in it is known only when it is shown; its number always is.
  if (first) return textIn(first.title).includes('${') ? '1' : textIn(first.title);
  return (check === undefined && answers[ask]) || `an answer to “${as}”`;
};

/** How a test passes a step on the way to another. */
const passing = (step: Step, outcome: OutcomeName): Written[] => {
  const verb = verbOf(step);
  if ('ask' in step) return [{ customer: answerTo(step), as: step.as }];
  if (verb === 'choose') return [{ customer: '1' }];
  if ('verify' in step) return [{ device: `${step.verify?.by?.[0] ?? 'passkeys'} ${outcome}` }];
  if (verb && isApp(verb)) return [{ device: `${verb satisfies AppId} ${outcome}` }];
  if ('run' in step) return [{ customer: `what leads ${step.run} to ${outcome}` }];
  return [];
};

/** What a question has to be answered so that a condition about it alone comes to a value. */
const wantedFor = (source: FlowSource, { when }: StepOf<'when'>, value: boolean): Written[] => {
  const [, not, name] = /^(!?)\s*([a-z]\w*)$/.exec(when.trim()) ?? [];
  if (name !== undefined) return [{ question: name, is: value === (not === '') ? 'yes' : 'no' }];
  const [, choice = '', sign, one] = /^([a-z]\w*)\s*([!=]=)\s*["']([^"']*)["']$/.exec(when.trim()) ?? [];
  const choices = stepsOf(source).flatMap(([, step]) => ('ask' in step && step.as === choice ? (step.choices ?? []) : []));
  const found = choices.find((other) => (other.value === one) === (value === (sign === '==')));
  return found ? [{ question: choice, is: textIn(found.title) }] : [];
};

const leaves = (steps: Steps | undefined): boolean => {
  const last = steps?.at(-1);
  return last !== undefined && ('go' in last || 'end' in last || 'handoff' in last);
};

/** The steps as people read them, each question answered as the first condition after it wants. */
const answered = (steps: readonly Written[]): Written[] =>
  steps.flatMap(({ as, question, ...line }, index) => {
    const wanted = as === undefined ? undefined : steps.slice(index).find((one) => one.question === as)?.is;
    return question !== undefined ? [] : [wanted === undefined ? line : { customer: wanted }];
  });

/** The steps of a test that lead to a place, and past it with one of its outcomes. */
const leadTo = (source: FlowSource, wanted: StepPlace): Written[] | undefined => {
  const within = (list: string, steps: Steps, seen: ReadonlySet<string>): Written[] | undefined => {
    const before: Written[] = [];
    for (const [index, step] of steps.entries()) {
      const place = `${list}.${index}`;
      if (place === wanted) return before;
      for (const [inner, inside] of listsIn(place, step)) {
        const rest = within(inner, inside, seen);
        if (rest) return [...before, ...entering(source, step, place, inner), ...rest];
      }
      if (isBranching(step))
        for (const outcome of outcomes) {
          const { target } = targetOf(step, outcome);
          const to: Target = isRetry(target) ? target.then : target;
          const again = isRetry(target) ? target.retry : 0;
          const part = typeof to === 'string' && !seen.has(to) ? source.parts?.[to] : undefined;
          const rest = part && within(`parts.${to as string}`, part, new Set([...seen, to as string]));
          if (rest) return [...before, ...Array.from({ length: again + 1 }, () => passing(step, outcome)).flat(), ...rest];
        }
      if ('go' in step && !seen.has(step.go)) return within(`parts.${step.go}`, source.parts?.[step.go] ?? [], new Set([...seen, step.go]));
      if ('when' in step && (leaves(step.do) || leaves(step.else))) before.push(...wantedFor(source, step, leaves(step.else)));
      before.push(...passing(step, 'success'));
    }
    return undefined;
  };
  return within('do', source.do, new Set());
};

/** How a test enters one of the lists inside a step. */
const entering = (source: FlowSource, step: Step, place: StepPlace, inner: string): Written[] => {
  if ('when' in step) return wantedFor(source, step, inner === `${place}.do`);
  if (!isBranching(step)) return [];
  const written = inner.slice(place.length + 1).replace(/\.then$/, '');
  const outcome = outcomes.find((name) => targetOf(step, name).key === written) ?? 'failure';
  const { target } = targetOf(step, outcome);
  return Array.from({ length: (isRetry(target) ? target.retry : 0) + 1 }, () => passing(step, outcome)).flat();
};

/**
 * Tests for the edges that no test takes, as far as they can be generated: people add what the customer says and the
 * bot answers.
 */
export const skeletonFor = (source: FlowSource, missing: readonly Edge[]): string => {
  const tests = missing.map(({ place, edge, outcomes: by, again }) => {
    const step = stepAt(source, place) as Step;
    const outcome = by[0] ?? 'success';
    const target = isBranching(step) ? targetOf(step, outcome).target : undefined;
    const times = again || !isRetry(target) ? 1 : target.retry + 1;
    const wanted = 'when' in step ? wantedFor(source, step, edge === 'true') : [];
    const condition = 'when' in step ? [{ bot: `what shows that “${step.when}” is ${edge}` }] : [];
    const to = isRetry(target) ? target.then : target;
    const ends = to === 'end' && !again ? [{ ends: outcome }] : typeof to === 'string' && to !== 'next' ? lastOf(source, to) : [];
    const steps = [
      ...(leadTo(source, place) ?? []),
      ...Array.from({ length: times }, () => passing(step, outcome)).flat(),
      ...wanted,
      ...condition,
      ...(again ? [] : ends),
    ];
    // The first message starts the flow.
    const said = steps[0] !== undefined && 'customer' in steps[0] ? [{ customer: wayInto(source) ?? textIn(source.title) }] : [];
    return { name: `${verbOf(step)} ${edge} (${place})`, steps: [...said, ...answered(steps)] };
  });
  // In quotes, “yes” is a text for older readers of YAML too.
  return stringify({ flow: source.flow, tests }, { compat: 'yaml-1.1' });
};

/** How a part ends, if it ends with a step that says so. */
const lastOf = ({ parts = {} }: FlowSource, part: string): Written[] => {
  const last = parts[part]?.at(-1);
  if (last && 'handoff' in last) return [{ ends: 'handoff' }];
  return last && 'end' in last ? [{ ends: last.end }] : [];
};
