// Starts an app or a flow for a customer, or refuses to.
import {
  type AppDialog,
  type Asked,
  appDialogs,
  type DescribedFlow,
  type GivenRequest,
  gather,
  type Unprepared,
} from '../../dialogs/index.ts';
import type { AppId } from '../contract/index.ts';
import type { Interaction, KnownRequest, Plan } from '../interactions/index.ts';
import { type FieldError, HttpProblem } from '../platform/http/http-problem.ts';
import { describeIssues, plainly } from '../platform/settings/issues.ts';
import { type CallingProgram, placeOf } from './program.ts';
import type { AppInput, FlowInput } from './schemas.ts';

const invalid = (errors: readonly FieldError[]) => new HttpProblem(422, 'invalid_request', 'The request is invalid.', { errors });

const unavailable = (code: string, detail: string) => new HttpProblem(503, code, detail, { headers: { 'Retry-After': '30' } });

/** The fields that choose what is sent. */
const choiceFields = ['documentId', 'productId', 'formId'] as const satisfies readonly (keyof AppInput)[];

/** The document, product or form that is asked for. */
export const choiceIn = ({ documentId, formId, productId }: AppInput): string | undefined => documentId ?? productId ?? formId;

const problemOf = (
  { customers, refused }: Unprepared,
  { customerRef, ...input }: Pick<AppInput, 'customerRef' | (typeof choiceFields)[number]>,
) => {
  switch (refused) {
    case 'unknown_customer': {
      const named = (customers ?? []).map(({ email, id, name }) => `${id} (${[name, email].filter(Boolean).join(', ')})`);
      if (customerRef !== undefined) return invalid([{ path: 'customerRef', message: 'is no customer of this phone number' }]);
      if (named.length > 1) return invalid([{ path: 'customerRef', message: `must say which customer: ${named.join('; ')}` }]);
      return invalid([
        { path: 'phoneNumber', message: named.length === 1 ? 'is of a customer who cannot be reached in this way' : 'is of no customer' },
      ]);
    }
    case 'unknown_choice':
      return invalid([{ path: choiceFields.find((name) => input[name] !== undefined) ?? '', message: 'is not offered to this customer' }]);
    case 'blanks_missing':
      return invalid([{ path: 'variables', message: 'must hold the blanks of the document' }]);
    case 'service':
      return unavailable('service_unavailable', 'The service cannot be asked now. Please try again in a moment.');
    default:
      return refused satisfies never;
  }
};

/** The recipient, and what is sent. @throws {HttpProblem} */
const prepared = async (asked: Asked, given: GivenRequest, input: AppInput) => {
  const gathered = await gather(asked, given);
  if ('refused' in gathered) throw problemOf(gathered, input);
  return gathered;
};

/** The request for an app. @throws {HttpProblem} if it cannot be sent. */
export const planFor = async (
  asked: Asked,
  program: CallingProgram,
  app: AppId,
  input: AppInput & { readonly id: string; readonly sessionRef: string },
): Promise<Plan> => {
  const { agentId = `program:${program.name}`, customerRef, id, message, phoneNumber, sessionRef, subject, variables: filled } = input;
  const chosen = choiceIn(input);
  const gathered = await prepared(asked, { app, phoneNumber, customerRef, sessionRef, chosen, filled }, input);
  const dialog = appDialogs[app] as AppDialog;
  const said = { ...(subject !== undefined && { subject }), ...(message !== undefined && { message }) };
  return {
    ...{ id, app, agentId, phoneNumber, sessionRef, ...placeOf(program), customerRef: gathered.customer.id },
    request: { ...dialog.request(asked, gathered), ...said } as KnownRequest,
    subject: dialog.subject?.(asked, gathered),
  };
};

/** Any app's look-up finds the customers of a number. */
const anyApp = 'one-time-passcode';

/** A flow's customer. @throws {HttpProblem} */
export const customerFor = async (asked: Asked, input: AppInput & { readonly sessionRef: string }): Promise<string> => {
  const { customerRef, phoneNumber, sessionRef } = input;
  return (await prepared(asked, { app: anyApp, phoneNumber, customerRef, sessionRef }, input)).customer.id;
};

/** The flow, with its inputs as it expects them. @throws {HttpProblem} */
export const wishFor = (flows: readonly DescribedFlow[], name: string, { inputs }: FlowInput) => {
  const flow = flows.find((one) => one.flow === name);
  if (!flow) throw invalid([{ path: 'flow', message: 'is no flow of this bot' }]);
  const { data, error } = flow.inputs.safeParse(inputs ?? {}, { error: plainly });
  if (error) throw invalid(describeIssues(error).map(({ path, message }) => ({ path: `inputs.${path}`, message })));
  return { flow: flow.flow, inputs: data as NonNullable<FlowInput['inputs']> };
};

/** The problem with a send; `undefined` if it is on its way, or nobody knows. */
export const refusalOf = ({ refusal, state }: Interaction, fields: readonly string[] = []): HttpProblem | undefined => {
  if (state !== 'refused') return undefined;
  if (refusal === 'rejected')
    return fields.length > 0
      ? invalid(fields.map((path) => ({ path, message: 'was not taken by the service' })))
      : new HttpProblem(422, 'rejected', 'The service did not take it.');
  return unavailable(refusal ?? 'unavailable', 'The service does not take it now. Please try again later.');
};
