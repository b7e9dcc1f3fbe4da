// Seals what existing requests contain about their customers, and removes the plain text.
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { erasedRef } from '../request.ts';
import type { RequestTable } from '../schema.ts';
import type { SealedColumns } from '../sealed-columns.ts';
import { addColumns, nullable, text, withDefault } from './tables.ts';

/** Rows per statement. */
const batch = 500;

/** The columns before this migration. */
interface Before {
  requests: RequestTable & { phone_number: string | null; recipients: string; input: string };
}

export const sealDetails = ({ seal, digests }: SealedColumns['details']): Migration => ({
  up: async (db: Kysely<Before>) => {
    await addColumns(db, 'requests', { details: nullable(text), addresses: withDefault(text, '') });
    for (let last = ''; ; ) {
      const plain = await db
        .selectFrom('requests')
        .select(['id', 'account_id', 'customer_ref', 'phone_number', 'recipients', 'input'])
        .where('id', '>', last)
        .orderBy('id')
        .limit(batch)
        .execute();
      for (const { id, account_id, customer_ref, phone_number, recipients, input } of plain) {
        last = id;
        // Emptied requests contain nothing to seal.
        if (customer_ref === erasedRef) continue;
        const own = { phoneNumber: phone_number ?? undefined, recipients: JSON.parse(recipients), input: JSON.parse(input) };
        const sealed = { details: seal(own, id), addresses: digests(own, account_id) };
        await db.updateTable('requests').set(sealed).where('id', '=', id).execute();
      }
      if (plain.length < batch) break;
    }
    for (const name of ['phone_number', 'recipients', 'input'] as const) await db.schema.alterTable('requests').dropColumn(name).execute();
  },
});
