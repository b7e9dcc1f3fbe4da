// The statements that every turn runs on the chats of our own Direct Line.
import { type ExpressionBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { prepareStatement } from '../../platform/database/prepared-statement.ts';
import type { Schema } from '../schema.ts';
import type { PageRequest } from './chat-store.ts';

interface OfChat {
  readonly chatId: string;
}

interface Named extends OfChat {
  readonly activityId: string;
}

/** A new row of an activity; its first revision is its position. */
interface NewRow {
  readonly chatNumber: number;
  readonly activityId: string;
  readonly position: number;
  readonly activity: string;
  readonly dedupeKey: string | null;
  readonly awaitsTurn: number;
}

type ChangedRow = Pick<NewRow, 'activity' | 'activityId' | 'chatNumber'> & { readonly revision: number };

/** Which part of a chat to read. */
type Part = Required<PageRequest>;

/** An activity in that part, if it fits. */
interface Fitting {
  readonly chat_number: number;
  readonly position: number;
  readonly activity: string;
  readonly total: number;
  readonly place: number;
  readonly found: number;
}

const hour = 3_600_000;

export const chatStatements = ({ db, now }: Database<Schema>) => {
  const numberOf =
    ({ chatId }: OfChat) =>
    (within: ExpressionBuilder<Schema, 'chat_activity'>) =>
      within.selectFrom('chat').select('chat.number').where('chat.id', '=', chatId);

  return {
    chat: prepareStatement(db, (from, { chatId }: OfChat) => from.selectFrom('chat').selectAll().where('id', '=', chatId)),

    /** Takes the chat's next revisions. The row lock separates two writers of one chat. */
    grow: prepareStatement(db, (to, { chatId, bytes, count }: OfChat & { readonly bytes: number; readonly count: number }) =>
      to
        .updateTable('chat')
        .set({
          watermark: sql<number>`watermark + cast(${count} as bigint)`,
          bytes: sql<number>`bytes + cast(${bytes} as bigint)`,
        })
        .where('id', '=', chatId)
        .returning(['number', 'watermark', 'bytes'])
        .returning(sql<number>`case when active_at < ${now} - ${sql.lit(hour)} then 1 else 0 end`.as('idle')),
    ),

    /** Records that something is said in the chat. */
    touch: prepareStatement(db, (to, { chatId }: OfChat) => to.updateTable('chat').set({ active_at: now }).where('id', '=', chatId)),

    /** An activity. */
    find: prepareStatement(db, (from, { chatId, activityId }: Named) =>
      from
        .selectFrom('chat')
        .innerJoin('chat_activity', 'chat_number', 'chat.number')
        .select(['activity_id', 'position', 'activity', 'awaits_turn'])
        .where('chat.id', '=', chatId)
        .where('activity_id', '=', activityId),
    ),

    /** The activities that await their turn. */
    awaitingIn: prepareStatement(db, (from, { chatId }: OfChat) =>
      from
        .selectFrom('chat')
        .innerJoin('chat_activity', 'chat_number', 'chat.number')
        .select(['activity_id', 'activity'])
        .where('chat.id', '=', chatId)
        .where('awaits_turn', '=', sql.lit(1))
        .orderBy('position'),
    ),

    /**
     * A part of a chat, with the chat's own columns: at least one row. Sizes are added up and the activities that fit are
     * read in one statement, since activities added between two would be shown twice.
     */
    page: prepareStatement(db, (from, { chatId, since, after, limit, bytes }: OfChat & Part) =>
      from
        .selectFrom('chat')
        .leftJoin(
          sql<Fitting>`(
            select chat_number, position, activity, sum(octet_length(activity)) over (order by position) as total,
              row_number() over (order by position) as place, count(*) over () as found
            from (
              select chat_number, position, activity from chat_activity
              where chat_number = (select number from chat where id = ${chatId}) and revision > ${since} and position > ${after}
              order by position limit ${limit}
            ) as next
          )`.as('part'),
          (join) => join.onRef('part.chat_number', '=', 'chat.number').on(sql<boolean>`(part.place = 1 or part.total <= ${bytes})`),
        )
        .select(['watermark', 'ended_at', 'found', 'part.position', 'part.activity'])
        .where('chat.id', '=', chatId)
        .orderBy('part.position'),
    ),

    /** The activity stored under a key. */
    seen: prepareStatement(db, (from, { chatId, dedupeKey }: OfChat & { readonly dedupeKey: string }) =>
      from
        .selectFrom('chat_activity')
        .select(['activity_id', 'awaits_turn'])
        .where('chat_number', '=', numberOf({ chatId }))
        .where('dedupe_key', '=', dedupeKey),
    ),

    insert: prepareStatement(db, (to, row: NewRow) =>
      to
        .insertInto('chat_activity')
        .values({
          chat_number: row.chatNumber,
          activity_id: row.activityId,
          position: row.position,
          revision: row.position,
          activity: row.activity,
          dedupe_key: row.dedupeKey,
          awaits_turn: row.awaitsTurn,
        })
        .onConflict((conflict) => conflict.columns(['chat_number', 'dedupe_key']).doNothing()),
    ),

    change: prepareStatement(db, (to, { chatNumber, activityId, revision, activity }: ChangedRow) =>
      to
        .updateTable('chat_activity')
        .set({ revision, activity })
        .where('chat_number', '=', chatNumber)
        .where('activity_id', '=', activityId),
    ),

    start: prepareStatement(db, (to, { chatId }: OfChat) =>
      to
        .updateTable('chat')
        .set({ started: sql.lit(1) })
        .where('id', '=', chatId),
    ),

    settle: prepareStatement(db, (to, { chatId, activityId }: Named) =>
      to
        .updateTable('chat_activity')
        .set({ awaits_turn: sql.lit(0) })
        .where('chat_number', '=', numberOf({ chatId }))
        .where('activity_id', '=', activityId),
    ),
  };
};

export type ChatStatements = ReturnType<typeof chatStatements>;
