// Can every chat take a turn, and has every chat got its outcomes? Chats are named as in the log, never by their ids,
// which may be phone numbers.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { fingerprint } from '../../../platform/log.ts';
import { type Finding, ok, unknown, warning, wrong } from '../../../platform/process/finding.ts';
import type { Schema } from '../../../storage/index.ts';
import { readDatabase } from '../../settings/read-database.ts';
import type { Settings } from '../../start/settings.ts';

/** How many are named. */
const most = 5;
/** Chats that are read at a time. */
const batch = 500;
/** After this long (ms) an outcome should be in its chat. */
const overdue = 60_000;

/** The name of a check, and what it found. */
type Check = readonly [name: string, Finding];

/** Only reads: a bot may be running on the database. */
export const checkChats = async (settings: Settings, now: number): Promise<Check[]> => {
  if (settings.DATABASE_URL === undefined && !existsSync(join(settings.DATA_DIR, 'bot.db'))) return [];
  try {
    return await readDatabase<Schema, Check[]>(settings, ({ db }) => examine(db, now));
  } catch {
    // The database check reports its faults.
    return [['chats', unknown('cannot be checked: the database cannot be read.')]];
  }
};

const examine = async (db: Kysely<Schema>, now: number): Promise<Check[]> => {
  const tables = (await db.introspection.getTables()).map(({ name }) => name);
  if (!tables.includes('bot_state') || !tables.includes('interaction')) return [];
  const [unusable, undelivered] = [await unusableIn(db), await undeliveredIn(db, now)];
  const advice = 'will be dropped, and the customer begins again.';
  return [
    ['chats', unusable.length > 0 ? wrong(`the state of ${named(unusable, 'chat')} cannot be read: it ${advice}`) : ok('all can go on.')],
    [
      'outcomes',
      undelivered.length > 0
        ? warning(`${named(undelivered, 'outcome')} did not reach the chat yet. If the bot runs, its log says why.`)
        : ok('all have reached their chats.'),
    ],
  ];
};

const named = (ids: readonly string[], what: string): string => {
  const more = ids.length > most ? ` and ${ids.length - most} more` : '';
  return `${ids.length} ${what}${ids.length === 1 ? '' : 's'} (${ids.slice(0, most).join(', ')}${more})`;
};

const unusableIn = async (db: Kysely<Schema>): Promise<string[]> => {
  const found: string[] = [];
  for (let after = '', size = batch; size === batch; ) {
    const rows = await db.selectFrom('bot_state').select(['key', 'value']).where('key', '>', after).orderBy('key').limit(batch).execute();
    for (const { key, value } of rows) if (!isUsable(value)) found.push(fingerprint(key));
    after = rows.at(-1)?.key ?? after;
    size = rows.length;
  }
  return found;
};

interface Stack {
  readonly dialogStack: readonly { readonly id: unknown; readonly state?: { readonly dialogs?: Stack } }[];
}

/** Whether it has the form of a chat's state: an object, with stacks of dialogs. */
const isUsable = (json: string): boolean => {
  try {
    const state: { readonly dialogs?: Stack } | null = JSON.parse(json);
    return typeof state === 'object' && state !== null && !Array.isArray(state) && isStack(state.dialogs);
  } catch {
    return false;
  }
};

const isStack = (dialogs: Stack | undefined): boolean =>
  dialogs === undefined || dialogs.dialogStack.every(({ id, state }) => typeof id === 'string' && isStack(state?.dialogs));

const undeliveredIn = async (db: Kysely<Schema>, now: number): Promise<string[]> => {
  const ended = await db
    .selectFrom('interaction')
    .select(['id', 'outcome', 'created_at'])
    .where('told', '=', 0)
    .where('state', 'in', ['decided', 'expired', 'refused', 'unknown'])
    .orderBy('id')
    .execute();
  const endedAt = (outcome: string | null, otherwise: number): number => (outcome === null ? otherwise : JSON.parse(outcome).at);
  return ended.filter(({ outcome, created_at }) => now - endedAt(outcome, created_at) > overdue).map(({ id }) => id);
};
