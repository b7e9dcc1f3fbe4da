// The chats of our own Direct Line as rows, and the statements that every turn runs on them, each compiled once.
import { hash } from 'node:crypto';
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { prepareStatement } from '../../platform/database/prepared-statement.ts';
import type { Schema } from '../schema.ts';

export interface Chat {
  readonly id: string;
  readonly userId: string;
  /** The highest revision so far; 0 in a new chat. No position is ever above it. */
  readonly watermark: number;
  /** Whether the bot was told that the chat began. */
  readonly started: boolean;
  /** Whether the customer ended it: nobody can speak or listen in it any more. */
  readonly ended?: true;
  /** Of a call: the position up to which its gateway has taken the bot's messages. */
  readonly takenTo: number;
  /** Of a call: when its gateway was last heard of, epoch milliseconds. */
  readonly heardAt?: number;
}

/** A stored activity: JSON with an `id`. */
export type StoredActivity = { readonly id: string; readonly [field: string]: unknown };

/** An activity with its place in the conversation, which an update does not change. */
export interface PlacedActivity {
  readonly position: number;
  readonly activity: StoredActivity;
}

/** What was stored in one step: everything that changed in a chat between two of its watermarks. */
export interface StoredPart {
  readonly since: number;
  readonly watermark: number;
  /** In the order of the conversation. */
  readonly activities: readonly PlacedActivity[];
}

/** An activity to be stored, also as JSON. */
export interface NewActivity {
  readonly activity: StoredActivity;
  readonly json: string;
  readonly dedupeKey: string | null;
  readonly awaitsTurn?: boolean;
}

/** Which part of a conversation to read. */
export interface PageRequest {
  /** Only changes after this watermark. */
  readonly since: number;
  /** Only activities after this position. */
  readonly after: number;
  readonly limit: number;
  /** Bytes of activities; a larger activity comes alone. Unset: no limit. */
  readonly bytes?: number;
}

/** The place of a chat's next revision. */
type Next = { readonly chatNumber: number; readonly revision: number };
type InChat = { readonly chatId: string };
type Named = InChat & { readonly activityId: string };

const hour = 3_600_000;

/** A key as it is stored: of fixed length, whatever a client chooses, and long enough to be unique in a chat. */
export const digestOf = (key: string | undefined): string | null =>
  key === undefined ? null : hash('sha256', key.replaceAll('\0', '\uFFFD'), 'base64url').slice(0, 16);

export type ChatRows = ReturnType<typeof makeChatRows>;

export const makeChatRows = ({ db, now }: Database<Schema>) => {
  const numberOf =
    ({ chatId }: InChat) =>
    (within: ExpressionBuilder<Schema, 'chat_activity'>) =>
      within.selectFrom('chat').select('chat.number').where('chat.id', '=', chatId);

  const chat = prepareStatement(db, (from, { chatId }: InChat) => from.selectFrom('chat').selectAll().where('id', '=', chatId));

  const grow = prepareStatement(db, (to, { chatId, bytes, count }: InChat & { readonly bytes: number; readonly count: number }) =>
    to
      .updateTable('chat')
      .set({ watermark: sql<number>`watermark + cast(${count} as bigint)`, bytes: sql<number>`bytes + cast(${bytes} as bigint)` })
      .where('id', '=', chatId)
      .returning(['number', 'watermark', 'bytes'])
      .returning(sql<number>`case when active_at < ${now} - ${sql.lit(hour)} then 1 else 0 end`.as('idle')),
  );
  const touch = prepareStatement(db, (to, { chatId }: InChat) => to.updateTable('chat').set({ active_at: now }).where('id', '=', chatId));

  const find = prepareStatement(db, (from, { chatId, activityId }: Named) =>
    from
      .selectFrom('chat')
      .innerJoin('chat_activity', 'chat_number', 'chat.number')
      .select(['activity_id', 'position', 'activity', 'awaits_turn'])
      .where('chat.id', '=', chatId)
      .where('activity_id', '=', activityId),
  );

  const seen = prepareStatement(db, (from, { chatId, dedupeKey }: InChat & { readonly dedupeKey: string }) =>
    from
      .selectFrom('chat_activity')
      .select(['activity_id', 'awaits_turn'])
      .where('chat_number', '=', numberOf({ chatId }))
      .where('dedupe_key', '=', dedupeKey),
  );

  const insert = prepareStatement(
    db,
    (to, row: Next & { readonly id: string; readonly json: string; readonly dedupeKey: string | null; readonly awaits: number }) =>
      to
        .insertInto('chat_activity')
        .values({
          chat_number: row.chatNumber,
          activity_id: row.id,
          position: row.revision,
          revision: row.revision,
          activity: row.json,
          dedupe_key: row.dedupeKey,
          awaits_turn: row.awaits,
        })
        .onConflict((conflict) => conflict.columns(['chat_number', 'dedupe_key']).doNothing()),
  );

  const change = prepareStatement(db, (to, { chatNumber, revision, id, json }: Next & { readonly id: string; readonly json: string }) =>
    to.updateTable('chat_activity').set({ revision, activity: json }).where('chat_number', '=', chatNumber).where('activity_id', '=', id),
  );

  return {
    get: async (chatId: string): Promise<Chat | undefined> => {
      const [row] = (await chat(db, { chatId })).rows;
      if (!row) return undefined;
      const { id, user_id: userId, watermark, started, ended_at, taken_to: takenTo, heard_at: heardAt } = row;
      const call = { takenTo, ...(heardAt !== null && { heardAt }) };
      return { id, userId, watermark, started: started === 1, ...call, ...(ended_at !== null && { ended: true }) };
    },

    /**
     * Takes the chat's next revisions; the row lock separates two writers of one chat. The time of activity is recorded
     * once an hour only: its column is indexed, and the removal of old chats counts in days.
     */
    grow: async (transaction: Kysely<Schema>, chatId: string, bytes: number, count: number) => {
      const [grown] = (await grow(transaction, { chatId, bytes, count })).rows;
      if (grown?.idle === 1) await touch(transaction, { chatId });
      return grown;
    },

    find: async (from: Kysely<Schema>, chatId: string, activityId: string) => (await find(from, { chatId, activityId })).rows[0],

    /** The activity stored under a key. */
    seen: async (from: Kysely<Schema>, chatId: string, dedupeKey: string) => (await seen(from, { chatId, dedupeKey })).rows[0],

    /** Stores an activity; its first revision is its position. `false`: one is stored under its key. */
    insert: async (transaction: Kysely<Schema>, next: Next, { activity: { id }, json, dedupeKey, awaitsTurn = false }: NewActivity) =>
      (await insert(transaction, { ...next, id, json, dedupeKey, awaits: awaitsTurn ? 1 : 0 })).numAffectedRows === 1n,

    /** Changes an activity in place. Returns whether it exists. */
    change: async (transaction: Kysely<Schema>, next: Next, id: string, activity: StoredActivity) =>
      (await change(transaction, { ...next, id, json: JSON.stringify(activity) })).numAffectedRows === 1n,

    /** The activities that await their turn. */
    awaitingIn: prepareStatement(db, (from, { chatId }: InChat) =>
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
    page: prepareStatement(db, (from, { chatId, since, after, limit, bytes }: InChat & Required<PageRequest>) =>
      from
        .selectFrom('chat')
        .leftJoin(
          sql<Record<'chat_number' | 'position' | 'total' | 'nth' | 'found', number> & { readonly activity: string }>`(
            select chat_number, position, activity, sum(octet_length(activity)) over (order by position) as total,
              row_number() over (order by position) as nth, count(*) over () as found
            from (
              select chat_number, position, activity from chat_activity
              where chat_number = (select number from chat where id = ${chatId}) and revision > ${since} and position > ${after}
              order by position limit ${limit}
            ) as next
          )`.as('part'),
          (join) => join.onRef('part.chat_number', '=', 'chat.number').on(sql<boolean>`(part.nth = 1 or part.total <= ${bytes})`),
        )
        .select(['watermark', 'ended_at', 'found', 'part.position', 'part.activity'])
        .where('chat.id', '=', chatId)
        .orderBy('part.position'),
    ),

    start: prepareStatement(db, (to, { chatId }: InChat) =>
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
