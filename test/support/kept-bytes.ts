// What the bot's own database holds, for tests of what must not be in it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { inflated } from '../../src/storage/deflated.ts';

/** Every byte of an embedded database's files, and its cards inflated. */
export const keptBytes = (dataDir: string): string => {
  const files = readdirSync(dataDir)
    .filter((name) => name.startsWith('bot.db'))
    .map((name) => readFileSync(join(dataDir, name), 'latin1'));
  const db = new DatabaseSync(join(dataDir, 'bot.db'), { readOnly: true, timeout: 5_000 });
  try {
    const cards = db.prepare('select card from chat_card').all() as { card: Uint8Array }[];
    // As the files are read, so that the same is looked for in both.
    return [...files, ...cards.map(({ card }) => Buffer.from(inflated(card)).toString('latin1'))].join('\n');
  } finally {
    db.close();
  }
};
