// The statements of our own Direct Line's chats that every turn runs.
import { type Kysely, sql } from 'kysely';
import type { Database } from '../platform/database.ts';
import { prepare } from './prepare.ts';
import type { Schema } from './schema.ts';

interface Named {
  readonly chatId: string;
  readonly activityId: string;
}

/** A new row of an activity; its first revision is its position. */
interface NewRow extends Named {
  readonly activity: string;
  readonly dedupeKey: string | null;
  readonly revision: number;
  readonly awaitsTurn: number;
}

export const chatStatements = ({ db, now }: Database<Schema>) => ({
  chat: prepare(db, (from, { chatId }: Pick<Named, 'chatId'>) => from.selectFrom('chat').selectAll().where('id', '=', chatId)),

  /** Takes the chat's next revisions. The row lock keeps two writers of one chat apart. */
  grow: prepare(db, (to, { chatId, bytes, count }: Pick<Named, 'chatId'> & { readonly bytes: number; readonly count: number }) =>
    to
      .updateTable('chat')
      .set({
        watermark: sql<number>`watermark + cast(${count} as bigint)`,
        bytes: sql<number>`bytes + cast(${bytes} as bigint)`,
        active_at: now,
      })
      .where('id', '=', chatId)
      .returning(['watermark', 'bytes']),
  ),

  find: prepare(db, (from, { chatId, activityId }: Named) =>
    from
      .selectFrom('chat_activity')
      .select(['activity', 'awaits_turn'])
      .where('chat_id', '=', chatId)
      .where('activity_id', '=', activityId),
  ),

  /** What was stored under a key. */
  seen: prepare(db, (from, { chatId, dedupeKey }: Pick<Named, 'chatId'> & { readonly dedupeKey: string }) =>
    from
      .selectFrom('chat_activity')
      .select(['activity_id', 'awaits_turn'])
      .where('chat_id', '=', chatId)
      .where('dedupe_key', '=', dedupeKey),
  ),

  insert: prepare(db, (to, { chatId, activityId, activity, dedupeKey, revision, awaitsTurn }: NewRow) =>
    to
      .insertInto('chat_activity')
      .values({
        chat_id: chatId,
        activity_id: activityId,
        position: revision,
        revision,
        activity,
        dedupe_key: dedupeKey,
        awaits_turn: awaitsTurn,
      })
      .onConflict((conflict) => conflict.columns(['chat_id', 'dedupe_key']).doNothing()),
  ),

  change: prepare(db, (to, { chatId, activityId, activity, revision }: Named & Pick<NewRow, 'activity' | 'revision'>) =>
    to.updateTable('chat_activity').set({ revision, activity }).where('chat_id', '=', chatId).where('activity_id', '=', activityId),
  ),

  settle: prepare(db, (to, { chatId, activityId }: Named) =>
    to
      .updateTable('chat_activity')
      .set({ awaits_turn: sql.lit(0) })
      .where('chat_id', '=', chatId)
      .where('activity_id', '=', activityId),
  ),
});

export type ChatStatements = ReturnType<typeof chatStatements>;

/** Stores an activity, unless one is stored under its key. Whether it did. */
export const insertedAt = async ({ insert }: ChatStatements, transaction: Kysely<Schema>, row: NewRow): Promise<boolean> =>
  (await insert(transaction, row)).numAffectedRows === 1n;
