// Checks whether a database was written with the pepper in use, before anything in it is changed.
import type { LookBefore } from '../../../platform/database/migrate.ts';
import { SettingsError } from '../../../platform/settings/settings-error.ts';
import { sealedText } from '../audit/chain.ts';
import { headColumns } from '../audit/trail.ts';
import type { Seal } from '../secrets/seal.ts';
import type { RequestTable } from './schema.ts';

/**
 * Checks the ends of the newest audit trails. With another pepper, erasing would break every trail.
 * @throws {SettingsError} if none of them was sealed with it.
 */
export const makeSealCheck =
  ({ isEndOfTrail }: Pick<Seal, 'isEndOfTrail'>, { setting, schema }: { readonly setting: string; readonly schema?: string }): LookBefore =>
  async (db) => {
    const tables = await db.introspection.getTables();
    const requests = tables.find((table) => table.name === 'requests' && (schema === undefined || table.schema === schema));
    // Empty, or older than audit trails: there is nothing to compare with, and nothing to break.
    if (!requests?.columns.some(({ name }) => name === 'audit_seal')) return;
    const columns = ['id', 'audit_seal', ...headColumns] as const;
    const rows: readonly Pick<RequestTable, (typeof columns)[number]>[] = await db
      .selectFrom('requests')
      .select(columns)
      .orderBy('id', 'desc')
      .limit(10)
      .execute();
    const isOurs = ({ id, audit_seq: seq, audit_hash: hash, audit_seal }: (typeof rows)[number]) =>
      isEndOfTrail(sealedText(id, { seq, hash }), audit_seal);
    if (rows.length > 0 && !rows.some(isOurs))
      throw new SettingsError([`${setting}: holds another pepper than the one this database was written with.`]);
  };
