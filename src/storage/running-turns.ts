// The running turns whose writes are gathered (decision 0140), by chat.
import type { Database } from '../platform/database.ts';
import type { ChatStatements } from './chat-statements.ts';
import type { GatheredTurn, GatherOptions, TurnDelivery } from './chat-store.ts';
import { ChatTurn } from './chat-turns.ts';
import type { NewsTurns } from './news-turns.ts';
import type { Schema } from './schema.ts';

/** The turns whose writes are gathered. */
export interface ChatTurns {
  gather(options: GatherOptions): GatheredTurn;
  /**
   * Begins the delivery's turn, under its lock. `new`: it was never begun before; `settled`: it has had its turn
   * meanwhile. A turn that brings an outcome is gathered from here on.
   */
  begin(delivery: TurnDelivery): Promise<'new' | 'settled' | undefined>;
  of(delivery: TurnDelivery): ChatTurn | undefined;
  /** Ends the delivery's turn. */
  end(delivery: TurnDelivery): Promise<void>;
  /** The turn that is running in the chat. */
  in(chatId: string): ChatTurn | undefined;
  /** The turn whose writes are gathered in a conversation, by its state's key. */
  inConversation(stateKey: string): ChatTurn | undefined;
}

export const makeChatTurns = (database: Database<Schema>, statements: ChatStatements, newsTurns: NewsTurns): ChatTurns => {
  /** By chat and activity, including those that wait for the lock. */
  const turns = new Map<string, ChatTurn>();
  const running = new Map<string, ChatTurn>();
  /** By the keys of the conversations' states. */
  const conversations = new Map<string, ChatTurn>();
  const nameOf = (chatId: string, activityId: string) => `${chatId} ${activityId}`;
  const gathered = ({ own }: TurnDelivery) => own && turns.get(nameOf(own.chatId, own.activityId));
  const of = (delivery: TurnDelivery) => (delivery.news === undefined ? gathered(delivery) : newsTurns.of(delivery.news));

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

  return {
    of,

    end: async (delivery) => {
      const turn = of(delivery);
      if (delivery.news !== undefined) newsTurns.end(delivery.news);
      if (turn) await end(turn);
    },

    in: (chatId) => running.get(chatId),
    inConversation: (stateKey) => conversations.get(stateKey),

    begin: async (delivery) => {
      const { news, own, stateKey } = delivery;
      if (news !== undefined) {
        const turn = own && (await newsTurns.begin(news, own.chatId));
        if (turn) run(turn, stateKey);
        return 'new';
      }
      const turn = gathered(delivery);
      if (!turn) return undefined;
      const { again, activityId, begins, chat } = turn;
      run(turn, stateKey);
      if (!again) return 'new';
      if (begins) return (await statements.chat(database.db, { chatId: chat.id })).rows[0]?.started === 1 ? 'settled' : undefined;
      const { rows } = await statements.find(database.db, { chatId: chat.id, activityId });
      return rows[0]?.awaits_turn === 1 ? undefined : 'settled';
    },

    gather: (options) => {
      const turn = new ChatTurn(database, statements, options);
      const name = nameOf(options.chat.id, options.activityId);
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
  };
};
