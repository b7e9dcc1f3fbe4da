// One turn with its memory: what is kept of the chat is loaded, the conversation runs, and what changed is saved.
import type { TurnContext } from 'botbuilder';
import type { News } from '../interactions/ports.ts';
import { type BotStateStore, StateConflict } from '../storage/bot-state.ts';
import { turnKey } from './adapter.ts';

/** The conversation as the bot runs it. `state` is plain JSON that it changes in place; `news` is set in a proactive turn. */
export type Conversation = (turn: { readonly context: TurnContext; readonly state: object; readonly news?: News }) => Promise<void>;

/** Runs one turn. To be called under the conversation's turn lock. */
export type RunTurn = (context: TurnContext, news?: News) => Promise<void>;

/**
 * A fault in the conversation leaves the chat as it was before the turn. Should another turn have changed the chat meanwhile, which takes a stall longer
 * than the turn's lease, the other's stands: this one is run again over it if it has said nothing yet, and fails otherwise.
 */
export const makeTurns = (store: BotStateStore, conversation: Conversation): RunTurn => {
  const attempt = async (context: TurnContext, news: News | undefined) => {
    const key = turnKey(context.activity);
    const { [key]: kept } = await store.read([key]);
    const state = kept?.value ?? {};
    const before = JSON.stringify(state);
    await conversation({ context, state, ...(news && { news }) });
    if (JSON.stringify(state) !== before) await store.write({ [key]: { value: state, etag: kept?.etag } });
  };
  return async (context, news) => {
    try {
      await attempt(context, news);
    } catch (fault) {
      if (!(fault instanceof StateConflict) || context.responded) throw fault;
      await attempt(context, news);
    }
  };
};
