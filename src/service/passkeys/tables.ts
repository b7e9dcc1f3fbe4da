// The tables of passkeys; core/store/schema.ts says what applies to all tables.
import type { ExpressionBuilder, Kysely } from 'kysely';
import type { OwnRows } from '../core/store/erasure.ts';
import type { Schema } from '../core/store/schema.ts';

/** A passkey's public half. */
export interface PasskeyTable {
  /** The credential's identifier, base64url. */
  id: string;
  account_id: string;
  customer_ref: string;
  /** COSE, base64url. */
  public_key: string;
  /** The signature counter at its last use; 0 for an authenticator that has none. */
  counter: number;
  /** As the browser reported them when the passkey was created. */
  transports: string;
  /** Whether it is stored on more than one device. */
  backed_up: number;
  created_at: number;
  last_used_at: number | null;
  /** The request of its last use. */
  last_request_id: string | null;
  /** When a copy of it was detected; it has been unusable since. */
  revoked_at: number | null;
}

/** The proof that the person at the page also has the customer's phone, or one of their passkeys. */
interface PhoneProofTable {
  request_id: string;
  code_hash: string | null;
  sent_at: number;
  sends: number;
  checks: number;
  code_expires_at: number;
  /** SHA-256 of the secret held by the page that gave the proof; no other page can use it. */
  proof_hash: string | null;
  proof_expires_at: number | null;
}

declare module '../core/store/schema.ts' {
  interface Schema {
    /** A customer's user handle for authenticators: random, revealing nothing (WebAuthn L3, 14.6.1). */
    passkey_users: { account_id: string; customer_ref: string; handle: string };
    passkeys: PasskeyTable;
    /** A challenge for one ceremony. */
    passkey_challenges: { challenge: string; request_id: string; purpose: string; expires_at: number; spent_at: number | null };
    phone_proofs: PhoneProofTable;
  }
}

export const passkeyRows: OwnRows = {
  ofRequests: ['passkey_challenges', 'phone_proofs'],
  ofCustomers: ['passkeys', 'passkey_users'],
  retention: ({ db }, at, after) => [
    { table: 'passkeys', batch, remove: () => db.transaction().execute((transaction) => removeUnused(transaction, at - after)) },
  ],
};

/** Passkeys that are removed at once. */
const batch = 100;

/** Removes passkeys that were not used since, and the user handles of customers who have no other passkey. */
const removeUnused = async (transaction: Kysely<Schema>, before: number) => {
  const isUnused = ({ eb, fn }: ExpressionBuilder<Schema, 'passkeys'>) => eb(fn.coalesce('last_used_at', 'created_at'), '<', before);
  const some = transaction.selectFrom('passkeys').select('id').where(isUnused).limit(batch);
  const unused = transaction.deleteFrom('passkeys').where('id', 'in', some);
  const gone = await unused.returning(['account_id', 'customer_ref']).execute();
  for (const { account_id, customer_ref } of gone) {
    const own = <Table extends 'passkey_users' | 'passkeys'>(table: Table, from: Kysely<Schema>) =>
      from
        .selectFrom(table as 'passkeys')
        .select('account_id')
        .where('account_id', '=', account_id)
        .where('customer_ref', '=', customer_ref);
    if (await own('passkeys', transaction).limit(1).executeTakeFirst()) continue;
    await transaction.deleteFrom('passkey_users').where('account_id', '=', account_id).where('customer_ref', '=', customer_ref).execute();
  }
  return gone.length;
};
