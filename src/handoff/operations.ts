// What a platform can do in a chat: each operation with its request, the act that it performs, and its refusals.
import { z } from 'zod';
import { appIds, phoneNumber, ref, ulid, uuid } from '../contract/index.ts';
import type { ActRefusal, AgentAct } from './acts.ts';

const visible = z.string().regex(/^[\x21-\x7e]{1,320}$/, 'must be 1 to 320 visible ASCII characters');

const agent = z.strictObject({
  id: visible.meta({ description: 'Their e-mail address, or whatever the platform knows them by.', examples: ['mara@example.com'] }),
  name: z
    .string()
    .trim()
    .min(1)
    .max(80)
    .optional()
    .meta({ description: 'What the customer is told.', examples: ['Mara'] }),
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

const message = z
  .strictObject({
    id: z
      .string()
      .regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, hyphens or underscores')
      .meta({ description: 'Your own name for it. The same one again is not shown again.', examples: ['msg-1042'] }),
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
    .meta({ description: 'A ULID of your own. The same one again starts nothing.', examples: ['01KAH5Z0V8Q2J9XW3N4M5P6R7S'] }),
  app: z.enum(appIds).meta({ examples: ['payments'] }),
  agentId: visible.meta({ description: 'Who asks for it; the result says so.', examples: ['mara@example.com'] }),
  phoneNumber: phoneNumber
    .optional()
    .meta({ description: 'Unset: the number of whoever is verified in the chat, or that was given there.' }),
  customerRef: ref.optional().meta({ description: 'Which customer of that number. Unset: the only one.' }),
  documentId: uuid.optional(),
  variables: z.record(z.string(), z.string().max(2000)).optional().meta({ description: 'The document’s blanks.' }),
  productId: z.string().max(200).optional(),
  formId: uuid.optional(),
});

const nothing = z.strictObject({});

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

/** `POST /handoff/:id/<name>`, in the order in which an agent needs them. */
export const operations: readonly PlatformOperation[] = [
  define({
    name: 'accept',
    summary: 'Take a chat over',
    description: 'The customer is told who has joined, and the bot is silent from then on. The same agent again changes nothing.',
    request: z.strictObject({ agent }),
    act: (input) => ({ kind: 'accept', ...input }),
    refuses: ['over', 'taken', 'chat_gone'],
  }),
  define({
    name: 'messages',
    summary: 'Write to the customer',
    description: 'The message is in the chat when this is answered. Send the next one after that: so they keep their order.',
    request: message,
    act: ({ attachments: files, ...input }) => ({ kind: 'say', ...input, files }),
    refuses: ['over', 'not_accepted', 'chat_gone'],
  }),
  define({
    name: 'interactions',
    summary: 'Start an app for the customer',
    description:
      'The request goes to the customer’s device, and the chat shows that it waits. Its outcome comes as a `handoff.outcome` event, with who asked for it as `agentId`.',
    request: start,
    act: ({ documentId, formId, productId, variables: filled, ...input }) => ({
      ...{ kind: 'start', ...input, filled },
      chosen: documentId ?? productId ?? formId,
    }),
    refuses: ['over', 'not_accepted', 'chat_gone', 'unknown_customer', 'unknown_choice', 'blanks_missing', 'id_taken', 'service'],
  }),
  define({
    name: 'transfer',
    summary: 'Give a chat to another agent',
    description: 'The customer is told who has it now.',
    request: z.strictObject({ agent }),
    act: (input) => ({ kind: 'transfer', ...input }),
    refuses: ['over', 'not_accepted', 'chat_gone'],
  }),
  define({
    name: 'return',
    summary: 'Give a chat back to the bot',
    description: 'The bot goes on with the customer. Nobody is verified in the chat from then on.',
    request: nothing,
    act: () => ({ kind: 'return' }),
    refuses: ['over', 'chat_gone'],
  }),
  define({
    name: 'finish',
    summary: 'Finish a chat',
    description: 'The customer is told. Nobody is verified in the chat from then on.',
    request: z.strictObject({
      wrapUp: z
        .string()
        .trim()
        .min(1)
        .max(80)
        .optional()
        .meta({ description: 'How it is filed.', examples: ['solved'] }),
    }),
    act: (input) => ({ kind: 'finish', ...input }),
    refuses: ['over', 'chat_gone'],
  }),
  define({
    name: 'decline',
    summary: 'Say that nobody can come',
    description: 'The customer is told at once, and need not wait until the time is up.',
    request: nothing,
    act: () => ({ kind: 'fail' }),
    refuses: ['over', 'taken', 'chat_gone'],
  }),
];

/** The answer to each refusal. */
export const refusals: Readonly<Record<ActRefusal, { readonly status: number; readonly detail: string }>> = {
  over: { status: 409, detail: 'This handoff is over.' },
  not_accepted: { status: 409, detail: 'Nobody has accepted this handoff. Accept it first.' },
  taken: { status: 409, detail: 'Another agent has this chat. It can be transferred.' },
  id_taken: { status: 409, detail: 'This identifier belongs to something else.' },
  chat_gone: { status: 410, detail: 'The chat takes no more messages.' },
  unknown_customer: { status: 422, detail: 'The number has no such customer, or several. Name one with phoneNumber and customerRef.' },
  unknown_choice: { status: 422, detail: 'There is no such document, product or form, or none is named.' },
  blanks_missing: { status: 422, detail: 'The document has blanks. Fill them in with variables.' },
  service: { status: 502, detail: 'The service did not take the request.' },
};
