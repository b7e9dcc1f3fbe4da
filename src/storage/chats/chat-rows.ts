// The rows of a chat and of its activities.
import { hash } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import type { ChatTable, Schema } from '../schema.ts';
import type { ChatStatements } from './chat-statements.ts';
import type { Chat, StoredActivity } from './chat-store.ts';

/** An activity to be stored. */
export interface NewActivity {
  readonly activity: StoredActivity;
  /** The same as JSON. */
  readonly json: string;
  readonly dedupeKey: string | null;
  readonly awaitsTurn?: 0 | 1;
}

/** The new content of an activity. */
export interface ChangedActivity {
  readonly activityId: string;
  readonly activity: StoredActivity;
  readonly position: number;
}

/** The position of a chat's next revision. */
interface Next {
  readonly chatNumber: number;
  readonly revision: number;
}

export const chatIn = (row: Selectable<ChatTable>): Chat => {
  const { id, user_id: userId, watermark, started, ended_at, taken_to: takenTo, heard_at: heardAt } = row;
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
  const [chat] = (await grow(transaction, growth)).rows;
  if (chat?.idle === 1) await touch(transaction, growth);
  return chat;
};

/** Stores an activity, unless one is stored under its key. Returns whether it did. */
export const insertAt = async (
  { insert }: ChatStatements,
  transaction: Kysely<Schema>,
  { chatNumber, revision: position }: Next,
  { activity: { id: activityId }, json: activity, dedupeKey, awaitsTurn = 0 }: NewActivity,
): Promise<boolean> => {
  const row = { chatNumber, activityId, position, activity, dedupeKey, awaitsTurn };
  return (await insert(transaction, row)).numAffectedRows === 1n;
};

/** Changes an activity in place. Returns whether it exists. */
export const changeAt = async (
  { change }: ChatStatements,
  transaction: Kysely<Schema>,
  next: Next,
  { activityId, activity }: Pick<ChangedActivity, 'activity' | 'activityId'>,
): Promise<boolean> => {
  const row = { ...next, activityId, activity: JSON.stringify(activity) };
  return (await change(transaction, row)).numAffectedRows === 1n;
};
