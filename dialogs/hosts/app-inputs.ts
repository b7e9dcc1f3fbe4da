// The inputs with which other programs may begin an app, and the outputs they get at its end, from the app's record.
import { z } from 'zod';
import { type AppId, apps, customerRef, phoneNumber } from '../../src/contract/index.ts';
import type { DescribedFlow } from '../turn/offered-flows.ts';

/** The customer, for callers that know. A caller that begins an app or a flow with a number vouches for it. */
const callerInputs = { phoneNumber: phoneNumber.optional(), customerRef: customerRef.optional() };

/** The other fields of a send, which the bot supplies. */
const brought: ReadonlySet<string> = new Set(['sessionRef', 'phoneNumber', 'customerRef', 'recipients', 'subject', 'message']);

/** An app's inputs. Missing ones are asked for in the chat. */
export const appInputs = (app: AppId): z.ZodObject => {
  const shape: z.ZodRawShape = apps[app].operations.send.request.shape;
  const own = Object.entries(shape).filter(([name]) => !brought.has(name));
  return z.strictObject({ ...callerInputs, ...Object.fromEntries(own.map(([name, schema]) => [name, z.optional(schema)])) });
};

/** A flow's inputs: its declared names take precedence over those that every action has. */
export const flowActionInputs = ({ inputs }: DescribedFlow): z.ZodObject => z.strictObject({ ...callerInputs, ...inputs.shape });

/** How an action can end: like a request, or before one was made. */
export const actionStatus = z.enum(['success', 'failure', 'timeout', 'cancelled', 'unknown', 'refused', 'left', 'agent']).meta({
  description:
    'How it ended. left: before anything was sent. agent: the customer wants a person. unknown: it is not known whether it was done.',
});

/** The outputs of every ending. */
const endOutputs = {
  status: actionStatus,
  message: z.string().optional().meta({ description: 'What was wrong with the inputs, as a text.' }),
  code: z.string().optional().meta({ description: 'Why it was refused.' }),
  why: z.string().optional().meta({ description: 'Why the customer left: cancel, menu, restart or shared.' }),
  reason: z
    .string()
    .optional()
    .meta({ description: 'Why the customer wants a person; or `outdated` if this bot was updated and could not go on: begin again.' }),
};

/** The outputs at an app's end. Answers, links and receipts are never among them. */
export const appOutputs = (app: AppId): z.ZodObject => {
  const { resultFields, storedFields } = apps[app];
  const fields: z.ZodRawShape = resultFields;
  const stored: readonly string[] = storedFields;
  return z.object({
    app: z.string().meta({ description: 'The app that was used in the end, which may be another than the one started.' }),
    ...endOutputs,
    requestId: z.string().optional().meta({ description: 'The id of the request at the service.' }),
    interactionId: z.string().optional(),
    customerRef: z.string().optional().meta({ description: 'The customer.' }),
    verified: z.boolean().optional().meta({ description: 'Whether the chat is verified for this customer now.' }),
    ...Object.fromEntries(stored.map((name) => [name, z.optional(fields[name] as z.ZodType)])),
  });
};

/** The outputs at a flow's end. */
export const flowActionOutputs = ({ outputs }: DescribedFlow): z.ZodObject =>
  z.object({ ...outputs.shape, flow: z.string(), ...endOutputs });
