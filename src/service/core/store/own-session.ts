// Which of the sessions that reach for a customer is the customer's own, as far as that shows (docs/decisions/0043).
import type { Kysely } from 'kysely';
import type { IsOwn } from './quotas.ts';
import type { RequestTable, Schema } from './schema.ts';

/** What a request's row tells of whose it is. */
export const sessionColumns = ['account_id', 'customer_ref', 'session_ref'] as const;

/**
 * A session is the customer's own once something has ended well in it, which takes their device; and while it is the one that has waited the longest for
 * them, since whoever comes later may be there to be in the way. `besides`: a request that is only just coming. `withdrawn`: those of the same session that it
 * takes the place of.
 */
export const isOwnSession =
  (
    db: Kysely<Schema>,
    { account_id, customer_ref, session_ref }: Pick<RequestTable, (typeof sessionColumns)[number]>,
    { besides = '', withdrawn = [] }: { readonly besides?: string; readonly withdrawn?: readonly string[] } = {},
  ): IsOwn =>
  async () => {
    const ofCustomer = db.selectFrom('requests').where('account_id', '=', account_id).where('customer_ref', '=', customer_ref);
    const succeeded = ofCustomer.select('id').where('session_ref', '=', session_ref).where('state', '=', 'success');
    if (await succeeded.limit(1).executeTakeFirst()) return true;
    const waiting = ofCustomer
      .select('session_ref')
      .where('id', '<>', besides)
      .where((eb) => eb.or([eb('state', '=', 'pending'), ...(withdrawn.length > 0 ? [eb('id', 'in', withdrawn)] : [])]));
    return (await waiting.orderBy('id').limit(1).executeTakeFirst())?.session_ref === session_ref;
  };
