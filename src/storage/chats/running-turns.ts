// The running turns whose writes are gathered (decision 0140).
import type { Database } from '../../platform/database/database.ts';
import type { Schema } from '../schema.ts';
import type { ChatRows } from './chat-rows.ts';
import { type GatherOptions, type TurnOptions, TurnWrites } from './turn-writes.ts';

/** The event that begins a turn. */
export interface TurnDelivery {
  /** The key of its conversation's state, which interactions use as well to name their conversation. */
  readonly stateKey: string;
  /** In our own Direct Line: the chat, and the activity in it. */
  readonly own?: { readonly chatId: string; readonly activityId: string };
  /** The interaction whose outcome it brings, if no activity began the turn. */
  readonly news?: string;
}

const nameOf = ({ news, own }: Omit<TurnDelivery, 'stateKey'>) =>
  news === undefined ? `${own?.chatId} ${own?.activityId}` : `news ${news}`;

export type RunningTurns = ReturnType<typeof makeRunningTurns>;

/** The turns whose writes are gathered: those of customers' activities, and those that bring the outcome of an interaction. */
export const makeRunningTurns = ({ db }: Database<Schema>, rows: ChatRows) => {
  /** By name, including those that wait for the lock. */
  const gathered = new Map<string, TurnWrites>();
  /** By chat: those that have the lock. */
  const running = new Map<string, TurnWrites>();

  const add = (name: string, options: TurnOptions): TurnWrites => {
    const turn = new TurnWrites(db, rows, options, () => {
      if (gathered.get(name) === turn) gathered.delete(name);
      if (running.get(options.chatId) === turn) running.delete(options.chatId);
    });
    gathered.set(name, turn);
    return turn;
  };
  const of = (delivery: TurnDelivery) => gathered.get(nameOf(delivery));

  return {
    of,

    /** The turn that is running in the chat. */
    in: (chatId: string) => running.get(chatId),

    /** The turn that is running in a conversation, by its state's key. */
    inConversation: (key: string) => [...running.values()].find(({ stateKey }) => stateKey === key),

    /** Gathers the writes of a turn, from when it begins. */
    gather: (options: GatherOptions): TurnWrites => {
      const own = { chatId: options.chat.id, activityId: options.activityId };
      return add(nameOf({ own }), { ...options, chatId: own.chatId });
    },

    /**
     * Begins the delivery's turn, under its lock. `new`: it was never begun before; `settled`: it has had its turn
     * meanwhile. A turn that brings an outcome is gathered from here on: its messages may have been sent already, in a
     * turn of the customer's or before a crash.
     */
    begin: async (delivery: TurnDelivery): Promise<'new' | 'settled' | undefined> => {
      const { news, own, stateKey } = delivery;
      const brings = news !== undefined && own ? { ...own, news, activityId: news, again: true } : undefined;
      const turn = of(delivery) ?? (brings && add(nameOf(delivery), brings));
      if (turn) {
        turn.stateKey = stateKey;
        running.set(turn.options.chatId, turn);
      }
      if (news !== undefined) return 'new';
      if (!turn?.options.again) return turn ? 'new' : undefined;
      const { activityId, begins, chatId } = turn.options;
      if (begins) return (await rows.get(chatId))?.started ? 'settled' : undefined;
      return (await rows.find(db, chatId, activityId))?.awaits_turn === 1 ? undefined : 'settled';
    },

    /** Ends the delivery's turn. */
    end: async (delivery: TurnDelivery): Promise<void> => of(delivery)?.end(),
  };
};
