// The steps of a turn. Their order is written where they are taken, from the outermost to the innermost (adapter.ts).
import { channelOf } from '../../platform/channels.ts';
import { HttpProblem } from '../../platform/http/http-problem.ts';
import { limitRate, type Rate } from '../../platform/limits.ts';
import { faultFields, type Log } from '../../platform/log.ts';
import { rates } from '../../platform/rates.ts';
import { rootOf } from '../../platform/root-bot.ts';
import { withTimeout } from '../../platform/time/waits.ts';
import { ConnectorError } from '../outgoing/connector.ts';
import { type Activity, INVOKE_RESPONSE_KEY, type InvokeResponse, type TurnContext } from '../sdk.ts';
import type { Middleware } from '../steps.ts';
import { turnKey } from './addresses.ts';
import { type TurnLease, type TurnLock, TurnLockError } from './turn-lock.ts';

/** A turn on its way through the steps. */
export interface TurnProgress {
  readonly activity: Activity;
  /** Set while the turn has its conversation. */
  lease?: TurnLease;
  /** Set once the SDK has begun the turn. */
  context?: TurnContext;
  /** Why the conversation cannot take its turn; the customer is told all the same. */
  fault?: TurnLockError;
  /** The response to an invoke, or the expected replies. */
  response?: InvokeResponse | undefined;
}

export type TurnStep = Middleware<TurnProgress, void>;

/** The answer that leaves a card as it is. */
const nothingYet: InvokeResponse = {
  status: 200,
  body: { statusCode: 200, type: 'application/vnd.microsoft.activity.message', value: '' },
};

/**
 * Answers a card's click with what the turn has answered by the deadline: the turn then continues, and its effect is said
 * in messages. Teams shows an error after five seconds.
 */
export const answerClicks =
  (log: Log, withinMs = 4000): TurnStep =>
  async (turn, next) => {
    const { name, type } = turn.activity;
    if (type !== 'invoke' || name !== 'adaptiveCard/action') return next(turn);
    const run = next(turn);
    if ((await withTimeout(run, withinMs, () => 'late' as const)) !== 'late') return;
    run.catch((fault: unknown) => log.error({ ...faultFields(fault), event: 'invoke' }, 'a turn failed after its click was answered'));
    turn.response = turn.context?.turnState.get(INVOKE_RESPONSE_KEY)?.value ?? nothingYet;
  };

/** One turn at a time in each conversation. @throws {TurnLockError} when the conversation stays busy. */
export const oneAtATime =
  (lock: TurnLock): TurnStep =>
  (turn, next) =>
    lock.run(turnKey(turn.activity), (lease) => {
      turn.lease = lease;
      return next(turn);
    });

/**
 * The same for a customer: 429 if the conversation stays busy. If nobody can say whether it is, the turn goes on without
 * it, only to tell them.
 */
export const oneAtATimeOrRefused =
  (lock: TurnLock): TurnStep =>
  async (turn, next) => {
    try {
      await oneAtATime(lock)(turn, next);
    } catch (fault) {
      if (!(fault instanceof TurnLockError)) throw fault;
      if (fault.code !== 'unavailable')
        throw new HttpProblem(429, 'conversation_busy', 'Too much is going on in this conversation. Please wait a moment.', {
          headers: { 'Retry-After': '5' },
        });
      turn.fault = fault;
      await next(turn);
    }
  };

/** A turn that has lost its conversation to the next one sends nothing more there. */
export const speakUnderLease: TurnStep = (turn, next) => {
  const { context, lease } = turn;
  const confirmed = async <Result>(_context: TurnContext, _what: unknown, send: () => Promise<Result>) => {
    await lease?.confirm();
    return send();
  };
  context?.onSendActivities(confirmed);
  context?.onUpdateActivity(confirmed);
  context?.onDeleteActivity(confirmed);
  return next(turn);
};

/**
 * A fault is logged, the customer gets one apology, and the channel is told that the activity was accepted, because a
 * repeat would repeat the fault and everything before it. `apology`: its words in the language of the activity's locale.
 */
export const apologize =
  (apology: (locale: string | undefined) => string, log: Log): TurnStep =>
  async (turn, next) => {
    const { channelId, locale, type } = turn.activity;
    try {
      await next(turn);
    } catch (fault) {
      log.error({ ...faultFields(fault), ...channelFields(fault), channel: channelId, event: type }, 'a turn failed');
      // If posting is what failed, an apology would fail the same way, after the same wait.
      if (fault instanceof ConnectorError && type !== 'invoke') return;
      try {
        if (type === 'message') await turn.context?.sendActivity(apology(locale));
        if (type === 'invoke') await turn.context?.sendActivity({ type: 'invokeResponse', value: { status: 500 } });
      } catch (second) {
        log.warn({ ...faultFields(second), ...channelFields(second), channel: channelId }, 'the apology for a failed turn was not posted');
      }
    }
  };

const channelFields = (fault: unknown) => (fault instanceof ConnectorError ? { status: fault.status, reason: fault.reason } : {});

/** The sender of an activity and its channel. */
type Sender = Pick<Activity, 'channelId'> &
  Partial<Pick<Activity, 'entities' | 'name' | 'serviceUrl' | 'type'>> & {
    readonly callerId?: string;
    readonly from: { readonly id: string };
  };

/** A telephone key, on a channel that has them (dialogs/turn/activities.ts reads which). */
const isKey = ({ type, name, entities = [], ...activity }: Sender) =>
  channelOf(activity).voice && ((type === 'event' && name === 'DTMF') || entities.some((entity) => entity.type === 'DTMF'));

/**
 * Admission by user: that many turns (10) in that many seconds (10), then 429 with Retry-After. Keys are counted
 * separately.
 */
export const limitTurns = (rate: Rate = rates.turns) => {
  const take = limitRate(rate, 'too_many_turns', 'Too many messages at once. Please wait a moment.');
  const takeKey = limitRate(rates.keys, 'too_many_turns', 'Too many keys at once. Please wait a moment.');
  return (activity: Sender): Promise<void> => {
    const { callerId, channelId, from } = activity;
    const who = [channelId, from.id, ...(rootOf({ callerId }) === undefined ? [] : [callerId])];
    return (isKey(activity) ? takeKey : take)(JSON.stringify(who));
  };
};
