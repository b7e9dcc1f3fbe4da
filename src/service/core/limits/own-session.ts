// Decides which sessions are likely to be the customer's own (docs/decisions/0080).
import type { Kysely } from 'kysely';
import type { RequestTable, Schema } from '../store/schema.ts';
import type { IsOwn } from './stored-quotas.ts';

/** The columns that identify a request's account, customer and session. */
export const sessionColumns = ['account_id', 'customer_ref', 'session_ref'] as const;

/** How long (ms) a success makes the customer's later sessions trusted. */
const lately = 30 * 24 * 3_600_000;

/**
 * A session is trusted if something succeeded in it, which takes the customer's device, or lately in any session of its
 * customer. How long it has waited does not count: an attacker can wait too.
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
