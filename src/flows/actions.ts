// Flows as other programs begin them: inputs and outputs by type, from `needs` and `gives`.
import { z } from 'zod';
import { callerInputs, endOutputs, type FlowAction } from '../../dialogs/index.ts';
import { phoneNumber } from '../contract/index.ts';
import { textIn } from './ask.ts';
import { declared } from './kinds.ts';
import type { LoadedFlow } from './load-flows.ts';
import type { ValueType } from './schema.ts';

const longest = 2000;

/** What a value of each type is in JSON. */
const schemas = {
  text: z.string().trim().min(1, 'must not be empty').max(longest, `must have ${longest} characters at most`),
  number: z.number(),
  money: z.number().nonnegative('must not be negative').meta({ description: 'In major units.' }),
  date: z.iso.date('must be a day such as 2026-12-05'),
  email: z.email('must be an e-mail address'),
  phone: phoneNumber,
  'yes-no': z.boolean(),
} as const satisfies Record<ValueType, z.ZodType>;

const shapeOf = (names: Readonly<Record<string, string>>, optional: boolean): z.ZodRawShape =>
  Object.fromEntries(
    Object.entries(names).map(([name, written]) => {
      const { type, optional: may } = declared(written);
      return [name, optional || may ? z.optional(schemas[type]) : schemas[type]];
    }),
  );

/** A flow for other programs. Its own names come before those that every action has. */
export const flowAction = ({ name, source }: LoadedFlow): FlowAction => {
  const { description, gives = {}, needs = {}, title } = source;
  return {
    flow: name,
    title: (t) => textIn(title, t),
    ...(description !== undefined && { description: (t) => textIn(description, t) }),
    inputs: z.strictObject({ ...callerInputs, ...shapeOf(needs, false) }),
    // What ended otherwise than in success may lack any of them.
    outputs: z.object({ ...shapeOf(gives, true), flow: z.string(), ...endOutputs }),
  };
};
