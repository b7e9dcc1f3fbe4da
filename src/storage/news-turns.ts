// Turns that bring the outcome of an interaction, whichever channel the chat is on: that it was told is stored with the
// chat's state, and in a chat of our own Direct Line with what is said.
import type { Database } from '../platform/database.ts';
import { chatIn } from './chat-rows.ts';
import type { ChatStatements } from './chat-statements.ts';
import type { Chat } from './chat-store.ts';
import { GatheredWrites } from './chat-turns.ts';
import type { Schema } from './schema.ts';

/** The turns that bring news, by interaction. */
export interface NewsTurns {
  /**
   * Begins one, unless it runs. `chatId`: of a chat of our own Direct Line. `undefined`: it has come to its end
   * meanwhile.
   */
  begin(interactionId: string, chatId: string | undefined): Promise<GatheredWrites | undefined>;
  of(interactionId: string): GatheredWrites | undefined;
  end(interactionId: string): void;
}

export const makeNewsTurns = (database: Database<Schema>, statements: ChatStatements): NewsTurns => {
  const turns = new Map<string, GatheredWrites>();
  const beginning = new Set<string>();
  const find = async (chatId: string): Promise<Chat | undefined> => {
    const [row] = (await statements.chat(database.db, { chatId })).rows;
    return row && chatIn(chatId, row);
  };
  return {
    begin: async (interactionId, chatId) => {
      const known = turns.get(interactionId);
      if (known) return known;
      beginning.add(interactionId);
      const chat = chatId === undefined ? undefined : await find(chatId);
      if (!beginning.delete(interactionId)) return undefined;
      // What it says may have been said before, in a turn of the customer's or before a crash.
      const turn = new GatheredWrites(database, statements, { chat, activityId: interactionId, again: true, news: true });
      turns.set(interactionId, turn);
      return turn;
    },
    of: (interactionId) => turns.get(interactionId),
    end: (interactionId) => {
      beginning.delete(interactionId);
      turns.delete(interactionId);
    },
  };
};
