// What platforms get, as schemas: a handoff, and the data of each event. They make the events and describe them in
// OpenAPI. In events and answers, instants are ISO 8601 in UTC; only the proof is a JWT, which counts seconds.
import { z } from 'zod';
import { inertLine, reasons } from '../../../dialogs/index.ts';
import { iso } from '../../platform/time/clock.ts';

/** Stored in epoch milliseconds. */
const instant = z
  .number()
  .transform(iso)
  .pipe(z.iso.datetime().meta({ examples: ['2026-11-23T09:30:00.000Z'] }));

const text = z
  .string()
  .transform(inertLine)
  .pipe(z.string().meta({ description: 'One line, escaped for Markdown: its line breaks are shown as ⏎.' }));

const agent = z.object({ id: z.string(), name: z.string().optional(), email: z.string().optional() });

export const handoffSchema = z.object({
  id: z.string().meta({ examples: ['01KAH5Z0V8Q2J9XW3N4M5P6R7S'] }),
  conversation: z.string().meta({ description: 'The chat, by the name that `cs_conversation` has in a proof.' }),
  state: z.enum(['requested', 'accepted', 'over']),
  reason: z.enum([...reasons, 'taken']),
  app: z.string().optional().meta({ description: 'The app that the customer was in.' }),
  language: z.string().meta({ examples: ['es'] }),
  agent: agent.optional(),
  createdAt: instant,
  dueAt: instant.optional().meta({ description: 'When the customer is told that no agent is available.' }),
  acceptedAt: instant.optional(),
  endedAt: instant.optional(),
  ending: z.enum(['finished', 'returned', 'withdrawn', 'failed', 'timed_out']).optional(),
  wrapUp: z.string().optional(),
});

const whom = {
  phone: z
    .string()
    .optional()
    .meta({ description: 'Masked.', examples: ['+1•••0102'] }),
  customerRef: z.string().optional(),
  requestId: z.string().optional(),
};
const times = { method: z.string().meta({ examples: ['passkeys'] }), at: instant, until: instant };

const verification = z
  .discriminatedUnion('state', [
    z.object({ state: z.literal('verified'), ...times, ...whom }),
    z.object({ state: z.literal('expired'), ...times, ...whom }),
    z.object({ state: z.literal('failed'), tries: z.int(), at: instant, ...whom }),
    z.object({ state: z.literal('none'), phone: whom.phone }),
  ])
  .meta({ description: 'The state at the event’s `timestamp`, with the person it is about.' });

const line = z.object({
  from: z.enum(['customer', 'bot', 'agent']),
  text,
  at: instant,
  agent: z.string().optional().meta({ description: 'The agent who wrote it, as customers know them.' }),
  verified: z.literal(true).optional().meta({ description: 'A customer was verified then: the one with this `phone`.' }),
  phone: whom.phone,
});

/** What every event has. */
const common = z.object({
  event: z
    .object({ id: z.string(), number: z.int().min(1) })
    .meta({ description: 'Its `webhook-id`, and its place among the events of its handoff.' }),
  handoff: handoffSchema,
  assertion: z.string().optional().meta({
    description:
      'A token that proves who is verified; its keys are at `/.well-known/jwks.json`. Compare its `cs_handoff` with the id of the handoff.',
  }),
  verification: verification.optional(),
  before: verification.optional().meta({ description: 'The state until now, if it was of another person.' }),
});

/** The events by type: what they say, and their data beside {@link common}. */
export const webhookEvents = {
  requested: {
    description:
      'A customer asks for a person. `context` holds flat values, `transcript` the messages so far (without codes, card numbers and form answers), and, if the customer is verified, `assertion` a signed token.',
    data: z.object({
      app: handoffSchema.shape.app,
      flow: z.object({ name: z.string(), reason: z.string() }).optional(),
      reason: handoffSchema.shape.reason,
      language: handoffSchema.shape.language,
      requestIds: z.array(z.string()),
      transcript: z.array(line),
      note: z.string().optional().meta({ description: 'The message that the customer left.' }),
      context: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).meta({ examples: [{ cs_verified: false }] }),
    }),
  },
  waited: {
    description:
      'Messages arrived before an agent accepted: `lines`, in the format of the transcript. So the agent who accepts the chat can read all of it.',
    data: z.object({ lines: z.array(line) }),
  },
  message: {
    description: 'The customer sent a message.',
    data: z.object({
      message: z.object({
        id: z.string(),
        text: z.string().optional().meta({ description: 'As it was written, but for codes and card numbers.' }),
        attachments: z.array(z.object({ contentType: z.string(), contentUrl: z.string(), name: z.string().optional() })).optional(),
      }),
    }),
  },
  verification: {
    description:
      'The verification has changed: it ended (another customer, a new member, signing out), or somebody else is verified. `before` is then the state of whom the chat was about until now.',
    data: z.object({}),
  },
  outcome: {
    description:
      'A request in the chat has ended, no matter who started it: `outcome` names its customer, who need not be the verified one. It may come after the end of the handoff, and then says nothing about the verification.',
    data: z.object({
      outcome: z.object({
        interactionId: z.string(),
        app: z.string(),
        status: z.string().meta({ examples: ['success', 'failure', 'timeout', 'cancelled', 'unknown'] }),
        ...whom,
        agentId: z.string().optional().meta({ description: 'The agent who started it.' }),
      }),
    }),
  },
  started: {
    description: 'An agent has started a flow.',
    data: z.object({ flow: z.string(), agentId: z.string().optional(), agent: agent.optional() }),
  },
  bot: {
    description: 'The bot has said something in a flow that an agent started.',
    data: z.object({ lines: z.array(text) }),
  },
  flow: {
    description: 'A flow that an agent started has ended.',
    data: z.object({ flow: z.string(), status: z.string() }),
  },
  ended: {
    description: 'The handoff is over, and not because of your own call: see `ending` and `by`.',
    data: z.object({ ending: z.string(), by: z.string(), wrapUp: z.string().optional() }),
  },
} as const;

export type WebhookEvent = keyof typeof webhookEvents;

/** The data of an event of that type. */
export const dataOf = (type: string): z.ZodType<Readonly<Record<string, unknown>>> =>
  common.extend(webhookEvents[type as WebhookEvent]?.data.shape ?? {});
