// The text frames of the websocket (docs/interface.md#websocket). Events are hints; the result record is the truth.
import { z } from 'zod';
import type { ResultStatus } from './result-schemas.ts';

/** The steps of an interaction on the customer's device. */
export const eventTypes = [
  'task.sent',
  'task.bootstrapped',
  'task.started',
  'task.succeeded',
  'task.failed',
  'task.timed_out',
  'webauthn.timeout_or_cancelled',
  'biometrics.consent',
] as const;
export type EventType = (typeof eventTypes)[number];

/** The events that end an interaction, with the result status of each. */
export const finalEvents = {
  'task.succeeded': 'success',
  'task.failed': 'failure',
  'task.timed_out': 'timeout',
} as const satisfies Partial<Record<EventType, ResultStatus>>;

/**
 * A frame from the service. Only its identifying fields are required: everything else is a hint that may be missing.
 */
export const eventFrame = z.object({
  id: z.string(),
  type: z.string(),
  timestamp: z.string(),
  error: z.unknown().optional(),
  payload: z
    .object({
      id: z.string(),
      app: z.string(),
      timestamp: z.string(),
      status: z.string().optional(),
      event: z.string().optional(),
      request: z.object({ id: z.string() }),
      session: z.object({ ref: z.string() }),
      customer: z.object({ ref: z.string() }),
      delivery: z.object({ method: z.string(), phoneNumber: z.string().optional() }).partial().optional(),
      'e-form': z
        .object({ form: z.object({ id: z.string(), title: z.string() }), data: z.unknown().optional() })
        .partial()
        .optional(),
    })
    .partial()
    .optional(),
});
export type EventFrame = z.output<typeof eventFrame>;

/**
 * The event of a frame's type, or `undefined` for an unknown one. `task_bootstrapped` is an alias that some services
 * send.
 */
export const eventType = (type: string): EventType | undefined => {
  const name = type === 'task_bootstrapped' ? 'task.bootstrapped' : type;
  return eventTypes.find((known) => known === name);
};

/** The status that an event decides, or `undefined` if more events follow. */
export const settles = (type: EventType): ResultStatus | undefined => (finalEvents as Partial<Record<EventType, ResultStatus>>)[type];

/** The frame that subscribes to a request's events. */
export const connectFrame = (wsToken: string) => `CONNECT ${wsToken}`;

/** The subprotocol under which one socket carries the events of several requests. */
export const multiplexProtocol = 'multiplex.v1';
