// The chats of our own Direct Line: conversations, and their activities in order, each shown once.
import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import type { Schema } from '../schema.ts';
import { type Chat, type ChatRows, digestOf, type PageRequest, type StoredActivity, type StoredPart } from './chat-rows.ts';
import type { RunningTurns } from './running-turns.ts';

/** How much a chat may contain before it accepts no more. `revisions`: posts and updates. */
export type ChatBounds = { readonly bytes: number; readonly revisions: number };

/** The files customers upload. */
export type ChatFile = { readonly name: string; readonly contentType: string; readonly content: Uint8Array };

export interface AppendOptions {
  /** An activity under a key that the chat has seen is not added. */
  readonly dedupeKey?: string | undefined;
  /** The bot's turn for this activity is yet to come; settling it marks it as done. */
  readonly awaitsTurn?: boolean;
  /** A chat that contains more accepts no more. Unset: no limit. */
  readonly bounds?: ChatBounds | undefined;
}

/**
 * The result of an append: the new activity's id, or the id of the first one under the same key, and whether that one
 * still awaits its turn.
 */
export interface Appended {
  readonly id: string;
  readonly added: boolean;
  readonly awaitsTurn: boolean;
  /** The chat is full: nothing was added, and `id` is unused. */
  readonly full?: true;
  /** What was added, if it is stored. */
  readonly stored?: StoredPart;
}

/** The new content of an activity; `undefined`: it stays as it is. */
type Change = (before: StoredActivity) => StoredActivity | undefined;

/** Parameters of one statement. SQLite and Postgres both accept many more. */
const maxNamed = 1_000;

export type ChatStore = ReturnType<typeof makeChatStore>;

export const makeChatStore = (database: Database<Schema>, rows: ChatRows, turns: RunningTurns) => {
  const { db, now } = database;
  /** The next number of a chat. The embedded database has one writer at a time. */
  const nextNumber = database.kind === 'postgres' ? sql<number>`default` : sql<number>`(select coalesce(max(number), 0) + 1 from chat)`;

  const replaceNow = (chatId: string, activityId: string, change: Change): Promise<boolean> =>
    db.transaction().execute(async (transaction) => {
      const chat = await rows.grow(transaction, chatId, 0, 1);
      const row = chat && (await rows.find(transaction, chatId, activityId));
      const activity = row && change(JSON.parse(row.activity));
      return activity ? rows.change(transaction, { chatNumber: chat.number, revision: chat.watermark }, activityId, activity) : false;
    });

  return {
    get: rows.get,

    /**
     * Gathers the writes of the bot's turn for an activity, from the reading of its state until its end. What it says and
     * changes in the chat is stored in one transaction with its state (`BotStateStore.write`), which settles the activity
     * too. In a turn that takes long, what was said is stored earlier.
     */
    gather: turns.gather,
    /** The turn whose writes are gathered in this chat. */
    turnIn: turns.in,

    /**
     * Replaces an activity in place by the result of `change`; for watermarks it counts as new. `false`: there is no such
     * id, or `change` returned `undefined`. In a turn whose writes are gathered, it is stored with them.
     */
    replace: async (chatId: string, activityId: string, change: Change): Promise<boolean> => {
      const turn = turns.in(chatId);
      if (!turn) return replaceNow(chatId, activityId, change);
      if (turn.holds(activityId)) await turn.flush();
      const row = await rows.find(db, chatId, activityId);
      const activity = row && change(JSON.parse(row.activity));
      if (!activity) return false;
      turn.change({ activity: { ...activity, id: activityId }, position: row.position });
      // The turn may have ended meanwhile, and then writes no more.
      if (turns.in(chatId) !== turn) await turn.flush();
      return true;
    },

    /** Like `replace`; afterwards no file of an embedded database contains the replaced content. */
    takeBack: async (chatId: string, activityId: string, change: Change): Promise<boolean> => {
      const turn = turns.in(chatId);
      if (turn?.holds(activityId)) await turn.flush();
      const changed = await replaceNow(chatId, activityId, change);
      if (changed && database.kind === 'sqlite') await database.forget();
      return changed;
    },

    /** Opens a chat; repeating it changes nothing. Returns the chat as it is. */
    open: async (id: string, userId: string, at: number): Promise<Chat> => {
      await db
        .insertInto('chat')
        .values({ id, number: nextNumber, user_id: userId, watermark: 0, started: 0, created_at: at, active_at: now })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
      return (await rows.get(id)) as Chat;
    },

    /** Ends a user's chat for good, even one that was never opened. Another user's chat stays as it is. */
    end: async (id: string, userId: string): Promise<void> => {
      const row = { id, number: nextNumber, user_id: userId, watermark: 0, started: 0, created_at: now, active_at: now, ended_at: now };
      await db
        .insertInto('chat')
        .values(row)
        // Listeners look when the watermark moves.
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet({ ended_at: now, watermark: sql<number>`chat.watermark + 1` })
            .where('chat.user_id', '=', userId)
            .where('chat.ended_at', 'is', null),
        )
        .execute();
    },

    /** Records that the bot was told about the chat. */
    start: async (chatId: string): Promise<void> => {
      await rows.start(db, { chatId });
    },

    /** Records that a call's gateway was heard of. */
    hear: async (id: string, at: number): Promise<void> => {
      await db.updateTable('chat').set({ heard_at: at }).where('id', '=', id).execute();
    },

    /**
     * Records that a call's gateway takes the messages from one position up to another. `false`: another request has
     * taken from there.
     */
    takeOn: async (id: string, from: number, to: number): Promise<boolean> => {
      const { numUpdatedRows } = await db
        .updateTable('chat')
        .set({ taken_to: to })
        .where('id', '=', id)
        .where('taken_to', '=', from)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },

    /** Adds an activity at the end. `undefined`: the chat does not exist. */
    append: async (
      chatId: string,
      activity: StoredActivity,
      { dedupeKey: key, awaitsTurn = false, bounds }: AppendOptions = {},
    ): Promise<Appended | undefined> => {
      const turn = awaitsTurn ? undefined : turns.in(chatId);
      if (turn) return { ...(await turn.say(activity, key)), awaitsTurn: false };
      const dedupeKey = digestOf(key);
      return db.transaction().execute(async (transaction) => {
        const json = JSON.stringify(activity);
        const size = Buffer.byteLength(json);
        const chat = await rows.grow(transaction, chatId, size, 1);
        if (!chat) return undefined;
        const { watermark: revision, bytes } = chat;
        const full = bounds && (bytes > bounds.bytes || revision > bounds.revisions);
        const row = { activity, json, dedupeKey, awaitsTurn };
        if (!full && (await rows.insert(transaction, { chatNumber: chat.number, revision }, row))) {
          const stored = { since: revision - 1, watermark: revision, activities: [{ position: revision, activity }] };
          return { id: activity.id, added: true, awaitsTurn, stored };
        }
        // It was not added in the end.
        await rows.grow(transaction, chatId, -size, 0);
        const seen = dedupeKey === null ? undefined : await rows.seen(transaction, chatId, dedupeKey);
        return seen
          ? { id: seen.activity_id, added: false, awaitsTurn: seen.awaits_turn === 1 }
          : { id: activity.id, added: false, awaitsTurn: false, full: true as const };
      });
    },

    /** Records that the bot's turn for an activity is done. */
    settle: async (chatId: string, activityId: string): Promise<void> => {
      await rows.settle(db, { chatId, activityId });
    },

    /** Whether the activity exists. */
    has: async (chatId: string, activityId: string) => (await rows.find(db, chatId, activityId)) !== undefined,

    /** A customer's activity that still awaits its turn. */
    awaiting: async (chatId: string, activityId: string): Promise<StoredActivity | undefined> => {
      const row = await rows.find(db, chatId, activityId);
      return row?.awaits_turn === 1 ? JSON.parse(row.activity) : undefined;
    },

    /** All of them in a chat, oldest first. */
    awaitingIn: async (chatId: string): Promise<StoredActivity[]> =>
      (await rows.awaitingIn(db, { chatId })).rows.map(({ activity }) => JSON.parse(activity)),

    /**
     * A part of the conversation in its order, the chat's watermark at that moment, and whether there is `more`: a reader
     * of every page up to the end has seen everything up to that watermark. `undefined`: the chat does not exist, or was
     * ended.
     */
    page: async (chatId: string, { since, after, limit, bytes = Number.MAX_SAFE_INTEGER }: PageRequest) => {
      const { rows: found } = await rows.page(db, { chatId, since, after, limit, bytes });
      const [chat] = found;
      if (!chat || chat.ended_at !== null) return undefined;
      const activities = found.flatMap(({ activity, position }) =>
        activity === null || position === null ? [] : [{ position, activity: JSON.parse(activity) as StoredActivity }],
      );
      return {
        activities,
        watermark: chat.watermark,
        more: activities.length === limit || activities.length < (chat.found ?? 0),
      };
    },

    /** The watermarks of those of the chats that exist, by id. */
    watermarks: async (ids: readonly string[]): Promise<ReadonlyMap<string, number>> => {
      const found = new Map<string, number>();
      for (let start = 0; start < ids.length; start += maxNamed) {
        const named = ids.slice(start, start + maxNamed);
        const known = await db.selectFrom('chat').select(['id', 'watermark']).where('id', 'in', named).execute();
        for (const { id, watermark } of known) found.set(id, watermark);
      }
      return found;
    },

    keepFile: async (chatId: string, id: string, { name, contentType, content }: ChatFile): Promise<void> => {
      await db
        .insertInto('chat_file')
        .values({ id, chat_id: chatId, name: storable(name), content_type: storable(contentType), content })
        .execute();
    },

    file: async (chatId: string, id: string): Promise<ChatFile | undefined> => {
      const row = await db.selectFrom('chat_file').selectAll().where('id', '=', id).where('chat_id', '=', chatId).executeTakeFirst();
      return row && { name: row.name, contentType: row.content_type, content: bytes(row.content) };
    },

    countFiles: async (chatId: string): Promise<number> => {
      const files = db.selectFrom('chat_file').where('chat_id', '=', chatId);
      return (await files.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count;
    },
  };
};

/** A client's text for Postgres, which stores no NUL. Text inside JSON needs none of this: NUL is an escape there. */
const storable = (text: string) => text.replaceAll('\0', '\uFFFD');

/** The same bytes from either driver: one returns Buffers. */
const bytes = ({ buffer, byteOffset, byteLength }: Uint8Array) => new Uint8Array(buffer, byteOffset, byteLength);
