// Checks a list of steps in order: what is known before and after each.

import { didYouMean } from '../../platform/text/did-you-mean.ts';
import { ownValue } from '../../platform/text/own-value.ts';
import type { Kind, Scope } from '../grammar/expressions.ts';
import {
  type BranchingStep,
  isApp,
  type OutcomeName,
  outcomes,
  type Step,
  type StepOf,
  type Steps,
  type Target,
  verbOf,
} from '../grammar/schema.ts';
import { commonKinds, declared, fits, outcomeKind } from '../grammar/value-types.ts';
import { edgesOfBranching, isBranching, isRetry, isSteps, pathIn, type StepPlace, targetOf } from '../program.ts';
import type { Checker } from './checker.ts';

/** What is known after the steps; `undefined` if nothing can follow. */
export const checkSteps = (checker: Checker, list: string, steps: Steps, before: Scope): Map<string, Kind> | undefined => {
  let scope: Map<string, Kind> | undefined = new Map(before);
  for (const [index, step] of steps.entries()) {
    if (!scope) {
      checker.fault(pathIn(`${list}.${index}`), 'unreachable', 'nothing leads here: the step before it ends or goes elsewhere');
      return undefined;
    }
    checker.scopes.set(`${list}.${index}`, new Map(scope));
    scope = checkStep(checker, `${list}.${index}`, step, scope);
  }
  return scope;
};

const checkStep = (checker: Checker, place: StepPlace, step: Step, scope: Map<string, Kind>): Map<string, Kind> | undefined => {
  const at = pathIn(place);
  const { fault } = checker;
  if ('say' in step) checker.text([...at, 'say'], step.say, scope);
  else if ('ask' in step) checkAsk(checker, at, step, scope);
  else if ('choose' in step) checker.assign([...at, 'choose'], scope, step.choose, { type: 'text' });
  else if ('set' in step) {
    for (const [name, written] of Object.entries(step.set)) {
      const kind = checker.value([...at, 'set', name], written, scope);
      checker.assign([...at, 'set', name], scope, name, kind ?? { type: 'text' });
    }
  } else if ('when' in step) {
    const sure = checker.sure(step.when, scope);
    const kind = checker.expression([...at, 'when'], step.when, sure);
    if (kind && kind.type !== 'yes-no') fault([...at, 'when'], 'expression', `it must be true or false, and comes to ${kind.type}`);
    const ways = [
      checkSteps(checker, `${place}.do`, step.do, sure),
      step.else ? checkSteps(checker, `${place}.else`, step.else, scope) : scope,
    ];
    const open = ways.filter((way) => way !== undefined);
    return open.length === 0 ? undefined : commonKinds(open);
  } else if ('go' in step) {
    leadTo(checker, [...at, 'go'], step.go, scope);
    return undefined;
  } else if ('handoff' in step) return undefined;
  else if ('end' in step) {
    checker.ends(at, step.end, scope);
    return undefined;
  } else if (isBranching(step)) return checkBranching(checker, place, step, scope);
  return scope;
};

const checkAsk = (checker: Checker, at: (string | number)[], step: StepOf<'ask'>, scope: Map<string, Kind>): void => {
  const { fault } = checker;
  const { ask, as, text, repair, check, currency, choices } = step;
  const kind: Kind = { type: ask === 'choice' ? 'text' : ask };
  if (text !== undefined) checker.text([...at, 'text'], text, scope);
  else if (ask !== 'email' && ask !== 'phone') fault([...at, 'ask'], 'missing', `to ask for ${ask}, text must say what is asked`);
  if (repair !== undefined) checker.text([...at, 'repair'], repair, scope);
  if (check !== undefined) {
    const found = checker.expression([...at, 'check'], check, new Map([...scope, ['answer', kind]]));
    if (found && found.type !== 'yes-no') fault([...at, 'check'], 'expression', `it must be true or false, and comes to ${found.type}`);
    if (repair === undefined)
      fault([...at, 'check'], 'missing', 'where an answer is checked, repair must say what is wrong with one that does not fit');
  }
  if ((ask === 'money') !== (currency !== undefined))
    fault(
      [...at, currency === undefined ? 'ask' : 'currency'],
      'wrong-value',
      ask === 'money' ? 'to ask for money, currency must say which' : 'currency belongs to money',
    );
  if ((ask === 'choice') !== (choices !== undefined))
    fault(
      [...at, choices === undefined ? 'ask' : 'choices'],
      'wrong-value',
      ask === 'choice' ? 'to ask for a choice, choices must be there' : 'choices belong to a choice',
    );
  for (const [index, { title, value }] of (choices ?? []).entries()) {
    checker.text([...at, 'choices', index, 'title'], title, scope);
    if (choices?.findIndex((one) => one.value === value) !== index)
      fault([...at, 'choices', index, 'value'], 'twice', `${value} is there twice`);
  }
  checker.assign([...at, 'as'], scope, as, kind);
};

const checkBranching = (checker: Checker, place: StepPlace, step: BranchingStep, scope: Scope): Map<string, Kind> | undefined => {
  const { fault, flows } = checker;
  const at = pathIn(place);
  const verb = verbOf(step) as string;
  checkInputs(checker, at, step, scope);
  const { on, else: otherwise } = step;
  if (on?.else !== undefined && otherwise !== undefined)
    fault([...at, 'else'], 'two-elses', 'there is an else under on already', { key: true });
  const missing = on?.else === undefined && otherwise === undefined ? outcomes.filter((name) => on?.[name] === undefined) : [];
  if (missing.length > 0)
    fault([...at, on ? 'on' : verb], 'missing-outcome', `${verb} says nothing of ${listed(missing)}`, {
      hint: 'name all four outcomes under on, or give else',
      key: true,
    });
  const open: Scope[] = [];
  for (const { again, outcomes: by } of edgesOfBranching(place, step)) {
    if (again) continue;
    const { key, target } = targetOf(step, by[0] as OutcomeName);
    const known = new Map(scope);
    if (step.as !== undefined)
      checker.assign(
        [...at, 'as'],
        known,
        step.as,
        outcomeKind(
          step,
          by.every((name) => name === 'success'),
          flows,
        ),
      );
    open.push(...checkTarget(checker, [...at, ...key.split('.').filter(Boolean)], `${place}${key && `.${key}`}`, target, known, by));
  }
  return open.length === 0 ? undefined : commonKinds(open);
};

const listed = (names: readonly string[]) => new Intl.ListFormat('en', { type: 'conjunction' }).format(names);

/** What is known where the following steps continue. */
const checkTarget = (
  checker: Checker,
  at: (string | number)[],
  list: string,
  target: Target,
  scope: Map<string, Kind>,
  by: readonly OutcomeName[],
): Scope[] => {
  if (isRetry(target)) {
    if (by.includes('success')) checker.fault(at, 'retry', 'what succeeded is not tried again');
    return checkTarget(checker, [...at, 'then'], `${list}.then`, target.then, scope, by);
  }
  if (isSteps(target)) {
    const rest = checkSteps(checker, list, target, scope);
    return rest ? [rest] : [];
  }
  if (target === 'next') return [scope];
  if (target === 'end') {
    for (const outcome of by) checker.ends(at, outcome, scope);
    return [];
  }
  leadTo(checker, at, target, scope);
  return [];
};

const leadTo = ({ fault, flow, jumps }: Checker, at: (string | number)[], part: string, scope: Scope): void => {
  const parts = Object.keys(flow.parts ?? {});
  if (parts.includes(part)) jumps.set(part, [...(jumps.get(part) ?? []), scope]);
  else fault(at, 'unknown-part', `there is no part ${part}`, { ...didYouMean(part, ['next', 'end', ...parts]) });
};

/** Checks the inputs of an app or flow. */
const checkInputs = (checker: Checker, at: (string | number)[], step: BranchingStep, scope: Scope): void => {
  const { fault, flows } = checker;
  const verb = verbOf(step);
  if ('run' in step) {
    const other = flows.get(step.run);
    if (!other) {
      fault([...at, 'run'], 'unknown-flow', `there is no flow ${step.run}`, { ...didYouMean(step.run, [...flows.keys()]) });
      return;
    }
    const { needs = {} } = other;
    for (const [name, written] of Object.entries(step.with ?? {})) {
      const kind = checker.value([...at, 'with', name], written, scope);
      const wanted = ownValue(needs, name);
      if (wanted === undefined)
        fault([...at, 'with', name], 'unknown-input', `${name} is no input of ${step.run}`, {
          ...didYouMean(name, Object.keys(needs)),
          key: true,
        });
      else if (kind && !fits(kind, { type: declared(wanted).type }))
        fault([...at, 'with', name], 'other-type', `${name} must be ${declared(wanted).type}, and is ${kind.type}`);
    }
    for (const [name, written] of Object.entries(needs))
      if (!declared(written).optional && ownValue(step.with ?? {}, name) === undefined)
        fault([...at, 'run'], 'missing', `${step.run} needs ${name}`, { hint: 'give it under with' });
  } else if (verb && isApp(verb)) {
    const given = (step as unknown as Record<string, Record<string, unknown> | null>)[verb] ?? {};
    for (const [name, written] of Object.entries(given)) {
      if (name === 'variables')
        for (const [blank, value] of Object.entries(written as Record<string, string>))
          checker.value([...at, verb, name, blank], value, scope);
      else {
        const kind = checker.value([...at, verb, name], written as string, scope);
        if (kind && !fits(kind, { type: 'text' })) fault([...at, verb, name], 'other-type', `${name} must be text, and is ${kind.type}`);
      }
    }
  }
};
