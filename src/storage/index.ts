// The bot's durable state: one database, opened and brought up to date, and the repositories over it.
import { join } from 'node:path';
import { ulid } from 'ulid';
import type { InteractionStore } from '../interactions/ports.ts';
import { type Log, makeLog } from '../platform/log.ts';
import { openDatabase } from '../platform/open-database.ts';
import { type BotStateStore, makeBotStateStore } from './bot-state.ts';
import { type ChatStore, makeChatStore } from './chats.ts';
import { makeInteractionStore } from './interactions.ts';
import { migrations } from './migrations/index.ts';
import type { Schema } from './schema.ts';

export interface Storage {
  readonly interactions: InteractionStore;
  readonly botState: BotStateStore;
  readonly chats: ChatStore;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface StorageOptions {
  /** A Postgres address, to be used instead of the embedded database. */
  readonly url?: string | undefined;
  readonly log?: Log;
}

/**
 * Opens the database at `url`, else the embedded one under `dataDir`, else (`undefined`) one in memory.
 * @throws {SettingsError} when it cannot be used.
 */
export const openStorage = async (dataDir: string | undefined, { url, log = makeLog('silent') }: StorageOptions = {}): Promise<Storage> => {
  const file = dataDir === undefined ? ':memory:' : join(dataDir, 'bot.db');
  const { db, close } = await openDatabase<Schema>({ file, url, log }, migrations);
  return {
    interactions: makeInteractionStore(db),
    botState: makeBotStateStore(db, ulid),
    chats: makeChatStore(db),
    ping: async () => {
      await db.selectFrom('bot_state').select('key').limit(1).execute();
    },
    close,
  };
};
