// The grammar of a flow: one schema for the types, for editors, and for the first part of the checks.
import { z } from 'zod';
import { type AppId, appIds } from '../../contract/index.ts';

/** How an app, a verification or another flow can end. */
export const outcomes = ['success', 'failure', 'timeout', 'cancelled'] as const;
export type OutcomeName = (typeof outcomes)[number];

/** The types of inputs, answers and outputs. */
export const valueTypes = ['text', 'number', 'money', 'date', 'email', 'phone', 'yes-no'] as const;
export type ValueType = (typeof valueTypes)[number];

/** What customers can choose from: offers of the service, and the catalogue of forms. */
export const offers = { products: 'payments', documents: 'document-signature', forms: 'e-form' } as const satisfies Record<string, AppId>;
export type OfferName = keyof typeof offers;

const name = z
  .string()
  .regex(/^[a-z][A-Za-z0-9_]*$/, 'must be a name: a small letter, then letters, digits and _')
  .meta({ description: 'A name that expressions can use.' });
const slug = z.string().regex(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, 'must be small letters and digits, with hyphens between words');
const perLanguage = z.record(z.string().regex(/^[a-z]{2}$/, 'must be a language such as en'), z.string().min(1, 'must not be empty'));
/** A text for customers: in every language, or the same for all. */
const text = z.union([z.string().min(1, 'must not be empty'), perLanguage]).meta({
  id: 'Text',
  description: 'A text for customers: one per language, or one for all. Expressions in braces after a $ are replaced by their values.',
});
const expression = z.string().min(1, 'must not be empty').meta({ description: 'A CEL expression.' });
const given = z
  .union([z.string(), z.number(), z.boolean()])
  .meta({ description: 'A value, or a text in which expressions in braces after a $ are replaced by their values.' });
const values = z.record(name, given);
const duration = z
  .string()
  .regex(/^[1-9]\d{0,4}[smh]$/, 'must be a time such as 30s, 10m or 1h')
  .meta({ description: 'A duration, such as 30s, 10m or 1h.' });

/** Steps within a step. An interface, since a type that refers to itself is none. */
export interface Steps extends ReadonlyArray<Step> {}
const steps: z.ZodType<Steps> = z.lazy(() => z.array(step).min(1, 'must hold a step at least').meta({ id: 'Steps' })) as never;

const simpleTarget = z.union([z.string().meta({ description: '`next`, `end`, or the name of a part.' }), steps]);
const target = z
  .union([
    z.string().meta({ description: '`next`, `end`, or the name of a part.' }),
    z.strictObject({
      retry: z.number().int().min(1, 'must be 1 to 5').max(5, 'must be 1 to 5').meta({ description: 'How many times to try again.' }),
      // biome-ignore lint/suspicious/noThenProperty: it is a word of the grammar, and never a function.
      then: simpleTarget,
    }),
    steps,
  ])
  .meta({ id: 'Target', description: 'Where the flow continues: `next`, `end`, the name of a part, a list of steps, or another try.' });
export type Target = string | { readonly retry: number; readonly then: string | Steps } | Steps;

const on = z
  .strictObject({ success: target, failure: target, timeout: target, cancelled: target, else: target })
  .partial()
  .meta({ description: 'Where each outcome leads: all four outcomes, or some of them and `else`.' });
/** What every step with an outcome has. */
const branching = { as: name.optional(), on: on.optional(), else: target.optional() };

const say = z.strictObject({ say: text }).meta({ description: 'Sends the customer a message.' });
const ask = z
  .strictObject({
    ask: z.enum([...valueTypes, 'choice']),
    as: name,
    text: text.optional(),
    repair: text.optional(),
    check: expression.optional().meta({ description: 'A condition that `answer` must meet.' }),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'must be a currency such as USD')
      .optional(),
    choices: z
      .array(z.strictObject({ value: z.string().min(1, 'must not be empty'), title: text }))
      .min(2, 'must hold two at least')
      .max(20, 'must hold 20 at most')
      .optional(),
  })
  .meta({ description: 'Asks the customer a question. It is skipped if the value was given as an input.' });
const choose = z
  .strictObject({ choose: name, from: z.enum(Object.keys(offers) as [OfferName, ...OfferName[]]) })
  .meta({ description: 'Lets the customer choose a product, document or form.' });
const verify = z
  .strictObject({
    verify: z
      .strictObject({
        by: z
          .array(z.enum(['passkeys', 'one-time-passcode']))
          .min(1, 'must name one at least')
          .optional(),
        fresh: duration.optional().meta({ description: 'The maximum age of an earlier verification that still counts.' }),
      })
      .nullable(),
    ...branching,
  })
  .meta({ description: 'Verifies the customer, unless they are verified already.' });
const nothing = z.strictObject({}).nullable();
const passkeys = z.strictObject({ passkeys: nothing, ...branching }).meta({ description: 'Asks the customer to confirm with a passkey.' });
const passcode = z
  .strictObject({ 'one-time-passcode': nothing, ...branching })
  .meta({ description: 'Sends the customer a one-time passcode and asks for it.' });
const signature = z
  .strictObject({
    'document-signature': z.strictObject({ document: given.optional(), variables: values.optional() }).nullable(),
    ...branching,
  })
  .meta({ description: 'Sends the customer a document to sign.' });
const payment = z
  .strictObject({ payments: z.strictObject({ product: given.optional() }).nullable(), ...branching })
  .meta({ description: 'Sends the customer a payment request.' });
const form = z
  .strictObject({ 'e-form': z.strictObject({ form: given.optional() }).nullable(), ...branching })
  .meta({ description: 'Sends the customer a form to fill in.' });
const set = z.strictObject({ set: values }).meta({ description: 'Stores values under names.' });
const when = z
  .strictObject({ when: expression, do: steps, else: steps.optional() })
  .meta({ description: 'Runs the steps in `do` if the expression is true, and those in `else` if not.' });
const run = z.strictObject({ run: slug, with: values.optional(), ...branching }).meta({ description: 'Runs another flow.' });
const go = z.strictObject({ go: z.string() }).meta({ description: 'Continues with a part and does not return.' });
const handoff = z
  .strictObject({ handoff: z.strictObject({ reason: slug }) })
  .meta({ description: 'Hands the chat over to a person, and ends the flow.' });
const end = z.strictObject({ end: z.enum(outcomes) }).meta({ description: 'Ends the flow with an outcome.' });

/** The fields of each kind of step, by its keyword. */
export const stepShapes = {
  say,
  ask,
  choose,
  verify,
  passkeys,
  'one-time-passcode': passcode,
  'document-signature': signature,
  payments: payment,
  'e-form': form,
  set,
  when,
  run,
  go,
  handoff,
  end,
} as const satisfies Record<string, z.ZodObject>;
export type Verb = keyof typeof stepShapes;
export const verbs = Object.keys(stepShapes) as Verb[];
/** The apps that are steps. */
export type FlowApp = Extract<AppId, Verb>;

export type StepOf<Name extends Verb> = Readonly<z.output<(typeof stepShapes)[Name]>>;
export type Step = { [Name in Verb]: StepOf<Name> }[Verb];
const step: z.ZodType<Step> = z.union(Object.values(stepShapes) as never).meta({ id: 'Step' }) as never;

/** A step that ends in an outcome. */
export type BranchingStep = StepOf<FlowApp | 'run' | 'verify'>;

const inputType = z
  .string()
  .regex(/^(?:text|number|money|date|email|phone|yes-no)\??$/, `must be one of ${valueTypes.join(', ')}, with ? where it may be left out`)
  .meta({ description: `One of ${valueTypes.join(', ')}; a ? after it makes it optional.` });

/** A flow as written. */
export const flowSchema = z
  .strictObject({
    flow: slug.meta({ description: 'The name of the flow, and of its file.' }),
    title: text,
    description: text.optional(),
    says: z
      .record(z.string().regex(/^[a-z]{2}$/, 'must be a language such as en'), z.array(z.string().min(1, 'must not be empty')))
      .optional(),
    menu: z.boolean().optional().meta({ description: 'Whether the menu offers it. Default: true.' }),
    needs: z.record(name, inputType).optional().meta({ description: 'The inputs: their names and types.' }),
    gives: z.record(name, inputType).optional().meta({ description: 'The outputs: their names and types.' }),
    do: steps,
    parts: z.record(slug, steps).optional().meta({ description: 'Named lists of steps, which other steps can continue with.' }),
  })
  .meta({ title: 'A flow of Countersign', description: 'docs/flows.md explains it.' });
export type FlowSource = Readonly<z.output<typeof flowSchema>>;

export type FlowText = z.output<typeof text>;

/** A text in a language, else in English, which designers read, else in the first language that it has. */
export const textIn = (written: FlowText, language = 'en'): string =>
  typeof written === 'string' ? written : (written[language] ?? written.en ?? Object.values(written)[0] ?? '');

/** The schema for editors (JSON Schema, draft 2020-12), which is written to flows.schema.json. @internal */
export const flowJsonSchema = (): object => z.toJSONSchema(flowSchema, { io: 'input', reused: 'inline' });

/** A step's keyword; `undefined`: none. */
export const verbOf = (written: object): Verb | undefined => verbs.find((verb) => Object.hasOwn(written, verb));

export const isApp = (verb: Verb): verb is FlowApp => (appIds as readonly string[]).includes(verb);

export const secondsOf = (written: string): number =>
  Number.parseInt(written, 10) * ({ s: 1, m: 60, h: 3600 }[written.at(-1) as 'h' | 'm' | 's'] ?? 1);
