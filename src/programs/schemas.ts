// Schemas of what programs send and receive, derived from the apps' records and from the flows.
import { z } from 'zod';
import type { DescribedFlow } from '../../dialogs/index.ts';
import { type AppId, appIds, apps, phoneNumber, ref, timestamp, ulid } from '../contract/index.ts';
import { HttpProblem } from '../platform/http/http-problem.ts';
import { describeIssues, plainly } from '../platform/settings/issues.ts';
import { holdsContactDetails } from '../platform/text/contact-details.ts';

const id = ulid.toUpperCase().meta({ description: 'The id that the start returned.', examples: ['01KAH5Z0V8Q2J9XW3N4M5P6R7S'] });

/** The customer, and the agent on whose behalf: the same for every app and flow. */
const common = {
  phoneNumber,
  customerRef: ref
    .optional()
    .meta({ description: 'The customer, if the number has several. Unset: the only one.', examples: ['cust-0102-mei'] }),
  sessionRef: ref.optional().meta({
    description: 'Your id for the conversation: a newer request in it replaces an older one. Unset: a conversation for this request only.',
  }),
  language: z
    .string()
    .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/, 'must be a language such as en or es-MX')
    .optional()
    .meta({ description: 'The language of the customer.', examples: ['en'] }),
  id: id.optional().meta({
    description: 'A ULID that you generate. A repeated one starts nothing, and returns what it started; for something else it is refused.',
  }),
};

const agentId = z
  .string()
  .regex(/^[\x21-\x7e]{1,320}$/, 'must be 1 to 320 visible ASCII characters')
  .optional()
  .meta({ description: 'The agent on whose behalf it starts, as results name them. Unset: the program.', examples: ['mara@example.com'] });

/** Fields of a send that all apps share, and a passkeys request's recipient, which is looked up. */
const notOwn: readonly string[] = ['phoneNumber', 'customerRef', 'sessionRef', 'recipients'];
/** A message has a default text, and not every document has blanks. */
const mayBeLeftOut: readonly string[] = ['subject', 'message', 'variables'];

/** Words that the account's message consists of. A program may repeat in them what a stranger told it. */
const words: readonly string[] = ['subject', 'message'];
const noContacts = 'must not have a web address, an e-mail address or a phone number';

/** The fields of a send that are an app's own. */
const ownFields = (app: AppId): Record<string, z.ZodType> => {
  const fields: Readonly<Record<string, z.ZodType>> = apps[app].operations.send.request.shape;
  const own = Object.entries(fields).filter(([name]) => !notOwn.includes(name));
  return Object.fromEntries(
    own.map(([name, field]) => {
      const bounded = words.includes(name) ? field.refine((text) => !holdsContactDetails(String(text)), noContacts) : field;
      return [name, mayBeLeftOut.includes(name) ? bounded.optional() : bounded];
    }),
  );
};

/** The input of starting an app: what its send needs. */
export const appInput = (app: AppId) => z.strictObject({ ...common, agentId, ...ownFields(app) });

/** The input that any app may have. */
export type AppInput = Readonly<
  z.output<z.ZodObject<typeof common>> & {
    agentId?: string | undefined;
    documentId?: string | undefined;
    variables?: Readonly<Record<string, string>> | undefined;
    productId?: string | undefined;
    formId?: string | undefined;
    subject?: string | undefined;
    message?: string | undefined;
  }
>;

/** The input of starting this flow. */
export const flowInput = ({ inputs }: DescribedFlow) =>
  z.strictObject({ ...common, inputs: inputs.safeParse({}).success ? inputs.optional() : inputs });

/** The input of starting any flow by its name. */
export const anyFlowInput = (flows: readonly DescribedFlow[]) =>
  z.strictObject({
    flow: z.enum(flows.map(({ flow }) => flow)).meta({ description: 'The name of the flow.' }),
    ...common,
    inputs: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .optional()
      .meta({ description: 'The flow’s inputs, by name.' }),
  });

export type FlowInput = Readonly<Omit<z.output<ReturnType<typeof anyFlowInput>>, 'flow'>>;

/** The longest wait (s). */
const longestWait = 90;
/** The default wait (s): clients of the official SDK time out after sixty seconds. */
const usualWait = 50;

export const ofOne = z.strictObject({ interactionId: id });
export const waitInput = ofOne.extend({
  cursor: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'The cursor of the last answer: the wait ends as soon as anything has changed.' }),
  seconds: z
    .number()
    .min(0)
    .max(longestWait)
    .default(usualWait)
    .meta({ description: `The longest time to wait, up to ${longestWait} s. Stay below your own timeout.` }),
});
export const answerInput = ofOne.extend({
  answer: z.string().trim().min(1, 'must not be empty').max(2000).meta({ description: 'One of the choices, or free text.' }),
});
export const passcodeInput = ofOne.extend({
  code: z
    .string()
    .max(40)
    .transform((typed) => typed.normalize('NFKC').replace(/[\s-]/g, ''))
    .pipe(apps['one-time-passcode'].operations.check.request.shape.code)
    .meta({ description: 'The six characters that were sent to the customer.', examples: ['123456'] }),
});

/** What any chat may see of a success (docs/decisions/0008). */
const details = z
  .object(
    Object.assign(
      {},
      ...appIds.map((app) => {
        const shown: readonly string[] = apps[app].storedFields;
        return Object.fromEntries(Object.entries(apps[app].resultFields).filter(([name]) => shown.includes(name)));
      }),
    ) as Record<string, z.ZodType>,
  )
  .partial();

const outcome = z.object({
  status: z.enum(['success', 'failure', 'timeout', 'cancelled', 'refused', 'unknown', 'handoff']).meta({
    description:
      'How it ended. `refused`: the service did not accept it. `unknown`: it is not known whether it was done. `handoff`: the flow asks for an agent.',
  }),
  at: timestamp.optional().meta({ description: 'When it ended.' }),
  reason: z.string().optional().meta({
    description:
      'Why, if known: `declined` if the customer refused, `outdated` if the bot was updated and the flow could not go on: start it again.',
  }),
  details: details.optional().meta({ description: 'Details of a success. Answers, documents and receipts stay with the service.' }),
  outputs: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .optional()
    .meta({ description: 'The flow’s outputs, by name.' }),
});

/** The state of something that a program started. */
export const view = z.object({
  interactionId: z.string(),
  state: z.enum(['pending', 'ended']),
  app: z.enum(appIds).optional().meta({ description: 'The app that the customer uses now, or used last.' }),
  flow: z.string().optional(),
  requestId: z.string().optional().meta({ description: 'The id of the request at the service.' }),
  customerRef: z.string().optional(),
  subject: z.string().optional().meta({ description: 'The title of the document, product or form.' }),
  compareCode: z
    .string()
    .optional()
    .meta({ description: 'Two digits that the customer’s device also shows: pass them on, so that the customer recognises the request.' }),
  progress: z
    .array(z.enum(['sent', 'opened', 'started']))
    .optional()
    .meta({ description: 'What has happened on the customer’s device so far.' }),
  expiresAt: timestamp.optional().meta({ description: 'The latest time at which it ends.' }),
  needs: z
    .object({
      kind: z.enum(['passcode', 'answer']).meta({
        description:
          '`passcode`: call check_passcode with the code that was sent to the customer. `answer`: call answer with an answer to the question.',
      }),
      type: z
        .string()
        .optional()
        .meta({ description: 'The type of the answer: text, number, money, date, email, phone, yes-no or choice.' }),
      question: z.string().optional(),
      choices: z.array(z.string()).optional(),
      repair: z.string().optional().meta({ description: 'Why the last answer was not taken.' }),
      triesLeft: z.number().int().optional(),
    })
    .optional()
    .meta({ description: 'The input that it needs from you. Absent while it waits for the customer.' }),
  messages: z.array(z.string()).optional().meta({ description: 'The flow’s latest messages, newest last.' }),
  outcome: outcome.optional(),
  cursor: z.string().meta({ description: 'Identifies this state: pass it to the next wait.' }),
});
export type View = z.output<typeof view>;

export const checkedView = view.extend({
  codeMatch: z.boolean(),
  triesLeft: z.number().int().optional().meta({ description: 'Checks left after a wrong code. 0: it has failed.' }),
});
export type CheckedView = z.output<typeof checkedView>;

export const cancelledView = view.extend({
  cancelled: z.enum(['withdrawn', 'released', 'over']).meta({
    description:
      '`withdrawn`: it can no longer be used. `released`: the wait has ended, but the service did not confirm that the link is dead. `over`: it had already ended, and that outcome stands.',
  }),
});
export type CancelledView = z.output<typeof cancelledView>;

/** @throws {HttpProblem} 422 with the problems, by path. */
export const parseInput = (schema: z.ZodObject, given: unknown): Record<string, unknown> => {
  const { data, error } = schema.safeParse(given ?? {}, { error: plainly });
  if (error) throw new HttpProblem(422, 'invalid_request', 'The request is invalid.', { errors: describeIssues(error) });
  return data;
};
