// One turn with its memory: the chat's state is loaded, the conversation runs, and changes are saved. Also the
// proactive turns that bring news.
import { hash } from 'node:crypto';
import type { News, Notify } from '../../interactions/index.ts';
import { ownServiceUrl } from '../../platform/channels.ts';
import type { Log } from '../../platform/log.ts';
import { rootOf } from '../../platform/root-bot.ts';
import { type BotStateStore, type Delivery, StateConflict } from '../../storage/index.ts';
import { type Activity, INVOKE_RESPONSE_KEY, type ResourceResponse, type TurnContext } from '../sdk.ts';
import { type ChatAddress, type ChatReference, turnKey } from './addresses.ts';
import { makeConverse, nothing, type OnUnusable, type TurnHandler } from './stored-state.ts';
import { TurnLockError } from './turn-lock.ts';

/** What happens in a turn. Call it under the conversation's turn lock. */
export type TurnLogic = (context: TurnContext, news?: News) => Promise<void>;

/**
 * A fault in the conversation leaves the chat as it was before the turn, unless the turn works without the stored
 * dialogs: then they are dropped, so that no chat fails for ever. If another turn has changed the chat meanwhile, which
 * takes a stall longer than the turn's lease, those changes stand: this turn runs again on top of them if it has said
 * nothing yet, and fails otherwise. An activity that is delivered again has no second effect: it gets the first
 * delivery's answer.
 */
export const makeRunTurn = <State extends object>(
  store: BotStateStore,
  conversation: TurnHandler<State>,
  onUnusable?: OnUnusable,
): TurnLogic => {
  const converse = makeConverse(conversation, onUnusable);
  const attempt = async (context: TurnContext, delivery: Delivery | undefined, news: News | undefined) => {
    const key = turnKey(context.activity);
    const [{ [key]: kept }, answered] = await Promise.all([store.read([key]), delivery && store.answerTo(delivery)]);
    if (answered) return repeatAnswer(context, answered as KeptAnswer);
    const before = kept?.json ?? nothing;
    addDeliveryKeys(context, news ? news.interaction.id : context.activity.id);
    const { state, after } = await converse(context, before, news);
    if (delivery && !news) await follow(key, context.activity, state, kept !== undefined);
    const { running, ...rest } = state as { readonly running?: object };
    const json = JSON.stringify(rest);
    const changes = json === before ? {} : { [key]: { json, etag: kept?.etag, running } };
    // A crash may lose it. If the whole turn is stored at once, this is included.
    const gathered = delivery !== undefined && store.gathers(delivery);
    if (gathered) await after?.();
    // It had no effect, so it may run again.
    if (Object.keys(changes).length > 0 || context.responded)
      await store.write(changes, delivery && { delivery, answer: answerGiven(context) });
    if (!gathered) await after?.();
  };

  /** Sends what is still to be said where the chat's last activity came from, which has been checked as any sender is. */
  const follow = async (key: string, { serviceUrl }: Activity, state: { serviceUrl?: string }, isKnown: boolean) => {
    if (serviceUrl === ownServiceUrl || state.serviceUrl === serviceUrl) return;
    state.serviceUrl = serviceUrl;
    if (isKnown) await store.move(key, serviceUrl);
  };

  const failed = async (delivery: Delivery, fault: unknown) => {
    // A turn that was not accepted may be accepted when delivered again. One that failed would fail again, after the
    // effects before the fault.
    if (fault instanceof StateConflict || fault instanceof TurnLockError) return;
    // If not even this can be written, a second delivery finds nothing and tries again. The original fault is the one
    // to report.
    await store.write({}, { delivery, answer: failure }).catch(() => {});
  };

  return async (context, news) => {
    const delivery = news ? newsOf(context.activity, news) : deliveryOf(context.activity);
    try {
      await attempt(context, delivery, news).catch((fault: unknown) => {
        if (!(fault instanceof StateConflict) || context.responded) throw fault;
        return attempt(context, delivery, news);
      });
    } catch (fault) {
      if (delivery && !news) await failed(delivery, fault);
      throw fault;
    } finally {
      // Still under the lock: later messages belong to the next turn.
      if (delivery) await store.endTurn(delivery);
    }
  };
};

/** The body of the HTTP answer to an activity: an invoke's response, or the expected replies. Both JSON. */
type KeptAnswer = { readonly invoke?: Partial<Activity>; readonly replies?: readonly Partial<Activity>[] };

/** The answer to an activity whose turn failed. */
const failure: KeptAnswer = { invoke: { type: 'invokeResponse', value: { status: 500 } } };

/**
 * The activity as one of a channel's deliveries; `undefined` for one without an id, which cannot be told from others.
 */
const deliveryOf = (activity: Partial<Activity>): Delivery | undefined => {
  if (!activity.id) return undefined;
  const { id, name, type } = activity;
  const stateKey = turnKey(activity);
  // A root bot gives events that it makes itself, including the end of the conversation, the id of its user's
  // message.
  const made = rootOf(activity) === undefined || type === 'message' ? [] : [type, name];
  const own = activity.serviceUrl === ownServiceUrl && activity.conversation && { chatId: activity.conversation.id, activityId: id };
  return { name: JSON.stringify([stateKey, id, ...made]), stateKey, ...(own && { own }) };
};

/**
 * A proactive turn's writes are gathered if it brings an outcome into a chat of our Direct Line. On other
 * channels the delivery of an outcome is stored at once after its post, since a crash in between repeats it.
 */
const newsOf = (activity: Partial<Activity>, { kind, interaction: { id } }: News): Delivery | undefined => {
  const { conversation, serviceUrl } = activity;
  if (kind !== 'outcome' || serviceUrl !== ownServiceUrl || !conversation) return undefined;
  return { name: id, news: id, stateKey: turnKey(activity), own: { chatId: conversation.id, activityId: id } };
};

/** The turn's answer so far. */
const answerGiven = ({ activity, bufferedReplyActivities, turnState }: TurnContext): KeptAnswer => {
  if (activity.deliveryMode === 'expectReplies') return { replies: bufferedReplyActivities };
  const invoke: Partial<Activity> | undefined = turnState.get(INVOKE_RESPONSE_KEY);
  return invoke ? { invoke } : {};
};

/** Gives the earlier answer again. Messages that were posted then are in the chat and are not posted again. */
const repeatAnswer = async (context: TurnContext, { invoke, replies }: KeptAnswer): Promise<void> => {
  const { deliveryMode, type } = context.activity;
  if (deliveryMode === 'expectReplies' && replies) context.bufferedReplyActivities.push(...replies);
  else if (type === 'invoke' && invoke) context.turnState.set(INVOKE_RESPONSE_KEY, invoke);
};

type Named = { deliveryKey?: string };

/**
 * Gives every message of the turn a delivery key, from the cause of the turn (a customer's message, or the interaction
 * whose news it brings), the words, and how often they have been said in the turn. An existing key
 * (`channelData.deliveryKey`) is kept. Other channels do not know delivery keys, so there they are removed.
 */
export const addDeliveryKeys = (context: TurnContext, cause: string | undefined): void => {
  const own = context.activity.serviceUrl === ownServiceUrl;
  const said = new Map<string, number>();
  const posted = new Map<string, ResourceResponse[]>();
  const nameOf = ({ text, speak = '', attachments = [], channelData }: Partial<Activity>): string | undefined => {
    const given = (channelData as Named | undefined)?.deliveryKey;
    if (given !== undefined || cause === undefined) return given;
    // Cards are ignored: their buttons have new ids each time, and the spoken text contains their words.
    const words = hash('sha256', JSON.stringify([text ?? speak, attachments.length]), 'base64url').slice(0, 16);
    const count = (said.get(words) ?? 0) + 1;
    said.set(words, count);
    return `${cause}:${words}:${count}`;
  };
  context.onSendActivities(async (_context, activities, next) => {
    const [key] = activities.map(({ channelData }) => (channelData as Named | undefined)?.deliveryKey);
    // A turn that runs again on less of its state does not repeat what it has said.
    const before = key === undefined ? undefined : posted.get(key);
    if (before) return before;
    for (const activity of activities) {
      const { deliveryKey: _, ...rest } = (activity.channelData ?? {}) as Named;
      const name = own && activity.type !== 'typing' ? nameOf(activity) : undefined;
      if (name !== undefined) activity.channelData = { ...rest, deliveryKey: name };
      else if (activity.channelData) activity.channelData = rest;
    }
    const answers = await next();
    if (key !== undefined) posted.set(key, answers);
    return answers;
  });
};

/** The stored address does not belong to the chat that it was stored for. */
class WrongChat extends Error {
  override readonly name = 'WrongChat';
  readonly code = 'wrong_chat';
  /** A retry would not help. */
  readonly final = true;
}

/** Opens a turn in a chat without a message that started it. */
export type OpenTurn = (chat: ChatAddress & { readonly id: string }, logic: TurnLogic) => Promise<void>;

/**
 * Turns in the chats that addresses name; `id` is that of the interaction, or of the record stored with the address.
 */
export const makeOpenTurn =
  (adapter: { continueConversation(reference: ChatReference, logic: TurnLogic): Promise<void> }, log: Log): OpenTurn =>
  async ({ address, conversation, id }, logic) => {
    const reference: ChatReference = JSON.parse(address);
    // Both were stored together and never change. If they disagree, one of them was tampered with.
    if (turnKey(reference) !== conversation) {
      log.error({ interaction: id, reason: 'wrong_chat' }, 'a message was about to go to the wrong chat');
      throw new WrongChat();
    }
    await adapter.continueConversation(reference, logic);
  };

/** Delivers news to the chat that an interaction's address names, through a proactive turn of its conversation. */
export const notifyChats =
  (openTurn: OpenTurn, run: TurnLogic): Notify =>
  (interaction, kind) =>
    openTurn(interaction, (context) => run(context, { kind, interaction }));
