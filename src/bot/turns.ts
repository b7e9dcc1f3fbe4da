// One turn with its memory: what is kept of the chat is loaded, the conversation runs, and what changed is saved.
import type { TurnContext } from 'botbuilder';
import type { News } from '../interactions/ports.ts';
import { type BotStateStore, type Delivery, StateConflict } from '../storage/bot-state.ts';
import { turnKey } from './adapter.ts';
import { type Answer, answerGiven, deliveryOf, failure, repeatAnswer } from './deliveries.ts';
import { addDeliveryKeys } from './delivery-keys.ts';
import { TurnLockError } from './turn-lock.ts';

/**
 * The conversation as the bot runs it. `state` is plain JSON that it changes in place; `news` is set in a proactive turn. It may answer what is left to do
 * once the turn is kept: only what a crash may cost, and never failing.
 */
export type TurnHandler = (turn: {
  readonly context: TurnContext;
  readonly state: object;
  readonly news?: News;
}) => Promise<(() => Promise<void>) | undefined>;

/** Runs one turn. To be called under the conversation's turn lock. */
export type RunTurn = (context: TurnContext, news?: News) => Promise<void>;

/**
 * A fault in the conversation leaves the chat as it was before the turn. Should another turn have changed the chat meanwhile, which takes a stall longer
 * than the turn's lease, the other's stands: this one is run again over it if it has said nothing yet, and fails otherwise. An activity that is
 * delivered again has no second effect: it is answered as it was the first time.
 */
export const makeRunTurn = (store: BotStateStore, conversation: TurnHandler): RunTurn => {
  const attempt = async (context: TurnContext, delivery: Delivery | undefined, news: News | undefined) => {
    const key = turnKey(context.activity);
    const [{ [key]: kept }, answered] = await Promise.all([store.read([key]), delivery && store.answerTo(delivery)]);
    if (answered) return repeatAnswer(context, answered as Answer);
    const before = kept?.json ?? '{}';
    const state = JSON.parse(before);
    addDeliveryKeys(context, news ? news.interaction.id : context.activity.id);
    const after = await conversation({ context, state, ...(news && { news }) });
    const json = JSON.stringify(state);
    const changes = json === before ? {} : { [key]: { json, etag: kept?.etag } };
    // What had no effect may have none again.
    if (Object.keys(changes).length > 0 || context.responded)
      await store.write(changes, delivery && { delivery, answer: answerGiven(context) });
    await after?.();
  };

  const failed = async (delivery: Delivery, fault: unknown) => {
    // A turn that was not taken may be taken when it is delivered again; one that failed would fail again, after what had worked before.
    if (fault instanceof StateConflict || fault instanceof TurnLockError) return;
    // Where not even this can be written, a second delivery finds nothing and tries: no more can be done, and the fault itself is what is told.
    await store.write({}, { delivery, answer: failure }).catch(() => {});
  };

  return async (context, news) => {
    const delivery = news ? undefined : deliveryOf(context.activity);
    try {
      await attempt(context, delivery, news).catch((fault: unknown) => {
        if (!(fault instanceof StateConflict) || context.responded) throw fault;
        return attempt(context, delivery, news);
      });
    } catch (fault) {
      if (delivery) await failed(delivery, fault);
      throw fault;
    }
  };
};
