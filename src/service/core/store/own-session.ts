// Which sessions are likely to be the customer's own (docs/decisions/0095).
import type { Kysely } from 'kysely';
import type { IsOwn } from './quotas.ts';
import type { RequestTable, Schema } from './schema.ts';

/** What a request's row says about whose it is. */
export const sessionColumns = ['account_id', 'customer_ref', 'session_ref'] as const;

/** How long (ms) a success counts in favour of the customer's later sessions. */
const lately = 30 * 24 * 3_600_000;

/**
 * What counts in favour of a session: that something succeeded in it, which takes the customer's device, or lately with
 * its customer in any session. Not how long it has waited: an attacker can wait too.
 */
export const isOwnSession =
  (db: Kysely<Schema>, { account_id, customer_ref, session_ref }: Pick<RequestTable, (typeof sessionColumns)[number]>, at: number): IsOwn =>
  async () => {
    const succeeded = db
      .selectFrom('requests')
      .select('id')
      .where('account_id', '=', account_id)
      .where('customer_ref', '=', customer_ref)
      .where('state', '=', 'success')
      .limit(1);
    if (await succeeded.where('session_ref', '=', session_ref).executeTakeFirst()) return 'session';
    return (await succeeded.where('finished_at', '>', at - lately).executeTakeFirst()) && 'customer';
  };
