// Turns that bring the outcome of an interaction into a chat of our own Direct Line: its delivery is stored together
// with the bot's messages.
import type { Database } from '../platform/database.ts';
import { chatIn } from './chat-rows.ts';
import type { ChatStatements } from './chat-statements.ts';
import { ChatTurn } from './chat-turns.ts';
import type { Schema } from './schema.ts';

/** The turns that bring outcomes, by interaction. */
export interface NewsTurns {
  /** Begins one, unless it is running. `undefined`: the chat does not exist, or the turn has ended meanwhile. */
  begin(interactionId: string, chatId: string): Promise<ChatTurn | undefined>;
  of(interactionId: string): ChatTurn | undefined;
  end(interactionId: string): void;
}

export const makeNewsTurns = (database: Database<Schema>, statements: ChatStatements): NewsTurns => {
  const turns = new Map<string, ChatTurn>();
  const beginning = new Set<string>();
  return {
    begin: async (interactionId, chatId) => {
      const known = turns.get(interactionId);
      if (known) return known;
      beginning.add(interactionId);
      const [row] = (await statements.chat(database.db, { chatId })).rows;
      if (!beginning.delete(interactionId) || !row) return undefined;
      // The same messages may have been sent already, in a turn of the customer's or before a crash.
      const turn = new ChatTurn(database, statements, { chat: chatIn(row), activityId: interactionId, again: true, news: true });
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
