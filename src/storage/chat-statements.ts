// The statements that every turn runs on the chats of our own Direct Line.
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { Database } from '../platform/database.ts';
import type { PageRequest } from './chat-store.ts';
import type { PackedActivity } from './packing.ts';
import type { Schema } from './schema.ts';

interface OfChat {
  readonly chatId: string;
}

interface Named extends OfChat {
  readonly activityId: string;
}

interface Placed {
  readonly chatNumber: number;
  readonly position: number;
}

/** A new row of an activity; its first revision is its position. */
interface NewRow extends Placed, Omit<PackedActivity, 'card'> {
  readonly activityId: string;
  readonly dedupeKey: string | null;
  readonly awaitsTurn: number;
}

type ChangedRow = Pick<NewRow, 'activityId' | 'chatNumber'> & Omit<PackedActivity, 'card'> & { readonly revision: number };

/** Which part of a chat to read. */
type Part = Required<PageRequest>;

/** An activity in that part, if it fits. */
interface Fitting {
  readonly chat_number: number;
  readonly activity_id: string;
  readonly total: number;
  readonly place: number;
  readonly found: number;
}

const activityColumns = ['chat_activity.activity_id', 'chat_activity.position', 'said_by', 'said_at', 'activity', 'card'] as const;

const hour = 3_600_000;

export const chatStatements = ({ now }: Pick<Database<Schema>, 'now'>) => {
  const numberOf =
    ({ chatId }: OfChat) =>
    (within: ExpressionBuilder<Schema, 'chat_activity'>) =>
      within.selectFrom('chat').select('chat.number').where('chat.id', '=', chatId);

  return {
    chat: (from: Kysely<Schema>, { chatId }: OfChat) => from.selectFrom('chat').selectAll().where('id', '=', chatId),

    /** Takes the chat's next revisions. The row lock separates two writers of one chat. */
    grow: (to: Kysely<Schema>, { chatId, bytes, count }: OfChat & { readonly bytes: number; readonly count: number }) =>
      to
        .updateTable('chat')
        .set({
          watermark: sql<number>`watermark + cast(${count} as bigint)`,
          bytes: sql<number>`bytes + cast(${bytes} as bigint)`,
        })
        .where('id', '=', chatId)
        .returning(['number', 'user_id', 'sides', 'watermark', 'bytes'])
        .returning(sql<number>`case when active_at < ${now} - ${sql.lit(hour)} then 1 else 0 end`.as('idle')),

    /** Records that something is said in the chat. */
    touch: (to: Kysely<Schema>, { chatId }: OfChat) => to.updateTable('chat').set({ active_at: now }).where('id', '=', chatId),

    /** An activity, without its cards. */
    find: (from: Kysely<Schema>, { chatId, activityId }: Named) =>
      from
        .selectFrom('chat')
        .innerJoin('chat_activity', 'chat_number', 'chat.number')
        .select(['user_id', 'sides', 'activity_id', 'position', 'said_by', 'said_at', 'activity', 'awaits_turn'])
        .where('chat.id', '=', chatId)
        .where('activity_id', '=', activityId),

    /** The activities that await their turn, without their cards. */
    awaitingIn: (from: Kysely<Schema>, { chatId }: OfChat) =>
      from
        .selectFrom('chat')
        .innerJoin('chat_activity', 'chat_number', 'chat.number')
        .select(['user_id', 'sides', 'activity_id', 'position', 'said_by', 'said_at', 'activity'])
        .where('chat.id', '=', chatId)
        .where('awaits_turn', '=', sql.lit(1))
        .orderBy('position'),

    /**
     * A part of a chat, for chats whose whole content fits, with the chat's own columns: at least one row. The limit is
     * ten times the size of a usual conversation, and adding up sizes would take longer than the rest.
     */
    page: (from: Kysely<Schema>, { chatId, since, after, limit, bytes }: OfChat & Part) =>
      from
        .selectFrom('chat')
        .leftJoin('chat_activity', (join) =>
          join
            .onRef('chat_activity.chat_number', '=', 'chat.number')
            .on('chat.bytes', '<=', bytes)
            .on('chat_activity.revision', '>', since)
            .on('chat_activity.position', '>', after),
        )
        .leftJoin('chat_card', (join) =>
          join.onRef('chat_card.chat_number', '=', 'chat_activity.chat_number').onRef('chat_card.position', '=', 'chat_activity.position'),
        )
        .select(['user_id', 'sides', 'watermark', 'ended_at', 'bytes', sql<number | null>`null`.as('found')])
        .select(activityColumns)
        .where('chat.id', '=', chatId)
        .orderBy('chat_activity.position')
        .limit(limit),

    /**
     * The same for any chat: adds up the sizes, then reads the activities that fit. Both in one statement, since
     * activities added between two statements would be shown twice.
     */
    fittingPage: (from: Kysely<Schema>, { chatId, since, after, limit, bytes }: OfChat & Part) =>
      from
        .selectFrom('chat')
        .leftJoin(
          sql<Fitting>`(
            select chat_number, activity_id, sum(size) over (order by position) as total,
              row_number() over (order by position) as place, count(*) over () as found
            from (
              select chat_number, activity_id, position, size from chat_activity
              where chat_number = (select number from chat where id = ${chatId}) and revision > ${since} and position > ${after}
              order by position limit ${limit}
            ) as next
          )`.as('part'),
          (join) => join.onRef('part.chat_number', '=', 'chat.number').on(sql<boolean>`(part.place = 1 or part.total <= ${bytes})`),
        )
        .leftJoin('chat_activity', (join) =>
          join.onRef('chat_activity.chat_number', '=', 'part.chat_number').onRef('chat_activity.activity_id', '=', 'part.activity_id'),
        )
        .leftJoin('chat_card', (join) =>
          join.onRef('chat_card.chat_number', '=', 'part.chat_number').onRef('chat_card.position', '=', 'chat_activity.position'),
        )
        .select(['user_id', 'sides', 'watermark', 'ended_at', 'bytes', 'found'])
        .select(activityColumns)
        .where('chat.id', '=', chatId)
        .orderBy('chat_activity.position'),

    /** The activity stored under a key. */
    seen: (from: Kysely<Schema>, { chatId, dedupeKey }: OfChat & { readonly dedupeKey: string }) =>
      from
        .selectFrom('chat_activity')
        .select(['activity_id', 'awaits_turn'])
        .where('chat_number', '=', numberOf({ chatId }))
        .where('dedupe_key', '=', dedupeKey),

    insert: (to: Kysely<Schema>, row: NewRow) =>
      to
        .insertInto('chat_activity')
        .values({
          chat_number: row.chatNumber,
          activity_id: row.activityId,
          position: row.position,
          revision: row.position,
          said_by: row.saidBy,
          said_at: row.saidAt,
          size: row.size,
          activity: row.activity,
          dedupe_key: row.dedupeKey,
          awaits_turn: row.awaitsTurn,
        })
        .onConflict((conflict) => conflict.columns(['chat_number', 'dedupe_key']).doNothing()),

    change: (to: Kysely<Schema>, { chatNumber, activityId, revision, saidBy, saidAt, size, activity }: ChangedRow) =>
      to
        .updateTable('chat_activity')
        .set({ revision, said_by: saidBy, said_at: saidAt, size, activity })
        .where('chat_number', '=', chatNumber)
        .where('activity_id', '=', activityId),

    keepCard: (to: Kysely<Schema>, { chatNumber, position, card }: Placed & { readonly card: Uint8Array }) =>
      to
        .insertInto('chat_card')
        .values({ chat_number: chatNumber, position, card })
        .onConflict((conflict) => conflict.columns(['chat_number', 'position']).doUpdateSet({ card })),

    dropCard: (from: Kysely<Schema>, { chatNumber, position }: Placed) =>
      from.deleteFrom('chat_card').where('chat_number', '=', chatNumber).where('position', '=', position),

    start: (to: Kysely<Schema>, { chatId }: OfChat) =>
      to
        .updateTable('chat')
        .set({ started: sql.lit(1) })
        .where('id', '=', chatId),

    settle: (to: Kysely<Schema>, { chatId, activityId }: Named) =>
      to
        .updateTable('chat_activity')
        .set({ awaits_turn: sql.lit(0) })
        .where('chat_number', '=', numberOf({ chatId }))
        .where('activity_id', '=', activityId),
  };
};

export type ChatStatements = ReturnType<typeof chatStatements>;
