// Sign-ins under way at an OpenID provider, as rows that any replica can take, once.
import type { Kysely } from 'kysely';
import { type SignInSchema, tablesOf } from './tables.ts';

export type SignIns = ReturnType<typeof makeSignIns>;

/** @param prefix - of the table names */
export const makeSignIns = (db: Kysely<SignInSchema>, prefix: string) => {
  const { signIns } = tablesOf(prefix);
  return {
    /** Stores one, with the hash of the secret in the browser that began it. Only we can open what is sealed. */
    begin: async (
      login: { readonly stateHash: string; readonly browserHash: string; readonly sealed: string; readonly expiresAt: number },
      at: number,
    ): Promise<void> => {
      const { stateHash: state_hash, browserHash: browser_hash, sealed, expiresAt: expires_at } = login;
      await db.insertInto(signIns).values({ state_hash, browser_hash, sealed, created_at: at, expires_at }).execute();
    },
    /** The sealed secrets, if the browser that began it asks in time. They are returned once only. */
    take: async (stateHash: string, browserHash: string, at: number): Promise<string | undefined> => {
      const taken = db.deleteFrom(signIns).where('state_hash', '=', stateHash).where('browser_hash', '=', browserHash);
      return (await taken.where('expires_at', '>', at).returning('sealed').executeTakeFirst())?.sealed;
    },
  };
};
