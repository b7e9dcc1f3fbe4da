// The chats of our own Direct Line: conversations, and their activities in order, each shown once.
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from './schema.ts';

export interface Chat {
  readonly id: string;
  readonly userId: string;
  /** The highest revision so far; 0 in a new chat. */
  readonly watermark: number;
}

/** An activity as it is kept: JSON with an `id` of its own. */
export type StoredActivity = { readonly id: string; readonly [field: string]: unknown };

/** The files customers upload. */
export interface ChatFile {
  readonly name: string;
  readonly contentType: string;
  readonly content: Uint8Array;
}

export interface ChatStore {
  /** Opens a chat; doing so again changes nothing. Answers the chat as it is. */
  open(id: string, userId: string, at: number): Promise<Chat>;
  get(id: string): Promise<Chat | undefined>;
  /**
   * Adds an activity at the end. Under a `dedupeKey` that the chat has seen, nothing is added and the first one's id is answered.
   * `undefined`: there is no such chat.
   */
  append(chatId: string, activity: StoredActivity, dedupeKey?: string): Promise<{ id: string; added: boolean } | undefined>;
  /** Replaces an activity in its place; it counts as new for watermarks. `false`: there is none of that id. */
  replace(chatId: string, activity: StoredActivity): Promise<boolean>;
  remove(chatId: string, activityId: string): Promise<boolean>;
  /** What changed after the watermark, in conversation order, with the watermark to ask with next. `undefined`: there is no such chat. */
  since(chatId: string, watermark: number): Promise<{ activities: StoredActivity[]; watermark: number } | undefined>;
  keepFile(chatId: string, id: string, file: ChatFile): Promise<void>;
  file(chatId: string, id: string): Promise<ChatFile | undefined>;
}

export const makeChatStore = (db: Kysely<Schema>): ChatStore => {
  /** Takes the chat's next revision; the row lock this takes keeps two writers of one chat apart. */
  const nextRevision = async (transaction: Transaction<Schema>, chatId: string) =>
    (
      await transaction
        .updateTable('chat')
        .set({ watermark: sql<number>`watermark + 1` })
        .where('id', '=', chatId)
        .returning('watermark')
        .executeTakeFirst()
    )?.watermark;

  const get = async (id: string): Promise<Chat | undefined> => {
    const row = await db.selectFrom('chat').selectAll().where('id', '=', id).executeTakeFirst();
    return row && { id: row.id, userId: row.user_id, watermark: row.watermark };
  };

  return {
    get,

    open: async (id, userId, at) => {
      await db
        .insertInto('chat')
        .values({ id, user_id: userId, watermark: 0, created_at: at })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
      return (await get(id)) as Chat;
    },

    append: (chatId, activity, dedupeKey) =>
      db.transaction().execute(async (transaction) => {
        const revision = await nextRevision(transaction, chatId);
        if (revision === undefined) return undefined;
        if (dedupeKey !== undefined) {
          const seen = await transaction
            .selectFrom('chat_activity')
            .select('activity_id')
            .where('chat_id', '=', chatId)
            .where('dedupe_key', '=', dedupeKey)
            .executeTakeFirst();
          if (seen) return { id: seen.activity_id, added: false };
        }
        await transaction
          .insertInto('chat_activity')
          .values({
            chat_id: chatId,
            activity_id: activity.id,
            position: revision,
            revision,
            activity: JSON.stringify(activity),
            dedupe_key: dedupeKey ?? null,
          })
          .execute();
        return { id: activity.id, added: true };
      }),

    replace: (chatId, activity) =>
      db.transaction().execute(async (transaction) => {
        const revision = await nextRevision(transaction, chatId);
        if (revision === undefined) return false;
        const { numUpdatedRows } = await transaction
          .updateTable('chat_activity')
          .set({ revision, activity: JSON.stringify(activity) })
          .where('chat_id', '=', chatId)
          .where('activity_id', '=', activity.id)
          .executeTakeFirstOrThrow();
        return numUpdatedRows === 1n;
      }),

    remove: async (chatId, activityId) => {
      const { numDeletedRows } = await db
        .deleteFrom('chat_activity')
        .where('chat_id', '=', chatId)
        .where('activity_id', '=', activityId)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },

    since: async (chatId, watermark) => {
      const chat = await get(chatId);
      if (!chat) return undefined;
      const rows = await db
        .selectFrom('chat_activity')
        .select(['activity', 'revision'])
        .where('chat_id', '=', chatId)
        .where('revision', '>', watermark)
        .orderBy('position')
        .execute();
      return {
        activities: rows.map(({ activity }) => JSON.parse(activity)),
        watermark: rows.reduce((highest, { revision }) => Math.max(highest, revision), watermark),
      };
    },

    keepFile: async (chatId, id, { name, contentType, content }) => {
      await db.insertInto('chat_file').values({ id, chat_id: chatId, name, content_type: contentType, content }).execute();
    },

    file: async (chatId, id) => {
      const row = await db.selectFrom('chat_file').selectAll().where('id', '=', id).where('chat_id', '=', chatId).executeTakeFirst();
      return row && { name: row.name, contentType: row.content_type, content: row.content };
    },
  };
};
