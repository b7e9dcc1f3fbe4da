// One turn with its memory: what is kept of the chat is loaded, the conversation runs, and what changed is saved.
import type { Activity, TurnContext } from 'botbuilder';
import type { News } from '../interactions/ports.ts';
import type { BotStateStore } from '../storage/bot-state.ts';
import { turnKey } from './adapter.ts';
import { nameWhatIsSaid } from './names.ts';

/** The conversation as the bot runs it. `state` is plain JSON that it changes in place; `news` is set in a proactive turn. */
export type Conversation = (turn: { readonly context: TurnContext; readonly state: object; readonly news?: News }) => Promise<void>;

/** Runs one turn. To be called under the conversation's turn lock. */
export type RunTurn = (context: TurnContext, news?: News) => Promise<void>;

/** What is kept of a chat between its turns. */
interface Kept {
  readonly state: object;
  /** The activities whose turns are in the state, newest last. */
  readonly taken: readonly string[];
}

/** How many activities are remembered: a channel repeats one within seconds. */
const mostTaken = 20;

/**
 * A fault in the conversation leaves the chat as it was before the turn. An activity whose turn is in the state is not taken again: whoever did not
 * live to hear that it was taken may send it again, and an answer that moved the chat on once must not answer the next question too.
 */
export const makeTurns =
  (store: BotStateStore, conversation: Conversation): RunTurn =>
  async (context, news) => {
    const key = turnKey(context.activity);
    const { [key]: item } = await store.read([key]);
    const { state, taken } = (item?.value ?? { state: {}, taken: [] }) as Kept;
    const activity = news ? undefined : repeatable(context.activity);
    if (activity !== undefined && taken.includes(activity)) return;
    const before = JSON.stringify(state);
    nameWhatIsSaid(context, news ? news.interaction.id : activity);
    await conversation({ context, state, ...(news && { news }) });
    if (activity === undefined && JSON.stringify(state) === before) return;
    const now: Kept = { state, taken: activity === undefined ? taken : [...taken, activity].slice(-mostTaken) };
    await store.write({ [key]: { value: now, etag: item?.etag } });
  };

/** The id of an activity that may come again. Typing leaves nothing behind, and an invoke that comes again wants its answer again. */
const repeatable = ({ id, type }: Activity): string | undefined => (type === 'typing' || type === 'invoke' ? undefined : id || undefined);
