// The body of a webhook, created from the request when it is posted, so that no personal data is stored twice.

import { finalEvents, type WebhookPayload } from '../../contract/index.ts';
import { iso } from '../../platform/time/clock.ts';
import type { AppContext } from '../core/app-context.ts';
import type { Request } from '../core/store/request.ts';
import type { Webhook } from './store.ts';

/** The body. It shows the state at the time of the event, however late it arrives. */
export const payloadOf = (
  { type, code, createdAt }: Pick<Webhook, 'code' | 'createdAt' | 'type'>,
  request: Request,
  resultOf: AppContext['resultOf'],
): WebhookPayload => {
  const status = Object.hasOwn(finalEvents, type) ? finalEvents[type as keyof typeof finalEvents] : undefined;
  const result = status && resultOf(request);
  return {
    type: type as WebhookPayload['type'],
    timestamp: iso(createdAt),
    data: {
      request: { id: request.id, app: request.app, state: status ?? (type === 'request.cancelled' ? 'cancelled' : 'pending') },
      session: { ref: request.sessionRef },
      customer: { ref: request.customerRef },
      ...(code !== undefined && { code }),
      ...(result && { result: result as WebhookPayload['data']['result'] }),
    },
  };
};
