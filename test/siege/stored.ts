// What lies in a folder, and what its databases hold: to see that a siege left nothing behind.
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface Stored {
  readonly files: readonly string[];
  /** A digest of the rows of each table, by database and name. */
  readonly tables: Readonly<Record<string, string>>;
}

/**
 * What a siege may change: how much of a quota is taken. And what changes by itself: until when the replica holds its
 * own.
 */
const counted = /\/(?:quotas|replica)$/;

export const storedIn = (folder: string): Stored => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  const tables = files
    .filter((file) => file.endsWith('.db'))
    .flatMap((file) => {
      const database = new DatabaseSync(join(folder, file), { readOnly: true });
      try {
        const names = database.prepare("select name from sqlite_master where type = 'table'").all() as { name: string }[];
        return names.map(({ name }): [string, string] => {
          const rows = JSON.stringify(database.prepare(`select * from "${name}"`).all(), (_, value) =>
            typeof value === 'bigint' ? String(value) : value,
          );
          return [`${file}/${name}`, createHash('sha256').update(rows).digest('hex')];
        });
      } finally {
        database.close();
      }
    })
    .filter(([name]) => !counted.test(name));
  return { files, tables: Object.fromEntries(tables) };
};

/** What is there now that was not, or is no more as it was. */
export const differences = (before: Stored, after: Stored): string[] => [
  ...after.files.filter((file) => !before.files.includes(file)).map((file) => `the file ${file} was written`),
  ...Object.entries(after.tables)
    .filter(([name, digest]) => before.tables[name] !== digest)
    .map(([name]) => `rows of ${name} were changed`),
];
