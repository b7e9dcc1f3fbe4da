// The text frames of the websocket (decisions: Websocket).
import { type EventFrame, type EventType, settles } from '../../contract/index.ts';
import { iso } from '../../platform/clock.ts';
import { fingerprint } from '../../platform/log.ts';
import { taskOf } from '../life/endings.ts';
import type { Request } from '../store/request.ts';
import type { RequestEvent } from '../store/requests.ts';

/** An event of a request as the account's system receives it. */
export const frameOf = (request: Request, { id, type, at }: RequestEvent): EventFrame => {
  const status = settles(type as EventType);
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

/** Why a multiplexed socket hears nothing, or nothing more, of a request, while it stays open for the others. */
export type SubscriptionError =
  /** The token of a CONNECT is not known. `connect` tells which: the first 8 hexadecimal digits of the token's SHA-256. */
  | { readonly code: 'unknown_token'; readonly connect: string }
  /** The socket follows as many requests as it may. */
  | { readonly code: 'too_many_requests'; readonly connect: string }
  /** The request was withdrawn, so no final event comes. */
  | { readonly code: 'cancelled'; readonly requestId: string };

export const errorFrame = (id: string, at: number, error: SubscriptionError): EventFrame => ({
  id,
  type: 'error',
  timestamp: iso(at),
  error,
});

/** Names a token in an error without telling it. */
export const nameOfToken = fingerprint;
