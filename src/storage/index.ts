// The bot's durable state: one database, opened and brought up to date, and the repositories over it.
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { ulid } from 'ulid';
import type { InteractionStore } from '../interactions/ports.ts';
import { SettingsError } from '../platform/settings-error.ts';
import { openSqlite } from '../platform/sqlite.ts';
import { type BotStateStore, makeBotStateStore } from './bot-state.ts';
import { type ChatStore, makeChatStore } from './chats.ts';
import { makeInteractionStore } from './interactions.ts';
import { first } from './migrations/0001-first.ts';
import { traceparent } from './migrations/0002-traceparent.ts';
import type { Schema } from './schema.ts';

export interface Storage {
  readonly interactions: InteractionStore;
  readonly botState: BotStateStore;
  readonly chats: ChatStore;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the embedded database under `dataDir`, or one in memory when it is `undefined`. @throws {SettingsError} when it cannot be used. */
export const openStorage = async (dataDir: string | undefined): Promise<Storage> => {
  const db = openSqlite<Schema>(dataDir === undefined ? ':memory:' : join(dataDir, 'bot.db'));
  await migrate(db);
  return {
    interactions: makeInteractionStore(db),
    botState: makeBotStateStore(db, ulid),
    chats: makeChatStore(db),
    ping: async () => {
      await db.selectFrom('bot_state').select('key').limit(1).execute();
    },
    close: () => db.destroy(),
  };
};

const migrate = async (db: Kysely<Schema>) => {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ '0001-first': first, '0002-traceparent': traceparent }) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error) {
    await db.destroy();
    throw new SettingsError(['DATA_DIR: the database there was made by a newer version or is damaged.'], { cause: error });
  }
};
