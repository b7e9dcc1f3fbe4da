// What a name can be that nothing but choices give a value.
import { stepsOf } from './program.ts';
import type { FlowSource } from './schema.ts';

/** The values by name, of the names that only `ask: choice` asks for, and nothing sets otherwise. */
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
