// Sign-ins under way at an OpenID provider, as rows that any replica can take, once.
import type { Kysely } from 'kysely';
import { type SignInSchema, tablesOf } from './tables.ts';

/** A sign-in under way. Only we can open what is sealed. */
export interface SignIn {
  readonly stateHash: string;
  /** The hash of the secret in the browser that began it. */
  readonly browserHash: string;
  readonly sealed: string;
  readonly expiresAt: number;
}

export interface SignIns {
  begin(signIn: SignIn, at: number): Promise<void>;
  /** The sealed secrets, if the browser that began it asks in time. They are returned once only. */
  take(stateHash: string, browserHash: string, at: number): Promise<string | undefined>;
  /** Deletes those that nobody came back from. */
  forget(at: number): Promise<void>;
}

/** @param prefix - of the table names */
export const makeSignIns = (db: Kysely<SignInSchema>, prefix: string): SignIns => {
  const { signIns } = tablesOf(prefix);
  return {
    begin: async ({ stateHash: state_hash, browserHash: browser_hash, sealed, expiresAt: expires_at }, at) => {
      await db.insertInto(signIns).values({ state_hash, browser_hash, sealed, created_at: at, expires_at }).execute();
    },
    take: async (stateHash, browserHash, at) => {
      const taken = db.deleteFrom(signIns).where('state_hash', '=', stateHash).where('browser_hash', '=', browserHash);
      return (await taken.where('expires_at', '>', at).returning('sealed').executeTakeFirst())?.sealed;
    },
    forget: async (at) => {
      await db.deleteFrom(signIns).where('expires_at', '<=', at).execute();
    },
  };
};
