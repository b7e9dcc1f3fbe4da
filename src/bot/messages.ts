// POST /api/messages: an activity in, and the answer the Bot Framework expects for it out.
import type { Activity, InvokeResponse } from 'botbuilder';
import { HttpProblem } from '../platform/http-problem.ts';
import type { Answer, Handler } from '../platform/http-server.ts';
import { faultFields, type Log } from '../platform/log.ts';
import { withTimeout } from '../platform/with-timeout.ts';
import type { TurnAdapter, TurnLogic } from './adapter.ts';
import { readActivity } from './envelope.ts';
import type { ServiceUrlCheck } from './service-url.ts';

export interface MessagesOptions {
  readonly adapter: Pick<TurnAdapter, 'receive'>;
  readonly logic: TurnLogic;
  readonly answersTo: ServiceUrlCheck;
  readonly log: Log;
  /** When the channel is answered at the latest, in milliseconds. Teams repeats an activity that is not answered within 15 s. */
  readonly answerWithin: number;
}

/**
 * 200 when the turn is over, with the invoke's own status and body or the expected replies where there are any; 202 when the turn takes longer than
 * `answerWithin` and goes on by itself; 504 when its answer was needed. Refusals are problem+json.
 */
export const makeMessagesHandler =
  ({ adapter, logic, answersTo, log, answerWithin }: MessagesOptions): Handler =>
  async ({ body, headers, requestId }) => {
    const activity = readActivity(body, answersTo);
    const turn = adapter.receive(headers.authorization ?? '', activity, logic);
    let answered = false;
    turn.catch((fault: unknown) => {
      if (fault instanceof HttpProblem)
        log.warn({ code: fault.code, status: fault.status, channel: activity.channelId, request: requestId }, 'an activity was refused');
      else if (answered)
        log.error({ ...faultFields(fault), channel: activity.channelId, request: requestId }, 'a turn failed after it was answered');
    });
    const ending = await withTimeout(turn, answerWithin, () => stillRunning);
    answered = true;
    return ending === stillRunning ? later(activity) : answerTo(ending);
  };

const stillRunning = 'still running' as const;

const later = ({ type, deliveryMode }: Activity): Answer => {
  if (type === 'invoke' || deliveryMode === 'expectReplies') {
    throw new HttpProblem(504, 'turn_timeout', 'The answer took too long.');
  }
  return { status: 202 };
};

const answerTo = (response: InvokeResponse | undefined): Answer => {
  if (!response) return { status: 200 };
  const { status, body } = response;
  if (!Number.isInteger(status) || status < 200 || status > 599) throw new RangeError('an invoke was answered with an impossible status');
  if (body === undefined || body === null) return { status };
  return { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
};
