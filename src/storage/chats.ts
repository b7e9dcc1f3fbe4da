// The chats of our own Direct Line: conversations, and their activities in order, each shown once.
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../platform/database.ts';
import type { Chat, ChatStore, StoredActivity } from './chat-store.ts';
import type { Schema } from './schema.ts';

/** Parameters of one statement. SQLite and Postgres both accept many more. */
const mostNamed = 1_000;

export const makeChatStore = (database: Database<Schema>): ChatStore => {
  const { db, now } = database;
  /** Takes the chat's next revision. The row lock keeps two writers of one chat apart. */
  const nextRevision = (transaction: Transaction<Schema>, chatId: string, bytes = 0) =>
    transaction
      .updateTable('chat')
      .set({ watermark: sql<number>`watermark + 1`, bytes: sql<number>`bytes + cast(${bytes} as bigint)`, active_at: now })
      .where('id', '=', chatId)
      .returning(['watermark', 'bytes'])
      .executeTakeFirst();

  /** Subtracts the bytes of an activity that was not added after all. */
  const release = (transaction: Transaction<Schema>, chatId: string, bytes: number) =>
    transaction
      .updateTable('chat')
      .set({ bytes: sql<number>`bytes - cast(${bytes} as bigint)` })
      .where('id', '=', chatId)
      .execute();

  const get = async (id: string): Promise<Chat | undefined> => {
    const row = await db.selectFrom('chat').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) return undefined;
    const { user_id: userId, watermark, started, ended_at, taken_to: takenTo, heard_at: heardAt } = row;
    return {
      id,
      userId,
      watermark,
      started: started === 1,
      takenTo,
      ...(ended_at !== null && { ended: true }),
      ...(heardAt !== null && { heardAt }),
    };
  };

  const rowIn = (from: Kysely<Schema>, chatId: string, activityId: string) =>
    from
      .selectFrom('chat_activity')
      .select(['activity', 'awaits_turn'])
      .where('chat_id', '=', chatId)
      .where('activity_id', '=', activityId)
      .executeTakeFirst();

  const activityIn = async (from: Kysely<Schema>, chatId: string, activityId: string): Promise<StoredActivity | undefined> => {
    const row = await rowIn(from, chatId, activityId);
    return row && JSON.parse(row.activity);
  };

  const replace: ChatStore['replace'] = (chatId, activityId, change) =>
    db.transaction().execute(async (transaction) => {
      const chat = await nextRevision(transaction, chatId);
      const before = chat && (await activityIn(transaction, chatId, activityId));
      const after = before && change(before);
      if (!after) return false;
      const { numUpdatedRows } = await transaction
        .updateTable('chat_activity')
        .set({ revision: chat.watermark, activity: JSON.stringify(after) })
        .where('chat_id', '=', chatId)
        .where('activity_id', '=', activityId)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    });

  return {
    get,
    replace,

    takeBack: async (chatId, activityId, change) => {
      const changed = await replace(chatId, activityId, change);
      if (changed && database.kind === 'sqlite') await database.forget();
      return changed;
    },

    open: async (id, userId, at) => {
      await db
        .insertInto('chat')
        .values({ id, user_id: userId, watermark: 0, started: 0, created_at: at, active_at: now })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
      return (await get(id)) as Chat;
    },

    end: async (id, userId) => {
      await db
        .insertInto('chat')
        .values({ id, user_id: userId, watermark: 0, started: 0, created_at: now, active_at: now, ended_at: now })
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
      await db.updateTable('chat').set({ started: 1 }).where('id', '=', id).execute();
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

    append: (chatId, activity, { dedupeKey, awaitsTurn = false, bounds } = {}) =>
      db.transaction().execute(async (transaction) => {
        const json = JSON.stringify(activity);
        const size = Buffer.byteLength(json);
        const chat = await nextRevision(transaction, chatId, size);
        if (!chat) return undefined;
        const { watermark: revision, bytes } = chat;
        if (dedupeKey !== undefined) {
          const seen = await transaction
            .selectFrom('chat_activity')
            .select(['activity_id', 'awaits_turn'])
            .where('chat_id', '=', chatId)
            .where('dedupe_key', '=', storable(dedupeKey))
            .executeTakeFirst();
          if (seen) {
            await release(transaction, chatId, size);
            return { id: seen.activity_id, added: false, awaitsTurn: seen.awaits_turn === 1 };
          }
        }
        if (bounds && (bytes > bounds.bytes || revision > bounds.revisions)) {
          await release(transaction, chatId, size);
          return { id: activity.id, added: false, awaitsTurn: false, full: true };
        }
        await transaction
          .insertInto('chat_activity')
          .values({
            chat_id: chatId,
            activity_id: activity.id,
            position: revision,
            revision,
            activity: json,
            dedupe_key: dedupeKey === undefined ? null : storable(dedupeKey),
            awaits_turn: awaitsTurn ? 1 : 0,
          })
          .execute();
        return { id: activity.id, added: true, awaitsTurn };
      }),

    settle: async (chatId, activityId) => {
      await db
        .updateTable('chat_activity')
        .set({ awaits_turn: 0 })
        .where('chat_id', '=', chatId)
        .where('activity_id', '=', activityId)
        .execute();
    },

    activity: (chatId, activityId) => activityIn(db, chatId, activityId),

    awaiting: async (chatId, activityId) => {
      const row = await rowIn(db, chatId, activityId);
      return row?.awaits_turn === 1 ? JSON.parse(row.activity) : undefined;
    },

    page: async (chatId, { since, after, limit, bytes = Number.MAX_SAFE_INTEGER }) => {
      const chat = await get(chatId);
      if (!chat || chat.ended) return undefined;
      // Lengths are read first, then the activities that fit. The watermark is read with them: an activity added
      // between two statements would be shown twice.
      const { rows } = await sql<{ activity: string; position: number; found: number; watermark: number }>`
        select kept.activity, kept.position, part.found, (select watermark from chat where id = ${chatId}) as watermark from (
          select activity_id, sum(size) over (order by position) as total, row_number() over (order by position) as place, count(*) over () as found
          from (
            select activity_id, position, octet_length(activity) as size from chat_activity
            where chat_id = ${chatId} and revision > ${since} and position > ${after} order by position limit ${limit}
          ) as next
        ) as part join chat_activity as kept on kept.chat_id = ${chatId} and kept.activity_id = part.activity_id
        where part.place = 1 or part.total <= ${bytes} order by kept.position`.execute(db);
      return {
        activities: rows.map(({ activity, position }) => ({ position, activity: JSON.parse(activity) })),
        watermark: rows[0]?.watermark ?? chat.watermark,
        more: rows.length === limit || rows.length < (rows[0]?.found ?? 0),
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
