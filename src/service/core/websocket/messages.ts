// What the websocket sends, as schemas. The contract says what clients must tolerate; this is what the service always
// sends.
import { z } from 'zod';
import { appIds, eventTypes, finalEvents, formAnswer, requestId, resultStatus, timestamp } from '../../../contract/index.ts';

const eventId = z.string().meta({ description: 'Identifies the event: a ULID.', examples: ['01KAH60A6X3V7TQ2B8M9WZ5C4D'] });
const named = (description: string, example: string) => z.string().meta({ description, examples: [example] });

const form = z.object({
  form: z.object({ id: named('The form.', '6f1c0000-0000-4000-8000-000000000003'), title: named('Its title.', 'Feedback') }),
  data: z.array(formAnswer).optional().meta({ description: 'The answers, with the last event; never for a zero-knowledge form.' }),
});

const payload = z.object({
  id: eventId,
  app: z.enum(appIds),
  timestamp,
  event: z.enum(eventTypes).meta({ description: 'The same as `type`.' }),
  status: resultStatus.optional().meta({ description: 'How the request ended, with its last event.' }),
  request: z.object({ id: requestId }),
  session: z.object({ ref: named('The sessionRef of the send.', 'chat-2026-11-20-0001') }),
  customer: z.object({ ref: named('The customer.', 'cust-0102-mei') }),
  delivery: z.object({
    method: z.enum(['email', 'sms']),
    phoneNumber: z
      .string()
      .optional()
      .meta({ examples: ['+12025550102'] }),
  }),
  'e-form': form.optional().meta({ description: 'With events of e-form only.' }),
});

const example = {
  id: '01KAH60A6X3V7TQ2B8M9WZ5C4D',
  type: 'task.succeeded',
  timestamp: '2026-11-20T08:31:02.000Z',
  payload: {
    id: '01KAH60A6X3V7TQ2B8M9WZ5C4D',
    app: 'payments',
    timestamp: '2026-11-20T08:31:02.000Z',
    event: 'task.succeeded',
    status: 'success',
    request: { id: '01KAH5Z0V8Q2J9XW3N4M5P6R7S' },
    session: { ref: 'chat-2026-11-20-0001' },
    customer: { ref: 'cust-0102-mei' },
    delivery: { method: 'sms', phoneNumber: '+12025550102' },
  },
};

/** An event of a request. */
export const eventMessage = z.object({ id: eventId, type: z.enum(eventTypes), timestamp, payload }).meta({
  id: 'EventMessage',
  description: `Something happened to a request. Nothing follows ${Object.keys(finalEvents).join(', ')}.`,
  examples: [example],
});
export type EventMessage = z.output<typeof eventMessage>;

const connect = z
  .string()
  .regex(/^[0-9a-f]{8}$/)
  .meta({ description: "Which CONNECT is meant: the first 8 hexadecimal digits of its token's SHA-256.", examples: ['3f9a1c07'] });

/** Why a socket hears nothing, or nothing more, of a request, while it stays open for the others. */
export const subscriptionError = z.discriminatedUnion('code', [
  z.object({ code: z.literal('unknown_token').meta({ description: 'The token of a CONNECT is unknown.' }), connect }),
  z.object({
    code: z.literal('too_many_requests').meta({ description: 'The socket already follows as many requests as it may.' }),
    connect,
  }),
  z.object({ code: z.literal('cancelled').meta({ description: 'The request was withdrawn, so no last event comes.' }), requestId }),
]);
export type SubscriptionError = z.output<typeof subscriptionError>;

/** An error on a socket that stays open. */
export const errorMessage = z.object({ id: eventId, type: z.literal('error'), timestamp, error: subscriptionError }).meta({
  id: 'ErrorMessage',
  description: 'Why the socket gets no events, or no further events, of a request, while it stays open for others.',
});
export type ErrorMessage = z.output<typeof errorMessage>;
