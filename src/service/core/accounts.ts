// The accounts of this service, each with its catalogue, and the keys that callers authenticate with. Data is found
// through an account's id only: accounts share nothing but the payment gateway and the key that seals documents. Keys are stored
// as digests, and an expired one is answered like a wrong one.

import { sameBytes, sha256 } from '../../platform/secrets/sealing.ts';
import { SettingsError } from '../../platform/settings/settings-error.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Catalogue } from './catalogue/catalogue.ts';
import type { AccountKey } from './catalogue/secrets.ts';

/** An account. Its name is the sender that customers see. */
export type Account = Pick<Catalogue['account'], 'id' | 'name'>;

export type Authenticate = ReturnType<typeof makeAuthenticate>;

/** An account with the keys that open it. */
export type Access = { readonly account: Account; readonly keys: readonly AccountKey[] };

/**
 * The accounts of the catalogue. The service's own key belongs to the first one, whose customers the bot serves.
 * @throws {SettingsError} if another account has the same key.
 */
export const withOwnKey = (loaded: readonly Catalogue[], secretKey: string): Access[] => {
  const own = { digest: sha256(secretKey), expiresAt: undefined };
  const [, ...others] = loaded;
  if (others.some(({ account }) => account.keys.some(({ digest }) => sameBytes(digest, own.digest))))
    throw new SettingsError(['SERVICE_SECRET_KEY: is the key of another account than the first one. Give that one a key of its own.']);
  return loaded.map(({ account }, index) => ({ account, keys: index === 0 ? [...account.keys, own] : account.keys }));
};

/** Finds accounts by the digests of their keys. Compares all of them in constant time, even after a match. */
export const makeAuthenticate = (accounts: readonly Access[], clock: Clock) => {
  const known = accounts.flatMap(({ account, keys }) =>
    keys.map(({ digest, expiresAt = Number.POSITIVE_INFINITY }) => ({
      caller: { account, keyId: digest.toString('hex').slice(0, 8) },
      digest,
      expiresAt,
    })),
  );
  /**
   * The account of an Authorization header, and the key that was used: the first 8 hexadecimal digits of its SHA-256,
   * enough to tell keys apart in a log. `undefined` if the key is missing, malformed, wrong or expired.
   */
  return (header: string | undefined) => {
    const digest = sha256(/^Bearer +([\x21-\x7e]+) *$/i.exec(header ?? '')?.[1] ?? '');
    let found: (typeof known)[number] | undefined;
    for (const candidate of known) if (sameBytes(candidate.digest, digest)) found = candidate;
    return found && clock.now() < found.expiresAt ? found.caller : undefined;
  };
};

/** The account is no longer in the catalogue file, so its request cannot continue. */
class AccountGone extends Error {
  override readonly name = 'AccountGone';
  readonly code = 'account_gone';
}

export type Accounts = ReturnType<typeof makeAccounts>;

export const makeAccounts = (all: readonly Catalogue[]) => {
  const byId = new Map(all.map((catalogue) => [catalogue.account.id, catalogue]));
  return {
    /** In the order of the file. */
    all,
    /** An account's catalogue; `undefined` if the file does not list it (any more). */
    find: (accountId: string): Catalogue | undefined => byId.get(accountId),
    /** The same, for an account that must exist. @throws {AccountGone} */
    of: (accountId: string): Catalogue => {
      const found = byId.get(accountId);
      if (!found) throw new AccountGone();
      return found;
    },
  };
};
