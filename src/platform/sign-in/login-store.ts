// Sign-ins that are under way at an OpenID provider, as rows that any replica can take, once.
import type { Kysely } from 'kysely';
import { type SignInSchema, tablesOf } from './tables.ts';

/** One of them. What is sealed can only be opened by us. */
export interface SignIn {
  readonly stateHash: string;
  /** Of what the browser holds that began it. */
  readonly browserHash: string;
  readonly sealed: string;
  readonly expiresAt: number;
}

export interface SignIns {
  begin(signIn: SignIn, at: number): Promise<void>;
  /** What was sealed, for the browser that began it, in time; nobody gets it again. */
  take(stateHash: string, browserHash: string, at: number): Promise<string | undefined>;
  /** Forgets those that nobody came back from. */
  forget(at: number): Promise<void>;
}

/** @param prefix - what the names of the tables begin with */
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
