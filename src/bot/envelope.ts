// The check every inbound activity passes before the Bot Framework sees it.
import type { Activity } from 'botbuilder';
import { holdsPrototype } from '../platform/bounded-json.ts';
import { HttpProblem } from '../platform/http-problem.ts';
import { activitySchema } from './activity-schema.ts';
import type { ServiceUrlCheck } from './service-url.ts';

/** An activity: 256 KB, 32 levels (security: resource exhaustion). */
export const activityLimits = { size: 256 * 1024, depth: 32 } as const;

const mostErrors = 20;

/**
 * The body as an activity that the adapter, the turn context and the dialogs can read without surprise: the fields they use are there and of
 * their types, times are dates (with the original beside them as `rawTimestamp` and so on, as the adapter's own `process` does), and
 * the service URL is one we answer to. Other fields pass through. `callerId` is dropped: only authentication may say it.
 * @throws {HttpProblem} 400 with the fields that are wrong.
 */
export const readActivity = (body: unknown, answersTo: ServiceUrlCheck): Activity => {
  if (holdsPrototype(body)) throw malformed([{ path: '__proto__', message: 'must not be there' }]);
  const reading = activitySchema.safeParse(body);
  if (!reading.success) {
    throw malformed(reading.error.issues.slice(0, mostErrors).map(({ path, message }) => ({ path: path.join('.'), message })));
  }
  const { callerId, ...activity } = reading.data;
  if (!answersTo(activity.serviceUrl)) throw malformed([{ path: 'serviceUrl', message: 'is not an address that is answered to' }]);
  const { timestamp, localTimestamp, expiration } = activity;
  return {
    ...activity,
    ...(timestamp !== undefined && { timestamp: new Date(timestamp), rawTimestamp: timestamp }),
    ...(localTimestamp !== undefined && { localTimestamp: new Date(localTimestamp), rawLocalTimestamp: localTimestamp }),
    ...(expiration !== undefined && { expiration: new Date(expiration), rawExpiration: expiration }),
    // The SDK's type asks for fields that no channel sends (`label`, `listenFor`, …).
  } as unknown as Activity;
};

const malformed = (errors: { path: string; message: string }[]) =>
  new HttpProblem(400, 'invalid_activity', 'The body is not an activity that can be taken.', { errors });
