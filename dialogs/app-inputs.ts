// What other programs may begin an app with, and what they learn of its end: both from the app's record.
import { z } from 'zod';
import { type AppId, apps, customerRef, phoneNumber } from '../src/contract/index.ts';
import type { DescribedFlow } from './offered-flows.ts';

/** Who it is about, for those who know. Whatever begins an app or a flow with a number vouches for it. */
const callerInputs = { phoneNumber: phoneNumber.optional(), customerRef: customerRef.optional() };

/** What a send needs beside that, and the bot brings itself. */
const brought: ReadonlySet<string> = new Set(['sessionRef', 'phoneNumber', 'customerRef', 'recipients', 'subject', 'message']);

/** What an app may be begun with. Anything missing is asked for in the chat. */
export const appInputs = (app: AppId): z.ZodObject => {
  const shape: z.ZodRawShape = apps[app].operations.send.request.shape;
  const own = Object.entries(shape).filter(([name]) => !brought.has(name));
  return z.strictObject({ ...callerInputs, ...Object.fromEntries(own.map(([name, schema]) => [name, z.optional(schema)])) });
};

/** What a flow may be begun with: its own names come before those that every action has. */
export const flowActionInputs = ({ inputs }: DescribedFlow): z.ZodObject => z.strictObject({ ...callerInputs, ...inputs.shape });

/** How an action can end: like a request, or before there was one. */
export const actionStatus = z
  .enum(['success', 'failure', 'timeout', 'cancelled', 'unknown', 'refused', 'left', 'agent'])
  .meta({ description: 'How it ended. left: before anything was sent. agent: they want a person. unknown: nobody can tell.' });

/** What every end says. */
const endOutputs = {
  status: actionStatus,
  message: z.string().optional().meta({ description: 'What was wrong with the inputs, in words.' }),
  code: z.string().optional().meta({ description: 'Why it was refused.' }),
  why: z.string().optional().meta({ description: 'How it was left: cancel, menu, restart or shared.' }),
  reason: z.string().optional().meta({ description: 'Why they want a person.' }),
};

/** What programs learn of an app's end. Answers, links and receipts are never part of it. */
export const appOutputs = (app: AppId): z.ZodObject => {
  const { resultFields, storedFields } = apps[app];
  const fields: z.ZodRawShape = resultFields;
  const stored: readonly string[] = storedFields;
  return z.object({
    app: z.string().meta({ description: 'The app that was used in the end: a customer may have been led to another.' }),
    ...endOutputs,
    requestId: z.string().optional().meta({ description: 'Names the request at the service.' }),
    interactionId: z.string().optional(),
    customerRef: z.string().optional().meta({ description: 'Which customer.' }),
    verified: z.boolean().optional().meta({ description: 'Whether the chat is verified for this customer now.' }),
    ...Object.fromEntries(stored.map((name) => [name, z.optional(fields[name] as z.ZodType)])),
  });
};

/** What programs learn of a flow's end. */
export const flowActionOutputs = ({ outputs }: DescribedFlow): z.ZodObject =>
  z.object({ ...outputs.shape, flow: z.string(), ...endOutputs });
