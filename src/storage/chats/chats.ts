// The chats of our own Direct Line: conversations, and their activities in order, each shown once.
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import type { Schema } from '../schema.ts';
import { changeAt, chatIn, digestOf, growChat, insertAt } from './chat-rows.ts';
import type { ChatStatements } from './chat-statements.ts';
import type { Appended, Chat, ChatStore, StoredActivity } from './chat-store.ts';
import type { ChatTurn } from './chat-turns.ts';
import type { ChatTurns } from './running-turns.ts';

/** Parameters of one statement. SQLite and Postgres both accept many more. */
const mostNamed = 1_000;

export const makeChatStore = (database: Database<Schema>, statements: ChatStatements, turns: ChatTurns): ChatStore => {
  const { db, now } = database;
  /** The next number of a chat. The embedded database has one writer at a time. */
  const nextNumber = database.kind === 'postgres' ? sql<number>`default` : sql<number>`(select coalesce(max(number), 0) + 1 from chat)`;

  /** Subtracts the bytes of an activity that was not added in the end. */
  const release = (transaction: Transaction<Schema>, chatId: string, bytes: number) =>
    transaction
      .updateTable('chat')
      .set({ bytes: sql<number>`bytes - cast(${bytes} as bigint)` })
      .where('id', '=', chatId)
      .execute();

  const get = async (id: string): Promise<Chat | undefined> => {
    const row = (await statements.chat(db, { chatId: id })).rows[0];
    return row && chatIn(row);
  };

  const rowIn = async (from: Kysely<Schema>, chatId: string, activityId: string) =>
    (await statements.find(from, { chatId, activityId })).rows[0];

  const replaceNow: ChatStore['replace'] = (chatId, activityId, change) =>
    db.transaction().execute(async (transaction) => {
      const chat = await growChat(statements, transaction, { chatId, bytes: 0, count: 1 });
      const row = chat && (await rowIn(transaction, chatId, activityId));
      const activity = row && change(JSON.parse(row.activity));
      if (!activity) return false;
      return changeAt(statements, transaction, { chatNumber: chat.number, revision: chat.watermark }, { activityId, activity });
    });

  const seenUnder = async (from: Kysely<Schema>, chatId: string, dedupeKey: string): Promise<Appended | undefined> => {
    const [seen] = (await statements.seen(from, { chatId, dedupeKey })).rows;
    return seen && { id: seen.activity_id, added: false, awaitsTurn: seen.awaits_turn === 1 };
  };

  /** Adds a message of the bot to the writes of its turn. */
  const gatherIn = async (turn: ChatTurn, activity: StoredActivity, key: string | undefined): Promise<Appended> => {
    const dedupeKey = digestOf(key);
    if (key !== undefined && dedupeKey !== null) {
      const said = turn.said(dedupeKey);
      if (said) return { id: said.activity.id, added: false, awaitsTurn: false };
      const seen = turn.mayRepeat(key) && (await seenUnder(db, turn.chat.id, dedupeKey));
      if (seen) return seen;
    }
    turn.add({ activity, json: JSON.stringify(activity), dedupeKey });
    return { id: activity.id, added: true, awaitsTurn: false };
  };

  return {
    get,

    gather: turns.gather,
    turnIn: turns.in,

    replace: async (chatId, activityId, change) => {
      const turn = turns.in(chatId);
      if (!turn) return replaceNow(chatId, activityId, change);
      if (turn.holds(activityId)) await turn.flush();
      const row = await rowIn(db, chatId, activityId);
      const activity = row && change(JSON.parse(row.activity));
      if (!activity) return false;
      turn.change({ activityId, activity, position: row.position });
      // The turn may have ended meanwhile, and then writes no more.
      if (turns.in(chatId) !== turn) await turn.flush();
      return true;
    },

    takeBack: async (chatId, activityId, change) => {
      const turn = turns.in(chatId);
      if (turn?.holds(activityId)) await turn.flush();
      const changed = await replaceNow(chatId, activityId, change);
      if (changed && database.kind === 'sqlite') await database.forget();
      return changed;
    },

    open: async (id, userId, at) => {
      await db
        .insertInto('chat')
        .values({ id, number: nextNumber, user_id: userId, watermark: 0, started: 0, created_at: at, active_at: now })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
      return (await get(id)) as Chat;
    },

    end: async (id, userId) => {
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

    start: async (id) => {
      await statements.start(db, { chatId: id });
    },

    hear: async (id, at) => {
      await db.updateTable('chat').set({ heard_at: at }).where('id', '=', id).execute();
    },

    takeOn: async (id, from, to) => {
      const { numUpdatedRows } = await db
        .updateTable('chat')
        .set({ taken_to: to })
        .where('id', '=', id)
        .where('taken_to', '=', from)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },

    append: async (chatId, activity, { dedupeKey: key, awaitsTurn = false, bounds } = {}) => {
      const turn = awaitsTurn ? undefined : turns.in(chatId);
      if (turn) return gatherIn(turn, activity, key);
      const dedupeKey = digestOf(key);
      return db.transaction().execute(async (transaction) => {
        const json = JSON.stringify(activity);
        const size = Buffer.byteLength(json);
        const chat = await growChat(statements, transaction, { chatId, bytes: size, count: 1 });
        if (!chat) return undefined;
        const { watermark: revision, bytes } = chat;
        const full = bounds && (bytes > bounds.bytes || revision > bounds.revisions);
        if (!full) {
          const row = { activity, json, dedupeKey, awaitsTurn: awaitsTurn ? 1 : 0 } as const;
          const added = await insertAt(statements, transaction, { chatNumber: chat.number, revision }, row);
          const stored = { since: revision - 1, watermark: revision, activities: [{ position: revision, activity }] };
          if (added) return { id: activity.id, added, awaitsTurn, stored };
        }
        await release(transaction, chatId, size);
        const seen = dedupeKey === null ? undefined : await seenUnder(transaction, chatId, dedupeKey);
        return seen ?? { id: activity.id, added: false, awaitsTurn: false, full: true };
      });
    },

    settle: async (chatId, activityId) => {
      await statements.settle(db, { chatId, activityId });
    },

    has: async (chatId, activityId) => (await rowIn(db, chatId, activityId)) !== undefined,

    awaiting: async (chatId, activityId) => {
      const row = await rowIn(db, chatId, activityId);
      return row?.awaits_turn === 1 ? JSON.parse(row.activity) : undefined;
    },

    awaitingIn: async (chatId) => {
      const { rows } = await statements.awaitingIn(db, { chatId });
      return rows.map(({ activity }) => JSON.parse(activity));
    },

    page: async (chatId, { since, after, limit, bytes = Number.MAX_SAFE_INTEGER }) => {
      const { rows } = await statements.page(db, { chatId, since, after, limit, bytes });
      const chat = rows[0];
      if (!chat || chat.ended_at !== null) return undefined;
      const activities = rows.flatMap(({ activity, position }) =>
        activity === null || position === null ? [] : [{ position, activity: JSON.parse(activity) }],
      );
      return {
        activities,
        watermark: chat.watermark,
        more: activities.length === limit || activities.length < (chat.found ?? 0),
      };
    },

    watermarks: async (ids) => {
      const found = new Map<string, number>();
      for (let start = 0; start < ids.length; start += mostNamed) {
        const named = ids.slice(start, start + mostNamed);
        const rows = await db.selectFrom('chat').select(['id', 'watermark']).where('id', 'in', named).execute();
        for (const { id, watermark } of rows) found.set(id, watermark);
      }
      return found;
    },

    keepFile: async (chatId, id, { name, contentType, content }) => {
      await db
        .insertInto('chat_file')
        .values({ id, chat_id: chatId, name: storable(name), content_type: storable(contentType), content })
        .execute();
    },

    file: async (chatId, id) => {
      const row = await db.selectFrom('chat_file').selectAll().where('id', '=', id).where('chat_id', '=', chatId).executeTakeFirst();
      return row && { name: row.name, contentType: row.content_type, content: bytes(row.content) };
    },

    countFiles: async (chatId) =>
      (
        await db
          .selectFrom('chat_file')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('chat_id', '=', chatId)
          .executeTakeFirstOrThrow()
      ).count,
  };
};

/** A client's text for Postgres, which stores no NUL. Text inside JSON needs none of this: NUL is an escape there. */
const storable = (text: string) => text.replaceAll('\0', '\uFFFD');

/** The same bytes from either driver: one returns Buffers. */
const bytes = ({ buffer, byteOffset, byteLength }: Uint8Array) => new Uint8Array(buffer, byteOffset, byteLength);
