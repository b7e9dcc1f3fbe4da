// Does the Postgres that the settings name accept the bot's state?
import type { Selectable } from 'kysely';
import { askPostgres, lookAtPostgres } from '../../../platform/database/postgres.ts';
import { makeLog } from '../../../platform/log.ts';
import { type Finding, ok, unknown, wrong } from '../../../platform/process/finding.ts';
import { SettingsError } from '../../../platform/settings/settings-error.ts';
import { coreTables, type InteractionTable, migrationsOf, newest, type Schema, unreadableOf } from '../../../storage/index.ts';
import { ownedTables } from '../../bot/capability.ts';
import { capabilities } from '../../capabilities.ts';
import { unreadableRows } from './data-folder.ts';

/** Only reads: bots may be running on the database. */
export const checkPostgres = async (url: string): Promise<Finding> => {
  try {
    const known = Object.keys(migrationsOf([coreTables, ...ownedTables(capabilities)])('postgres'));
    const { pending, newer, mayCreate } = await lookAtPostgres(url, known, newest, makeLog('silent'));
    if (newer) return wrong('DATABASE_URL: the database was created by a newer version. Start that version, or use another database.');
    const rows =
      pending === 0
        ? await askPostgres<Schema, Selectable<InteractionTable>[]>(url, makeLog('silent'), (db) =>
            db.selectFrom('interaction').selectAll().where('told', '=', 0).execute(),
          )
        : [];
    const quarantined = unreadableOf(rows);
    if (quarantined.length > 0) return wrong(unreadableRows('DATABASE_URL', quarantined));
    if (pending === 0) return ok('the Postgres answers, and its tables are up to date.');
    if (!mayCreate) return wrong('DATABASE_URL: the user may not create tables in the database. Grant CREATE on its schema.');
    return unknown('the Postgres answers; the next start brings its tables up to date.');
  } catch (fault) {
    if (!(fault instanceof SettingsError)) throw fault;
    return wrong(fault.message);
  }
};
