// Stores passkeys: their customers, their uses, and the challenges of their ceremonies.

import { sha256 } from '../../platform/secrets/sealing.ts';
import type { By, Facts } from '../core/audit/actions.ts';
import type { Storage } from '../core/store/index.ts';
import type { Effect } from '../core/store/undoable.ts';
import type { PasskeyTable } from './tables.ts';

/** The purpose of a challenge; it is valid for no other. */
export type Purpose = 'authenticate' | 'enrol' | 'prove';

export type Passkey = Readonly<PasskeyTable>;

/** What an authenticator says of a passkey that it has made. */
export type NewPasskey = Pick<Passkey, 'backed_up' | 'counter' | 'id' | 'public_key' | 'transports'>;

/** A use of a passkey: its authenticator's counter, and the request. */
export interface Use {
  readonly counter: number;
  readonly backed_up: number;
  readonly requestId: string;
  readonly at: number;
}

export interface Challenge {
  readonly challenge: string;
  readonly requestId: string;
  readonly purpose: Purpose;
}

export type Passkeys = ReturnType<typeof makePasskeys>;

export const makePasskeys = ({ database: { db }, apply }: Pick<Storage, 'apply' | 'database'>) => {
  const live = (accountId: string) => db.selectFrom('passkeys').where('account_id', '=', accountId).where('revoked_at', 'is', null);

  return {
    /** The customer's user handle for authenticators: `made`, unless they already have one. */
    handleOf: async (accountId: string, customerRef: string, made?: string): Promise<string | undefined> => {
      if (made !== undefined) {
        const row = { account_id: accountId, customer_ref: customerRef, handle: made };
        await db
          .insertInto('passkey_users')
          .values(row)
          .onConflict((conflict) => conflict.columns(['account_id', 'customer_ref']).doNothing())
          .execute();
      }
      const known = db.selectFrom('passkey_users').select('handle').where('account_id', '=', accountId);
      return (await known.where('customer_ref', '=', customerRef).executeTakeFirst())?.handle;
    },
    find: (accountId: string, id: string): Promise<Passkey | undefined> =>
      live(accountId).selectAll().where('id', '=', id).executeTakeFirst(),
    ofCustomers: async (accountId: string, customerRefs: readonly string[]): Promise<Passkey[]> => {
      if (customerRefs.length === 0) return [];
      return live(accountId).selectAll().where('customer_ref', 'in', customerRefs).orderBy('created_at').execute();
    },
    lastUse: async (accountId: string, customerRefs: readonly string[]) => {
      if (customerRefs.length === 0) return undefined;
      const used = live(accountId).selectAll().where('customer_ref', 'in', customerRefs).where('last_used_at', 'is not', null);
      const row = await used.orderBy('last_used_at', 'desc').limit(1).executeTakeFirst();
      return row && { requestId: row.last_request_id ?? '', customerRef: row.customer_ref, at: row.last_used_at ?? 0 };
    },

    /** Stores a challenge. `false`: the request has begun the maximum number of ceremonies, or is over. */
    begin: (
      { challenge, requestId, purpose }: Challenge,
      { expiresAt, at, by }: { readonly expiresAt: number; readonly at: number; readonly by: By },
      max: number,
    ): Promise<boolean> =>
      // The request is locked, so that two replicas do not count at the same time.
      apply(
        requestId,
        { by, action: 'passkey.begun', facts: { purpose } },
        async (transaction, request) => {
          const begun = transaction.selectFrom('passkey_challenges').select((eb) => eb.fn.countAll<number>().as('count'));
          const { count } = await begun.where('request_id', '=', requestId).executeTakeFirstOrThrow();
          if (request.state !== 'pending' || count >= max) return false;
          const row = { challenge, request_id: requestId, purpose, expires_at: Math.max(expiresAt, at) };
          await transaction.insertInto('passkey_challenges').values(row).execute();
          return true;
        },
        at,
      ),
    /** Spends a challenge, once. `false`: it belongs to another request or purpose, has expired, or was already spent. */
    spend: async ({ challenge, requestId, purpose }: Challenge, at: number): Promise<boolean> => {
      const row = await db
        .updateTable('passkey_challenges')
        .set({ spent_at: at })
        .where('challenge', '=', challenge)
        .where('request_id', '=', requestId)
        .where('purpose', '=', purpose)
        .where('expires_at', '>', at)
        .where('spent_at', 'is', null)
        .returning('challenge')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Adds a passkey; refuses one that already exists. */
    adding:
      (owner: Pick<Passkey, 'account_id' | 'customer_ref'>, made: NewPasskey, at: number): Effect =>
      async (transaction) => {
        const row = { ...made, ...owner, created_at: at, last_used_at: null, last_request_id: null, revoked_at: null };
        const added = transaction
          .insertInto('passkeys')
          .values(row)
          .onConflict((conflict) => conflict.column('id').doNothing());
        return (await added.returning('id').executeTakeFirst()) !== undefined && naming(made.id);
      },
    /** Records a use; refuses a counter that does not advance, which is the sign of a copied authenticator. */
    using:
      (id: string, { counter, backed_up, requestId, at }: Use): Effect =>
      async (transaction) => {
        const used = transaction
          .updateTable('passkeys')
          .set({ counter, backed_up, last_used_at: at, last_request_id: requestId })
          .where('id', '=', id)
          .where('revoked_at', 'is', null)
          // A counter that stays at zero is unsupported by the authenticator (WebAuthn L3, 7.2, step 22).
          .where((eb) => (counter === 0 ? eb('counter', '=', 0) : eb('counter', '<', counter)));
        return (await used.returning('id').executeTakeFirst()) !== undefined && naming(id);
      },
    /** Disables a passkey for good. */
    revoking:
      (id: string, at: number): Effect =>
      async (transaction) => {
        await transaction.updateTable('passkeys').set({ revoked_at: at }).where('id', '=', id).execute();
        return naming(id);
      },
  };
};

/** A passkey as an audit trail names it: by the SHA-256 of its identifier. */
const naming = (id: string): Facts => ({ passkey: sha256(id).toString('hex') });
