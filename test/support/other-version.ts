// Stored data as another version of the program would have left it, while the bot is stopped.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Seen } from './direct-line.ts';

const dialogsIn = (state: Seen): Seen[] => (state?.dialogStack ?? []).flatMap((one: Seen) => [one, ...dialogsIn(one.state?.dialogs)]);

/** The state of a chat whose dialogs another version has written. */
export const withOtherDialogs = (state: Seen): void => {
  for (const one of dialogsIn(state.dialogs)) if (one.version !== undefined) one.version = '1';
};

/** Changes the JSON in a column of every row. */
export const rewriteRows = (
  dataDir: string,
  [table, key, column]: readonly [string, string, string],
  change: (value: Seen) => void,
): void => {
  const db = new DatabaseSync(join(dataDir, 'bot.db'));
  for (const row of db.prepare(`select * from ${table}`).all() as Seen[]) {
    const value = JSON.parse(row[column]);
    change(value);
    db.prepare(`update ${table} set ${column} = ? where ${key} = ?`).run(JSON.stringify(value), row[key]);
  }
  db.close();
};

/** All chats, as another version of the dialogs would have left them. */
export const rewriteChats = (dataDir: string): void => rewriteRows(dataDir, ['bot_state', 'key', 'value'], withOtherDialogs);
