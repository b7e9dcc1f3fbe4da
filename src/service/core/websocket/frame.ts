// The text frames of the websocket.
import { type EventType, settles } from '../../../contract/index.ts';
import { iso } from '../../../platform/time/clock.ts';
import type { TaskOf } from '../app.ts';
import type { Request } from '../store/request.ts';
import type { RequestEvent } from '../store/requests.ts';
import type { ErrorMessage, EventMessage, SubscriptionError } from './messages.ts';

/** An event of a request as the account's system receives it. */
export const frameOf = (taskOf: TaskOf, request: Request, { id, type: stored, at }: RequestEvent): EventMessage => {
  const type = stored as EventType;
  const status = settles(type);
  const timestamp = iso(at);
  return {
    id,
    type,
    timestamp,
    payload: {
      id,
      app: request.app,
      timestamp,
      event: type,
      ...(status && { status }),
      request: { id: request.id },
      session: { ref: request.sessionRef },
      customer: { ref: request.customerRef },
      delivery: { method: request.channel, ...(request.phoneNumber !== undefined && { phoneNumber: request.phoneNumber }) },
      ...taskOf(request).frame(status && request.result),
    },
  };
};

export const errorFrame = (id: string, at: number, error: SubscriptionError): ErrorMessage => ({
  id,
  type: 'error',
  timestamp: iso(at),
  error,
});
