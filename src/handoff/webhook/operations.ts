// What a platform can do in a chat: each operation with its request, the act that it performs, and its refusals.
import { z } from 'zod';
import { appIds, phoneNumber, ref, ulid, uuid } from '../../contract/index.ts';
import type { ActRefusal, AgentAct } from '../agent-act.ts';

const visible = z.string().regex(/^[\x21-\x7e]{1,320}$/, 'must be 1 to 320 visible ASCII characters');

const agent = z.strictObject({
  id: visible.meta({ description: 'Their e-mail address, or another id at the platform.', examples: ['mara@example.com'] }),
  name: z
    .string()
    .trim()
    .min(1)
    .max(80)
    .optional()
    .meta({ description: 'The name that the customer sees.', examples: ['Mara'] }),
});

const file = z.strictObject({
  contentType: z
    .string()
    .regex(/^[\w.+-]{1,80}\/[\w.+-]{1,80}$/, 'must be a media type')
    .meta({ examples: ['application/pdf'] }),
  contentUrl: z
    .url({ protocol: /^https$/, error: 'must be an https address' })
    .max(2000)
    .meta({ examples: ['https://files.example.com/tariff.pdf'] }),
  name: z
    .string()
    .trim()
    .min(1)
    .max(120)
    .meta({ examples: ['tariff.pdf'] }),
});

const acting = {
  agentId: visible.optional().meta({
    description: 'The agent who does it. It is refused if somebody else has the chat by then. Unset: whoever has it.',
    examples: ['mara@example.com'],
  }),
};

const message = z
  .strictObject({
    ...acting,
    id: z
      .string()
      .regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, hyphens or underscores')
      .meta({ description: 'Your id for the message. A repeated id is not shown again.', examples: ['msg-1042'] }),
    text: z
      .string()
      .trim()
      .min(1)
      .max(4000)
      .optional()
      .meta({ examples: ['Hello, I am Mara. How can I help?'] }),
    attachments: z.array(file).min(1).max(5).optional(),
  })
  .refine(({ text, attachments }) => text !== undefined || attachments !== undefined, {
    path: ['text'],
    error: 'must be there, or attachments',
  });

const start = z.strictObject({
  id: ulid
    .toUpperCase()
    .meta({ description: 'A ULID that you generate. A repeated one starts nothing.', examples: ['01KAH5Z0V8Q2J9XW3N4M5P6R7S'] }),
  app: z.enum(appIds).meta({ examples: ['payments'] }),
  agentId: visible.meta({
    description: 'The agent who starts it and has the chat; the result carries it as `agentId`.',
    examples: ['mara@example.com'],
  }),
  phoneNumber: phoneNumber.optional().meta({ description: 'Unset: the number that is verified in the chat, or was typed there.' }),
  customerRef: ref.optional().meta({ description: 'The customer, if the number has several. Unset: the only one.' }),
  documentId: uuid.optional(),
  variables: z.record(z.string(), z.string().max(2000)).optional().meta({ description: 'The values of the document’s variables.' }),
  productId: z.string().max(200).optional(),
  formId: uuid.optional(),
});

export interface PlatformOperation<Schema extends z.ZodType = z.ZodType> {
  /** The last part of the path. */
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly request: Schema;
  act(input: z.output<Schema>): AgentAct;
  readonly refuses: readonly ActRefusal[];
}

const define = <Schema extends z.ZodType>(operation: PlatformOperation<Schema>) => operation as unknown as PlatformOperation;

/** Why an act is refused that only the agent who has the chat can do. */
const notTheirs: readonly ActRefusal[] = ['over', 'not_accepted', 'not_yours', 'chat_gone'];

/** `POST /handoff/:id/<name>`, in the order in which an agent needs them. */
export const operations: readonly PlatformOperation[] = [
  define({
    name: 'accept',
    summary: 'Accept a chat',
    description:
      'The customer is told who has joined, and the bot is silent from then on. Repeating it for the same agent changes nothing.',
    request: z.strictObject({ agent }),
    act: (input) => ({ kind: 'accept', ...input }),
    refuses: ['over', 'taken', 'chat_gone'],
  }),
  define({
    name: 'messages',
    summary: 'Write to the customer',
    description: 'The answer comes once the message is in the chat. Send the next one after it, so that the order is kept.',
    request: message,
    act: ({ agentId: _, attachments: files, ...input }) => ({ kind: 'say', ...input, files }),
    refuses: [...notTheirs, 'id_taken'],
  }),
  define({
    name: 'typing',
    summary: 'Show the customer that the agent is typing',
    description: 'Where the channel can show it. Repeat it every few seconds while it lasts.',
    request: z.strictObject(acting),
    act: () => ({ kind: 'typing' }),
    refuses: notTheirs,
  }),
  define({
    name: 'interactions',
    summary: 'Start an app for the customer',
    description:
      'Sends the request to the customer’s device, and shows a waiting card in the chat. The outcome arrives as a `handoff.outcome` event with the `agentId`. Without a document, product or form, or with an unknown one, nothing is sent, and `choices` lists what there is.',
    request: start,
    act: ({ documentId, formId, productId, variables: filled, ...input }) => ({
      ...{ kind: 'start', ...input, filled },
      chosen: documentId ?? productId ?? formId,
    }),
    refuses: [...notTheirs, 'unknown_customer', 'unknown_choice', 'blanks_missing', 'id_taken', 'service'],
  }),
  define({
    name: 'flows',
    summary: 'Start a flow in the chat',
    description:
      'The bot asks, the customer answers, and `handoff.bot`, `handoff.message` and `handoff.flow` events tell what is said and how it ends. A running flow is stopped. With an unknown flow, `choices` lists those that there are.',
    request: z.strictObject({
      id: start.shape.id,
      flow: z
        .string()
        .min(1)
        .max(64)
        .meta({ examples: ['settle-bill'] }),
      agentId: start.shape.agentId,
      inputs: z.record(z.string(), z.union([z.string().max(2000), z.number(), z.boolean()])).optional(),
    }),
    act: (input) => ({ kind: 'flow', ...input }),
    refuses: [...notTheirs, 'unknown_choice', 'blanks_missing', 'id_taken'],
  }),
  define({
    name: 'transfer',
    summary: 'Transfer a chat to another agent',
    description: 'The customer is told who has the chat now. Repeating it changes nothing.',
    request: z.strictObject({ ...acting, agent }),
    act: ({ agent: to }) => ({ kind: 'transfer', agent: to }),
    refuses: notTheirs,
  }),
  define({
    name: 'return',
    summary: 'Return a chat to the bot',
    description: 'The bot continues with the customer. All verifications in the chat end. Repeating it changes nothing.',
    request: z.strictObject(acting),
    act: () => ({ kind: 'return' }),
    refuses: ['over', 'not_yours', 'chat_gone'],
  }),
  define({
    name: 'finish',
    summary: 'Finish a chat',
    description: 'The customer is told. All verifications in the chat end. Repeating it with the same `wrapUp` changes nothing.',
    request: z.strictObject({
      ...acting,
      wrapUp: z
        .string()
        .trim()
        .min(1)
        .max(80)
        .optional()
        .meta({ description: 'The wrap-up code under which the chat is filed.', examples: ['solved'] }),
    }),
    act: ({ wrapUp }) => ({ kind: 'finish', wrapUp }),
    refuses: ['over', 'not_yours', 'chat_gone'],
  }),
  define({
    name: 'decline',
    summary: 'Decline a chat because nobody is available',
    description: 'The customer is told at once, and does not have to wait until the request times out. Repeating it changes nothing.',
    request: z.strictObject({}),
    act: () => ({ kind: 'fail' }),
    refuses: ['over', 'taken', 'chat_gone'],
  }),
];

/** The answer to each refusal. */
export const refusals: Readonly<Record<ActRefusal, { readonly status: number; readonly detail: string }>> = {
  over: { status: 409, detail: 'This handoff is over.' },
  not_accepted: { status: 409, detail: 'Nobody has accepted this handoff. Accept it first.' },
  not_yours: { status: 409, detail: 'Another agent has this chat.' },
  other_customer: { status: 409, detail: 'Somebody else is verified in this chat.' },
  taken: { status: 409, detail: 'Another agent has this chat. Transfer it instead.' },
  id_taken: { status: 409, detail: 'This id is used for something else.' },
  chat_gone: { status: 410, detail: 'The chat accepts no more messages.' },
  unknown_customer: { status: 422, detail: 'The number has no such customer, or several. Name one by phoneNumber and customerRef.' },
  unknown_choice: { status: 422, detail: 'No such document, product, form or flow exists, or none is named.' },
  blanks_missing: { status: 422, detail: 'A document’s variable or a flow’s input is missing, or is of another type.' },
  service: { status: 502, detail: 'The service did not accept the request.' },
};
