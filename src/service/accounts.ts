// Who may call the interface: an account and the keys that prove it.
import { sameBytes, sha256 } from './seal.ts';

export interface Account {
  readonly id: string;
  /** Whom customers see as the sender. */
  readonly name: string;
}

/** Finds the account of an Authorization header, `undefined` for a missing, malformed or wrong one alike. */
export type Authenticate = (header: string | undefined) => Account | undefined;

/** The key in an Authorization header; empty where there is none. */
export const bearerOf = (header: string | undefined): string => /^Bearer +([\x21-\x7e]+) *$/i.exec(header ?? '')?.[1] ?? '';

/** Knows accounts by their secret keys. Keys are kept as digests and every one is compared, in constant time, whether or not one matched. */
export const makeAuthenticate = (
  accounts: readonly { readonly account: Account; readonly secretKeys: readonly string[] }[],
): Authenticate => {
  const known = accounts.flatMap(({ account, secretKeys }) => secretKeys.map((key) => ({ account, digest: sha256(key) })));
  return (header) => {
    const digest = sha256(bearerOf(header));
    let found: Account | undefined;
    for (const candidate of known) if (sameBytes(candidate.digest, digest)) found = candidate.account;
    return found;
  };
};
