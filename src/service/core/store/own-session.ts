// Which of the sessions that reach for a customer is the customer's own, as far as that shows (docs/decisions/0095).
import type { Kysely } from 'kysely';
import type { IsOwn } from './quotas.ts';
import type { RequestTable, Schema } from './schema.ts';

/** What a request's row tells of whose it is. */
export const sessionColumns = ['account_id', 'customer_ref', 'session_ref'] as const;

/** How long (ms) a success speaks for its customer's later sessions. */
const lately = 30 * 24 * 3_600_000;

/**
 * What speaks for a session: that something ended well in it, which takes the customer's device; or with its customer, in any session, lately. Not that it
 * has waited the longest: whoever wants to be in the way can wait.
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
