// What the checks of a flow share: collecting faults, and checking texts and expressions.
import { chatLanguages } from '../../../dialogs/index.ts';
import { didYouMean } from '../../platform/text/did-you-mean.ts';
import { ownValue } from '../../platform/text/own-value.ts';
import { checkExpression, type Kind, partsOf, type Scope, sureIn } from '../grammar/expressions.ts';
import type { Fault } from '../grammar/fault.ts';
import { languagesOf } from '../grammar/locale-files.ts';
import type { Path, Positions } from '../grammar/read-flow.ts';
import { type FlowSource, type FlowText, type OutcomeName, outcomes } from '../grammar/schema.ts';
import { choiceValuesIn, declared, fits } from '../grammar/value-types.ts';
import { stepsOf } from '../program.ts';

/** Every name that is defined anywhere in the flow. */
const namesIn = (flow: FlowSource): ReadonlySet<string> =>
  new Set([
    ...Object.keys(flow.needs ?? {}),
    ...stepsOf(flow).flatMap(([, step]) => [
      ...('as' in step && step.as ? [step.as] : []),
      ...('choose' in step ? [step.choose] : []),
      ...('set' in step ? Object.keys(step.set) : []),
    ]),
  ]);

const reserved = new Set([
  ...['answer', 'true', 'false', 'null', 'in', 'as', 'if', 'else', 'for', 'const', 'let', 'var', 'void', 'while', 'return'],
  ...['package', 'namespace', 'import', 'function', 'loop', 'break', 'continue'],
]);

/** Of expressions, or of every object: values are kept in objects. */
const isReserved = (name: string) => reserved.has(name) || name in Object.prototype;

/** The checks of one flow, given the others that it may run. */
export const checkerOf = (flow: FlowSource, positions: Positions, flows: ReadonlyMap<string, FlowSource>) => {
  const faults: Fault[] = [];
  const names = namesIn(flow);
  const closed = choiceValuesIn(flow);
  const kinds = new Map<string, Kind>(
    [...Object.entries(flow.needs ?? {}), ...Object.entries(flow.gives ?? {})].map(([name, written]) => [
      name,
      { type: declared(written).type },
    ]),
  );
  const fault = (...found: Parameters<Positions['fault']>): void => void faults.push(positions.fault(...found));
  for (const [name] of kinds)
    if (isReserved(name))
      fault([flow.needs?.[name] === undefined ? 'gives' : 'needs', name], 'bad-name', `${name} means something else in expressions`, {
        key: true,
      });

  /** Checks an expression, which starts `offset` characters into the value. */
  const expression = (at: Path, source: string, scope: Scope, offset?: number): Kind | undefined => {
    const checked = checkExpression(source, scope, names);
    const where = offset === undefined && at.length === 0 ? {} : { from: (offset ?? 0) + ('from' in checked ? checked.from : 0) };
    if ('kind' in checked) {
      for (const { owner, value, known } of neverIn(source, scope, closed))
        fault(at, 'unknown-value', `${owner} is never “${value}”`, { ...didYouMean(value, known), ...where });
      return checked.kind;
    }
    const { wrong, unknown, hint } = checked;
    const [, owner = ''] = [...source.matchAll(/\b([A-Za-z_]\w*)\.(\w+)/g)].find(([, , field]) => field === unknown) ?? [];
    const record = scope.get(owner);
    if (hint !== undefined) fault(at, 'bad-pattern', wrong, { hint, ...where });
    else if (unknown === undefined) fault(at, 'expression', plainly(wrong), { ...nullHint(source), ...where });
    else if (record?.type === 'record')
      fault(at, 'unknown-field', `${owner}.${unknown} is not known here`, {
        ...fieldHint(unknown, owner, Object.keys(record.fields)),
        ...where,
      });
    else if (names.has(unknown))
      fault(at, 'not-known-here', `${unknown} is not known on every way here`, {
        hint: `ask for it, choose it or set it before, or test it: has(${unknown})`,
        ...where,
      });
    else
      fault(at, 'unknown-name', `${unknown} is not known`, { ...didYouMean(unknown, [...new Set([...scope.keys(), ...names])]), ...where });
    return undefined;
  };

  /** Checks a value that may contain `${…}`. */
  const value = (at: Path, written: string | number | boolean, scope: Scope): Kind | undefined => {
    if (typeof written === 'number') return { type: 'number' };
    if (typeof written === 'boolean') return { type: 'yes-no' };
    const parts = partsOf(written);
    if (!parts) {
      fault(at, 'not-closed', 'a ${ is not closed', { hint: 'close it with }' });
      return undefined;
    }
    for (const { 0: all, 1: braced, 2: plain, index } of written.matchAll(insertion))
      if (braced !== undefined || names.has(plain?.split('.')[0] ?? ''))
        fault(at, 'bare-name', `customers read “${all}” as it stands`, {
          hint: `to insert it, write \${${braced ?? plain}}`,
          warning: true,
          from: index,
        });
    const found = parts.map((part) => ('text' in part ? ({ type: 'text' } as Kind) : expression(at, part.expression, scope, part.from)));
    return parts.length === 1 ? found[0] : { type: 'text' };
  };

  const spoken = languagesOf(flow);

  return {
    flow,
    flows,
    faults,
    /** What is known before each step, by place. */
    scopes: new Map<string, Scope>(),
    /** What is known at each jump to a part, by part. */
    jumps: new Map<string, Scope[]>(),
    fault,
    expression,
    /** What is known where a condition is true, including the inputs that it tests for. */
    sure: (condition: string, scope: Scope): Scope =>
      new Map([
        ...scope,
        ...sureIn(condition).flatMap((name) => {
          const written = scope.has(name) ? undefined : ownValue(flow.needs ?? {}, name);
          return written === undefined ? [] : [[name, { type: declared(written).type }] as const];
        }),
      ]),
    value,
    /** Checks a text for customers. */
    text: (at: Path, written: FlowText, scope: Scope): void => {
      if (typeof written === 'string') return void value(at, written, scope);
      for (const [language, text] of Object.entries(written)) value([...at, language], text, scope);
      if (!chatLanguages.some((language) => Object.hasOwn(written, language)))
        fault(at, 'missing-language', `there is no text in ${chatLanguages.join(', ')}`, { key: true });
      const missing = spoken.filter((language) => !Object.hasOwn(written, language));
      if (missing.length > 0) fault(at, 'missing-language', `there is no text in ${missing.join(', ')}`, { warning: true, key: true });
    },
    /** Defines a name from here on. */
    assign: (at: Path, scope: Map<string, Kind>, name: string, kind: Kind): void => {
      const known = kinds.get(name);
      if (isReserved(name)) fault(at, 'bad-name', `${name} means something else in expressions`);
      else if (known && !fits(kind, known)) fault(at, 'other-type', `${name} is ${known.type} elsewhere, and ${kind.type} here`);
      kinds.set(name, known ?? kind);
      scope.set(name, kind.type === 'record' ? kind : (known ?? kind));
    },
    /** The flow ends here, with an outcome. */
    ends: (at: Path, outcome: OutcomeName, scope: Scope): void => {
      if (outcome !== outcomes[0]) return;
      for (const [name, written] of Object.entries(flow.gives ?? {}))
        if (!declared(written).optional && !scope.has(name))
          fault(at, 'missing-output', `the flow succeeds here, and ${name} is not known on every way`, {
            hint: `set it before, or write ${name}: ${written}?`,
          });
    },
  };
};

export type Checker = ReturnType<typeof checkerOf>;

/** How other languages insert values: `{name}`, `{{name}}`, `$name`, `$(name)`. */
const insertion = /(?<![${])\{\{?\s*([a-z]\w*(?:\.\w+)?)\s*\}?\}|\$\(?([a-z]\w*(?:\.\w+)?)\)?/g;

/** Comparisons with values that a status or a choice never has. */
const neverIn = (source: string, scope: Scope, closed: ReadonlyMap<string, readonly string[]>) =>
  [...source.matchAll(/(?<![\w.])([a-z]\w*)(\.status)?\s*[!=]=\s*(?:'([^'\\]*)'|"([^"\\]*)")/g)].flatMap(
    ([, name = '', status = '', one, other]) => {
      const value = one ?? other ?? '';
      const known = status === '' ? closed.get(name) : scope.get(name)?.type === 'record' ? outcomes : undefined;
      return known && !(known as readonly string[]).includes(value) ? [{ owner: `${name}${status}`, value, known }] : [];
    },
  );

const nullHint = (source: string) => {
  const [, name] = /\b([a-z]\w*)\s*[!=]=\s*null\b/.exec(source) ?? [];
  return name === undefined ? {} : { hint: `to test whether it is there, write has(${name})` };
};

const fieldHint = (unknown: string, owner: string, fields: readonly string[]) => {
  const near = didYouMean(unknown, fields);
  return near.hint
    ? near
    : { hint: fields.length > 1 ? `${owner} has ${fields.join(', ')}` : `only ${owner}.status is known whichever way it ended` };
};

/** The library's error message, in words for people who do not program. */
const plainly = (wrong: string): string =>
  wrong === 'Unexpected character: ='
    ? 'to compare, write =='
    : wrong
        .replace('no such overload:', 'these do not go together:')
        .replace(/\b(?:double|u?int)\b/g, 'number')
        .replace(/\bstring\b/g, 'text')
        .replace(/\bbool\b/g, 'yes-no')
        .replace(/google\.protobuf\.(\w+)/g, (_, name: string) => name.toLowerCase())
        .replace('EOF', 'the end');
