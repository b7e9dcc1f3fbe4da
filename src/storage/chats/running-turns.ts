// The running turns whose writes are gathered (decision 0140): those of customers' activities, and those that bring the
// outcome of an interaction, whose delivery is stored together with the bot's messages.
import type { Database } from '../../platform/database/database.ts';
import type { Schema } from '../schema.ts';
import { chatIn } from './chat-rows.ts';
import type { ChatStatements } from './chat-statements.ts';
import type { GatheredTurn, GatherOptions, TurnDelivery } from './chat-store.ts';
import { ChatTurn } from './chat-turns.ts';

export type ChatTurns = ReturnType<typeof makeChatTurns>;

const nameOf = ({ news, own }: Omit<TurnDelivery, 'stateKey'>) =>
  news === undefined ? `${own?.chatId} ${own?.activityId}` : `news ${news}`;

export const makeChatTurns = (database: Database<Schema>, statements: ChatStatements) => {
  /** By name, including those that wait for the lock. */
  const turns = new Map<string, ChatTurn>();
  const running = new Map<string, ChatTurn>();
  /** By the keys of the conversations' states. */
  const conversations = new Map<string, ChatTurn>();
  /** The names of turns whose chat is being read. */
  const beginning = new Set<string>();
  const of = (delivery: TurnDelivery) => turns.get(nameOf(delivery));

  const end = async (turn: ChatTurn) => {
    try {
      await turn.flush();
    } finally {
      if (running.get(turn.chat.id) === turn) running.delete(turn.chat.id);
      const { stateKey = '' } = turn;
      if (conversations.get(stateKey) === turn) conversations.delete(stateKey);
    }
    // Writes gathered while the rest was being stored.
    await turn.flush();
  };

  const run = (turn: ChatTurn, stateKey: string) => {
    turn.stateKey = stateKey;
    conversations.set(stateKey, turn);
    running.set(turn.chat.id, turn);
  };

  /** Begins a turn that brings an outcome, unless the chat does not exist, or the turn has ended meanwhile. */
  const beginNews = async (news: string, chatId: string): Promise<ChatTurn | undefined> => {
    const name = nameOf({ news });
    const known = turns.get(name);
    if (known) return known;
    beginning.add(name);
    const [row] = (await statements.chat(database.db, { chatId })).rows;
    if (!beginning.delete(name) || !row) return undefined;
    // The same messages may have been sent already, in a turn of the customer's or before a crash.
    const turn = new ChatTurn(database, statements, { chat: chatIn(row), activityId: news, again: true, news: true });
    turns.set(name, turn);
    return turn;
  };

  return {
    of,

    /** The turn that is running in the chat. */
    in: (chatId: string) => running.get(chatId),

    /** The turn whose writes are gathered in a conversation, by its state's key. */
    inConversation: (stateKey: string) => conversations.get(stateKey),

    /** Gathers the writes of a turn, from when it begins. */
    gather: (options: GatherOptions): GatheredTurn => {
      const turn = new ChatTurn(database, statements, options);
      const name = nameOf({ own: { chatId: options.chat.id, activityId: options.activityId } });
      turns.set(name, turn);
      return {
        get settled() {
          return turn.settled;
        },
        end: async () => {
          turns.delete(name);
          await end(turn);
        },
      };
    },

    /**
     * Begins the delivery's turn, under its lock. `new`: it was never begun before; `settled`: it has had its turn
     * meanwhile. A turn that brings an outcome is gathered from here on.
     */
    begin: async (delivery: TurnDelivery): Promise<'new' | 'settled' | undefined> => {
      const { news, own, stateKey } = delivery;
      const turn = news === undefined || !own ? of(delivery) : await beginNews(news, own.chatId);
      if (turn) run(turn, stateKey);
      if (news !== undefined) return 'new';
      if (!turn?.again) return turn && 'new';
      const chatId = turn.chat.id;
      if (turn.begins) return (await statements.chat(database.db, { chatId })).rows[0]?.started === 1 ? 'settled' : undefined;
      const [row] = (await statements.find(database.db, { chatId, activityId: turn.activityId })).rows;
      return row?.awaits_turn === 1 ? undefined : 'settled';
    },

    /** Ends the delivery's turn. */
    end: async (delivery: TurnDelivery) => {
      const turn = of(delivery);
      if (delivery.news !== undefined) {
        beginning.delete(nameOf(delivery));
        turns.delete(nameOf(delivery));
      }
      if (turn) await end(turn);
    },
  };
};
