// What the bot's own database holds, for tests of what must not be in it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Every byte of an embedded database's files, and its activities, which may be spread over several pages there. */
export const keptBytes = (dataDir: string): string => {
  const files = readdirSync(dataDir)
    .filter((name) => name.startsWith('bot.db'))
    .map((name) => readFileSync(join(dataDir, name), 'latin1'));
  const db = new DatabaseSync(join(dataDir, 'bot.db'), { readOnly: true, timeout: 5_000 });
  try {
    const rows = db.prepare('select activity from chat_activity').all() as { activity: string }[];
    // As the files are read, so that the same is looked for in both.
    return [...files, ...rows.map(({ activity }) => Buffer.from(activity).toString('latin1'))].join('\n');
  } finally {
    db.close();
  }
};
