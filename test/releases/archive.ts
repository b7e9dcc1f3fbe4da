// The data that a release leaves behind, in one file per database: the files of its folder, and its rows on Postgres.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { Client, Pool } from 'pg';
import { coreTables, migrationsOf } from '../../src/storage/index.ts';
import { allTables } from '../support/all-tables.ts';

export interface Archive {
  /** When the program was stopped (epoch ms): its requests are as old as then. */
  readonly stoppedAt: number;
  /** The address of the channel, in the addresses of its chats. */
  readonly serviceUrl: string;
  /** The chats that it talked to; later versions know more. */
  readonly chats: readonly string[];
  /** The files of the data folder, in base64. */
  readonly files: Readonly<Record<string, string>>;
  /** The rows of each table on Postgres. */
  readonly rows?: Rows;
}

type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

const fileOf = (release: string, kind: string) => fileURLToPath(new URL(`${release}/${kind}.json.gz`, import.meta.url));

/** The releases whose data is kept, oldest first. */
export const releases = readdirSync(new URL('.', import.meta.url), { withFileTypes: true })
  .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
  .sort(new Intl.Collator('en', { numeric: true }).compare);

export const readArchive = (release: string, kind: string): Archive =>
  JSON.parse(gunzipSync(readFileSync(fileOf(release, kind))).toString());

export const writeArchive = (release: string, kind: string, archive: Archive): void =>
  writeFileSync(fileOf(release, kind), gzipSync(JSON.stringify(archive), { level: 9 }));

/** A folder's files; databases without the space that they do not use. */
export const filesIn = (folder: string): Archive['files'] => {
  for (const file of readdirSync(folder)) {
    if (!file.endsWith('.db')) continue;
    const db = new DatabaseSync(join(folder, file));
    db.exec('pragma wal_checkpoint(truncate); vacuum');
    db.close();
  }
  const kept = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile() && !/-(?:wal|shm)$|\.lock$/.test(entry.name));
  return Object.fromEntries(kept.map(({ name }) => [name, readFileSync(join(folder, name)).toString('base64')]));
};

/** Writes the files, with another address of the channel. */
export const layOut = (folder: string, { files, serviceUrl }: Archive, now: string): void => {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), Buffer.from(content, 'base64'), { mode: 0o600 });
  if (!('bot.db' in files)) return;
  const db = new DatabaseSync(join(folder, 'bot.db'));
  for (const { name } of db.prepare(`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`).all())
    for (const { name: column, type } of db.prepare(`pragma table_info("${name}")`).all())
      if (/text|char/i.test(String(type))) db.prepare(`update "${name}" set "${column}" = replace("${column}", ?, ?)`).run(serviceUrl, now);
  db.close();
};

/** The rows of every table. */
export const rowsOf = async (url: string): Promise<Rows> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  );
  const found: Record<string, Rows[string]> = {};
  for (const { name } of tables)
    found[name] = (await client.query(`select to_jsonb(t) as row from "${name}" t`)).rows.map(({ row }) => row);
  await client.end();
  return found;
};

/** Makes the tables as that release had them, and fills them. */
export const restore = async (url: string, { rows = {}, serviceUrl }: Archive, now: string): Promise<void> => {
  const last =
    rows.kysely_migration
      ?.map(({ name }) => String(name))
      .sort()
      .at(-1) ?? '';
  const db = new Kysely({ dialect: new PostgresDialect({ pool: new Pool({ connectionString: url }) }) });
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: async () => migrationsOf([coreTables, ...allTables])('postgres') },
  }).migrateTo(last);
  await db.destroy();
  if (error) throw error;
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('set session_replication_role = replica');
  for (const [table, all] of Object.entries(rows)) {
    if (table.startsWith('kysely_')) continue;
    await client.query(`delete from "${table}"`);
    const text = JSON.stringify(all).replaceAll(serviceUrl, now);
    await client.query(`insert into "${table}" select * from jsonb_populate_recordset(null::"${table}", $1)`, [text]);
  }
  await client.end();
};
