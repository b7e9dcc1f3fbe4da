// The rows of a chat's activities: one for each activity, and another for its cards, if any.
import { hash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { ChatStatements } from './chat-statements.ts';
import type { Chat, StoredActivity } from './chat-store.ts';
import { type PackedActivity, type PackingChat, unpack } from './packing.ts';
import type { Schema } from './schema.ts';

/** An activity to be stored. */
export interface NewActivity {
  readonly activityId: string;
  readonly activity: StoredActivity;
  readonly packed: PackedActivity;
  readonly dedupeKey: string | null;
  readonly awaitsTurn?: 0 | 1;
}

/** The new content of an activity. */
export interface ChangedActivity {
  readonly activityId: string;
  readonly activity: StoredActivity;
  readonly position: number;
  readonly packed: PackedActivity;
}

/** The position of a chat's next revision. */
interface Next {
  readonly chatNumber: number;
  readonly revision: number;
}

/** The columns of an activity. */
export interface ActivityRow {
  readonly activity_id: string;
  readonly said_by: string | null;
  readonly said_at: number | null;
  readonly activity: string;
  readonly card?: Uint8Array | null;
}

/** The columns of a chat that are needed to pack its activities. */
interface SidesRow {
  readonly user_id: string;
  readonly sides: string | null;
}

export const packingChat = (id: string, { user_id: userId, sides }: SidesRow): PackingChat => ({
  id,
  userId,
  ...(sides !== null && { sides: JSON.parse(sides) }),
});

interface ChatRow extends SidesRow {
  readonly watermark: number;
  readonly started: number;
  readonly ended_at: number | null;
  readonly taken_to: number;
  readonly heard_at: number | null;
}

export const chatIn = (id: string, row: ChatRow): Chat => {
  const { watermark, started, ended_at, taken_to: takenTo, heard_at: heardAt } = row;
  return {
    ...packingChat(id, row),
    watermark,
    started: started === 1,
    takenTo,
    ...(ended_at !== null && { ended: true }),
    ...(heardAt !== null && { heardAt }),
  };
};

export const activityIn = (row: ActivityRow, chat: PackingChat): StoredActivity => {
  const { activity_id: id, activity, card = null, said_at: saidAt, said_by } = row;
  return unpack(id, { activity, card, saidAt, saidBy: said_by === 'bot' || said_by === 'user' ? said_by : null }, chat);
};

/** A key as it is stored: of fixed length, whatever a client chooses, and long enough to be unique in a chat. */
export const digestOf = (key: string | undefined): string | null =>
  key === undefined ? null : hash('sha256', key.replaceAll('\0', '\uFFFD'), 'base64url').slice(0, 16);

/**
 * Takes the chat's next revisions. The time of activity is recorded once an hour only: its column is indexed, and the
 * removal of old chats counts in days.
 */
export const growChat = async (
  { grow, touch }: ChatStatements,
  transaction: Kysely<Schema>,
  growth: { readonly chatId: string; readonly bytes: number; readonly count: number },
) => {
  const chat = await grow(transaction, growth).executeTakeFirst();
  if (chat?.idle === 1) await touch(transaction, growth).execute();
  return chat;
};

/** Stores an activity, unless one is stored under its key. Returns whether it did. */
export const insertAt = async (
  { insert, keepCard }: ChatStatements,
  transaction: Kysely<Schema>,
  { chatNumber, revision: position }: Next,
  { activityId, packed: { card, ...columns }, dedupeKey, awaitsTurn = 0 }: Omit<NewActivity, 'activity'>,
): Promise<boolean> => {
  const row = { ...columns, chatNumber, position, activityId, dedupeKey, awaitsTurn };
  if ((await insert(transaction, row).executeTakeFirst()).numInsertedOrUpdatedRows !== 1n) return false;
  if (card) await keepCard(transaction, { chatNumber, position, card }).execute();
  return true;
};

/** Changes an activity in place. Returns whether it exists. */
export const changeAt = async (
  { change, dropCard, keepCard }: ChatStatements,
  transaction: Kysely<Schema>,
  { chatNumber, revision }: Next,
  { activityId, position, packed: { card, ...columns } }: Omit<ChangedActivity, 'activity'>,
): Promise<boolean> => {
  const { numUpdatedRows } = await change(transaction, { ...columns, chatNumber, activityId, revision }).executeTakeFirst();
  if (card) await keepCard(transaction, { chatNumber, position, card }).execute();
  else await dropCard(transaction, { chatNumber, position }).execute();
  return numUpdatedRows === 1n;
};
