// Every operation for programs, with its input, its output, and what it does. MCP and the connector each publish them
// in their own way.
import type { z } from 'zod';
import type { DescribedFlow } from '../../dialogs/index.ts';
import { type AppId, appIds, apps } from '../contract/index.ts';
import type { CallingProgram } from './program.ts';
import type { Programs } from './programs.ts';
import {
  type AppInput,
  answerInput,
  anyFlowInput,
  appInput,
  cancelledView,
  checkedView,
  type FlowInput,
  flowInput,
  ofOne,
  passcodeInput,
  view,
  waitInput,
} from './schemas.ts';

export interface ProgramOperation<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: z.ZodObject;
  /** Changes nothing. */
  readonly readOnly?: true;
  /** Once the customer has acted, what it sends cannot be withdrawn. */
  readonly starts?: true;
  run(programs: Programs, program: CallingProgram, input: z.output<Input>, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>>;
}

const define = <Input extends z.ZodObject>(operation: ProgramOperation<Input>) => operation as unknown as ProgramOperation;

const worded = (name: string) => name.replaceAll('-', '_');

const sentence = (text: string) => (/[.!?。！？]$/.test(text) ? text : `${text}.`);

const purposes = {
  passkeys: 'Asks the customer to confirm their identity with a passkey on their own device.',
  'one-time-passcode': 'Sends the customer a one-time passcode. Ask them for it, and pass it to check_passcode.',
  'document-signature': 'Sends the customer a document to read and sign on their own device.',
  payments: 'Sends the customer a request to pay for a product on their own device.',
  'e-form': 'Sends the customer a form to fill in on their own device.',
} as const satisfies Record<keyof typeof apps, string>;

const afterwards = 'Returns at once. The customer may take minutes: call wait with the interactionId until the state is ended.';

/** The operations, with one for each of these apps, and one for the flows. */
export const operationsOf = (flows: readonly DescribedFlow[], allowed: readonly AppId[] = appIds): readonly ProgramOperation[] => [
  ...allowed.map((app) =>
    define({
      name: `start_${worded(app)}`,
      title: apps[app].operations.send.summary,
      description: `${purposes[app]} ${afterwards}`,
      input: appInput(app),
      output: view,
      starts: true,
      run: (programs, program, input) => programs.startApp(program, app, input as AppInput),
    }),
  ),
  ...(flows.length > 0
    ? [
        define({
          name: 'start_flow',
          title: 'Run a flow',
          description: `Runs a flow, which takes one customer through several steps. ${afterwards} If it needs something from you in the meantime, needs says what.`,
          input: anyFlowInput(flows),
          output: view,
          starts: true,
          run: (programs, program, { flow, ...input }) => programs.startFlow(program, flow, input),
        }),
      ]
    : []),
  ...flows.map((flow) =>
    define({
      name: `start_flow_${worded(flow.flow)}`,
      title: flow.title,
      description: `${sentence(flow.description ?? flow.title)} ${afterwards} If it needs something from you in the meantime, needs says what.`,
      input: flowInput(flow),
      output: view,
      starts: true,
      run: (programs, program, input) => programs.startFlow(program, flow.flow, input as FlowInput),
    }),
  ),
  define({
    name: 'wait',
    title: 'Wait for an outcome',
    description:
      'Waits up to 90 seconds for a change from the state that cursor identifies, then returns the current state. If it is pending, call wait again with the cursor returned.',
    input: waitInput,
    output: view,
    readOnly: true,
    run: (programs, program, input, signal) => programs.wait(program, input, signal),
  }),
  define({
    name: 'status',
    title: 'See the current state',
    description: 'Returns the current state of something you started, without waiting.',
    input: ofOne,
    output: view,
    readOnly: true,
    run: (programs, program, { interactionId }) => programs.status(program, interactionId),
  }),
  define({
    name: 'answer',
    title: 'Answer a question of a flow',
    description: 'Answers the question in needs, if its kind is answer.',
    input: answerInput,
    output: view,
    run: (programs, program, { answer, interactionId }) => programs.answer(program, interactionId, answer),
  }),
  define({
    name: 'check_passcode',
    title: 'Check a passcode',
    description: 'Checks the passcode that the customer received and told you, when needs asks for it. After a few wrong codes it fails.',
    input: passcodeInput,
    output: checkedView,
    run: (programs, program, { code, interactionId }) => programs.checkPasscode(program, interactionId, code),
  }),
  define({
    name: 'cancel',
    title: 'Cancel a request',
    description: 'Withdraws the request that the customer was sent, and ends the flow, if any. Nothing changes if it has already ended.',
    input: ofOne,
    output: cancelledView,
    run: (programs, program, { interactionId }) => programs.cancel(program, interactionId),
  }),
];
