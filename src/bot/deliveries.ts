// Activities that a channel delivers more than once (Teams does after 15 s without an answer), and what they are answered with again.
import { type Activity, INVOKE_RESPONSE_KEY, type TurnContext } from 'botbuilder';
import type { Delivery } from '../storage/bot-state.ts';
import { turnKey } from './adapter.ts';

/** What the HTTP answer to an activity held: an invoke's response, or the replies where they are expected there. Both JSON. */
export interface Answer {
  readonly invoke?: Partial<Activity>;
  readonly replies?: readonly Partial<Activity>[];
}

/** The answer to an activity whose turn failed. */
export const failure: Answer = { invoke: { type: 'invokeResponse', value: { status: 500 } } };

/** The activity as one of a channel's deliveries; `undefined` for one without an id, which nobody can tell from another. */
export const deliveryOf = (activity: Partial<Activity>): Delivery | undefined => {
  if (!activity.id) return undefined;
  const stateKey = turnKey(activity);
  return { name: JSON.stringify([stateKey, activity.id]), stateKey };
};

/** What the turn has answered so far. */
export const answerGiven = ({ activity, bufferedReplyActivities, turnState }: TurnContext): Answer => {
  if (activity.deliveryMode === 'expectReplies') return { replies: bufferedReplyActivities };
  const invoke: Partial<Activity> | undefined = turnState.get(INVOKE_RESPONSE_KEY);
  return invoke ? { invoke } : {};
};

/** Answers as it was answered before. Whatever was posted into the chat then is there and is not posted again. */
export const repeatAnswer = async (context: TurnContext, { invoke, replies }: Answer): Promise<void> => {
  const { deliveryMode, type } = context.activity;
  if (deliveryMode === 'expectReplies' && replies) context.bufferedReplyActivities.push(...replies);
  else if (type === 'invoke' && invoke) context.turnState.set(INVOKE_RESPONSE_KEY, invoke);
};
