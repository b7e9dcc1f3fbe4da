// Flows as other programs see them: their inputs and outputs, from `needs` and `gives`.
import { z } from 'zod';
import type { Texts } from '../../cards/index.ts';
import type { DescribedFlow, OfferedFlow } from '../../dialogs/index.ts';
import { phoneNumber } from '../contract/index.ts';
import { type FlowSource, textIn, type ValueType } from './grammar/schema.ts';
import { choiceValuesIn, declared } from './grammar/value-types.ts';
import type { LoadedFlow, LoadedFlows } from './load-flows.ts';

const longest = 2000;

/** The JSON schema of each type of value. */
const schemas = {
  text: z.string().trim().min(1, 'must not be empty').max(longest, `must have ${longest} characters at most`),
  number: z.number(),
  money: z.number().nonnegative('must not be negative').meta({ description: 'In major units.' }),
  date: z.iso.date('must be a day such as 2026-12-05'),
  email: z.email('must be an e-mail address'),
  phone: phoneNumber,
  'yes-no': z.boolean(),
} as const satisfies Record<ValueType, z.ZodType>;

const schemaOf = (written: string, mayBeMissing: boolean): z.ZodType => {
  const { type, optional } = declared(written);
  return optional || mayBeMissing ? z.optional(schemas[type]) : schemas[type];
};

const shapeOf = (names: Readonly<Record<string, string>>, mayBeMissing: boolean): z.ZodRawShape =>
  Object.fromEntries(Object.entries(names).map(([name, written]) => [name, schemaOf(written, mayBeMissing)]));

/** The allowed values of inputs that only choices use. */
const choicesIn = (source: FlowSource): z.ZodRawShape => {
  const values = choiceValuesIn(source);
  return Object.fromEntries(
    Object.entries(source.needs ?? {}).flatMap(([name, written]) => {
      const known = values.get(name);
      const schema = known && z.enum(known as string[]);
      return schema ? [[name, declared(written).optional ? schema.optional() : schema]] : [];
    }),
  );
};

/** A flow as the menu lists it. */
const offeredAs = ({ name, source: { description, title } }: LoadedFlow, t: Texts): OfferedFlow => ({
  flow: name,
  title: textIn(title, t.language),
  ...(description !== undefined && { description: textIn(description, t.language) }),
});

/** Whether the menu lists a flow: it can start without inputs. */
const isOffered = ({ menu = true, needs = {} }: FlowSource) => menu && Object.values(needs).every((written) => declared(written).optional);

/** The flows of the menu, in order. */
export const offeredFlows = ({ flows }: LoadedFlows, t: Texts): OfferedFlow[] =>
  [...flows.values()].filter(({ source }) => isOffered(source)).map((flow) => offeredAs(flow, t));

/** All flows, including those that are not in the menu. */
export const describedFlows = ({ flows }: LoadedFlows, t: Texts): DescribedFlow[] =>
  [...flows.values()].map((flow) => {
    const { gives = {}, needs = {} } = flow.source;
    const [inputs, outputs] = [z.strictObject({ ...shapeOf(needs, false), ...choicesIn(flow.source) }), z.object(shapeOf(gives, true))];
    return { ...offeredAs(flow, t), needs, gives, inputs, outputs };
  });
