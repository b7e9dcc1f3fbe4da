// The checks that a grammar cannot express: every name is known where it is used, every outcome leads somewhere, and
// every path ends.
import { chatLanguages } from '../../../dialogs/index.ts';
import { isAppId } from '../../contract/index.ts';
import { didYouMean } from '../../platform/text/did-you-mean.ts';
import type { Scope } from '../grammar/expressions.ts';
import type { Fault } from '../grammar/fault.ts';
import { languagesOf } from '../grammar/locale-files.ts';
import type { Positions } from '../grammar/read-flow.ts';
import type { FlowSource, Step, Steps, Target } from '../grammar/schema.ts';
import { commonKinds, declared } from '../grammar/value-types.ts';
import { isRetry, listsIn, pathIn, reachedFrom, stepsOf } from '../program.ts';
import { notGivenBy, slotsIn } from '../wishes.ts';
import { checkSteps } from './check-steps.ts';
import { type Checker, checkerOf } from './checker.ts';

/**
 * Checks one flow, given the others that it may run. Returns its faults, and what is known before each step, by place.
 */
export const checkFlow = (
  flow: FlowSource,
  positions: Positions,
  flows: ReadonlyMap<string, FlowSource>,
): { readonly faults: readonly Fault[]; readonly scopes: ReadonlyMap<string, Scope> } => {
  const checker = checkerOf(flow, positions, flows);
  const scope = new Map(
    Object.entries(flow.needs ?? {}).flatMap(([name, written]) => {
      const { type, optional } = declared(written);
      return optional ? [] : [[name, { type }] as const];
    }),
  );
  if (isAppId(flow.flow))
    checker.fault(['flow'], 'taken-name', `${flow.flow} is the name of an app`, { hint: 'others begin both by their names' });
  checker.text(['title'], flow.title, scope);
  if (flow.description !== undefined) checker.text(['description'], flow.description, scope);
  checkPhrases(checker);
  const rest = checkSteps(checker, 'do', flow.do, scope);
  if (rest) checker.ends(['do', flow.do.length - 1], 'success', rest);
  checkParts(checker, scope);
  return checker;
};

/** Sorts parts so that none comes before one that leads to it. */
const checkParts = (checker: Checker, start: Scope): void => {
  const { flow, jumps, fault } = checker;
  const parts = Object.entries(flow.parts ?? {});
  const open = new Map(parts);
  const leads = new Map(parts.map(([name, steps]) => [name, partsFrom(`parts.${name}`, steps)]));
  while (open.size > 0) {
    const free = [...open].find(([name]) => ![...open.keys()].some((other) => leads.get(other)?.has(name)));
    const [name, steps] = free ?? ([...open][0] as [string, Steps]);
    if (!free)
      fault(['parts', name], 'circle', `part ${name} leads back to itself`, {
        hint: 'every way must come to an end: use retry',
        key: true,
      });
    open.delete(name);
    const scopes = jumps.get(name);
    if (!scopes) fault(['parts', name], 'unused-part', `nothing leads to part ${name}`, { warning: true, key: true });
    const rest = checkSteps(checker, `parts.${name}`, steps, scopes ? commonKinds(scopes) : new Map(start));
    if (rest) {
      const last = ['parts', name, steps.length - 1];
      fault(last, 'no-end', `part ${name} comes to no end`, { hint: 'finish it with end, handoff or go' });
    }
  }
};

/** The parts that some steps lead to. */
const partsFrom = (list: string, steps: Steps): Set<string> => {
  const names = (target: Target | undefined): string[] =>
    typeof target === 'string' ? [target] : isRetry(target) && typeof target.then === 'string' ? [target.then] : [];
  const from = (place: string, step: Step): string[] => [
    ...('go' in step ? [step.go] : []),
    ...('on' in step || ('else' in step && !('when' in step))
      ? [...Object.values(step.on ?? {}), step.else as Target | undefined].flatMap(names)
      : []),
    ...listsIn(place, step).flatMap(([inner, within]) => [...partsFrom(inner, within)]),
  ];
  return new Set(steps.flatMap((step, index) => from(`${list}.${index}`, step)));
};

const checkPhrases = ({ flow, fault }: Checker): void => {
  const { needs = {}, says = {} } = flow;
  for (const [language, phrases] of Object.entries(says)) {
    if (!chatLanguages.includes(language as never))
      fault(['says', language], 'unknown-language', `${language} is no language that the bot speaks`, { warning: true, key: true });
    for (const [index, phrase] of phrases.entries()) {
      for (const slot of slotsIn(phrase))
        if (!Object.hasOwn(needs, slot))
          fault(['says', language, index], 'unknown-input', `{${slot}} is no input of this flow`, {
            ...didYouMean(slot, Object.keys(needs)),
          });
      for (const name of notGivenBy(flow, phrase))
        fault(['says', language, index], 'never-begins', `“${phrase}” never begins this flow, because it cannot give ${name}`, {
          hint: slotsIn(phrase).includes(name) ? 'no phrase can say yes or no' : `write {${name}} where it is said, or make it optional`,
          warning: true,
        });
    }
  }
  const missing = languagesOf(flow).filter((language) => !Object.hasOwn(says, language));
  if (flow.says && missing.length > 0)
    fault(['says'], 'missing-language', `says has no phrases in ${missing.join(', ')}`, { warning: true, key: true });
};

/** Flows that run themselves, directly or through others. */
export const circlesOf = (flows: ReadonlyMap<string, { readonly source: FlowSource; readonly positions: Positions }>): Fault[] =>
  [...flows].flatMap(([name, { positions, source }]) =>
    stepsOf(source).flatMap(([place, step]) => {
      if (!('run' in step) || !reachedFrom(step.run, flows).has(name)) return [];
      const message = `${step.run} leads back to ${name}`;
      return [positions.fault([...pathIn(place), 'run'], 'circle', message, { hint: 'every way must come to an end' })];
    }),
  );
