// The types of names: inputs, answers, choices, and the outcomes of apps and flows.

import type { AppId } from '../../contract/index.ts';
import type { Interaction } from '../../interactions/index.ts';
import { ownValue } from '../../platform/text/own-value.ts';
import { stepsOf } from '../program.ts';
import type { Kind } from './expressions.ts';
import { type BranchingStep, type FlowApp, type FlowSource, isApp, type ValueType, verbOf } from './schema.ts';

/** What the chat knows of a request besides its result. */
type Asked = { readonly subject: string; readonly price?: { readonly amount: number; readonly currency: string } | undefined };
type SuccessField = { readonly type: ValueType; readonly otherwise: (asked: Asked) => string | number };
type SuccessFields = Readonly<Record<string, SuccessField>>;

const subject: SuccessField = { type: 'text', otherwise: (asked) => asked.subject };

/** The fields of a successful app's outcome, besides its status; `otherwise`: what they are if the result lacks them. */
const successFields: Record<FlowApp, SuccessFields> & Partial<Record<AppId, SuccessFields>> = {
  passkeys: {},
  'one-time-passcode': {},
  'document-signature': { title: subject },
  payments: {
    product: subject,
    amount: { type: 'money', otherwise: ({ price }) => price?.amount ?? 0 },
    currency: { type: 'text', otherwise: ({ price }) => price?.currency ?? '' },
    quantity: { type: 'number', otherwise: () => 1 },
  },
  'e-form': { title: subject },
};

/** The fields of a success; none of an app that flows have no step for. */
export const fieldsOf = ({ app, outcome, subject = '' }: Interaction, price: Asked['price']): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(successFields[app] ?? {}).map(([name, { type, otherwise }]) => {
      const value = ownValue<unknown>({ ...outcome?.result }, name);
      return [name, typeof value === (type === 'text' ? 'string' : 'number') ? (value as string | number) : otherwise({ subject, price })];
    }),
  );

/** An input or output as written: `text`, or `text?` if optional. */
export const declared = (written: string): { readonly type: ValueType; readonly optional: boolean } => ({
  type: written.replace('?', '') as ValueType,
  optional: written.endsWith('?'),
});

/** The type of a step's outcome, as stored under its name. */
export const outcomeKind = (step: BranchingStep, succeeded: boolean, flows: ReadonlyMap<string, FlowSource>): Kind => {
  const fields: Record<string, ValueType> = { status: 'text' };
  const verb = verbOf(step);
  if (succeeded && verb && isApp(verb)) for (const [name, { type }] of Object.entries(successFields[verb])) fields[name] = type;
  if (succeeded && 'run' in step)
    for (const [name, written] of Object.entries(flows.get(step.run)?.gives ?? {})) {
      const { type, optional } = declared(written);
      if (!optional) fields[name] = type;
    }
  return { type: 'record', fields };
};

const plain = (type: ValueType): 'number' | 'text' | 'yes-no' =>
  type === 'money' || type === 'number' ? 'number' : type === 'yes-no' ? 'yes-no' : 'text';

/** Whether a value of one type may be used where another is expected. */
export const fits = (value: Kind, wanted: Kind): boolean =>
  value.type === 'record' || wanted.type === 'record' ? value.type === wanted.type : plain(value.type) === plain(wanted.type);

/** What is known on every path that leads here. */
export const commonKinds = (scopes: readonly ReadonlyMap<string, Kind>[]): Map<string, Kind> => {
  const [first, ...others] = scopes;
  const shared = new Map<string, Kind>();
  for (const [name, kind] of first ?? []) {
    const kinds = [kind, ...others.flatMap((scope) => scope.get(name) ?? [])];
    if (kinds.length <= others.length) continue;
    if (kinds.every(({ type }) => type !== 'record')) shared.set(name, kind);
    const fields = kinds.map((one) => (one.type === 'record' ? one.fields : {}));
    if (kind.type === 'record')
      shared.set(name, {
        type: 'record',
        fields: Object.fromEntries(Object.entries(kind.fields).filter(([field]) => fields.every((all) => field in all))),
      });
  }
  return shared;
};

/** The allowed values of names that are set only by `ask: choice`. */
export const choiceValuesIn = (flow: FlowSource): ReadonlyMap<string, readonly string[]> => {
  const steps = stepsOf(flow).map(([, step]) => step);
  const others = steps.flatMap((step) => [
    ...('ask' in step && step.ask !== 'choice' ? [step.as] : []),
    ...('choose' in step ? [step.choose] : []),
    ...('set' in step ? Object.keys(step.set) : []),
  ]);
  const values = new Map<string, readonly string[]>();
  for (const step of steps)
    if ('ask' in step && step.choices && !others.includes(step.as))
      values.set(step.as, [...(values.get(step.as) ?? []), ...step.choices.map(({ value }) => value)]);
  return values;
};
