// The account's public key where the catalogue has none: from a file, or the public half of the pair that is made for
// the demo account.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keptText } from '../../../platform/secrets/kept-secret.ts';
import { SettingsError } from '../../../platform/settings/settings-error.ts';
import type { CoreOptions } from '../options.ts';
import type { Catalogue } from './catalogue.ts';
import { type EncryptionKey, encryptionKey } from './fields.ts';

/** Where the halves lie under DATA_DIR. Of the private one the service never reads more than whether it is there. */
export const accountKeyFiles = { private: 'account.private.jwk', public: 'account.public.jwk' } as const;

/**
 * The catalogues, each with a key for its zero-knowledge forms: its own, or for the first account the file's, or in
 * demo mode one that is made on first start.
 * @throws {SettingsError} when there is none to be had.
 */
export const withEncryptionKeys = async (
  catalogues: readonly Catalogue[],
  { accountKeyFile, dataDir, databaseUrl, demo }: CoreOptions,
): Promise<readonly Catalogue[]> => {
  const lacking = ({ account, forms }: Catalogue) => !account.encryptionKey && forms.some(({ zeroKnowledge }) => zeroKnowledge);
  const mayBeMade = demo && databaseUrl === undefined;
  const wrong = catalogues.flatMap((one, index) => {
    if (!lacking(one) || (index === 0 && (accountKeyFile !== undefined || mayBeMade))) return [];
    if (index === 0 && demo)
      return ['SERVICE_ACCOUNT_KEY: must be set when SERVICE_DATABASE_URL is, since there are zero-knowledge forms.'];
    const place = catalogues.length > 1 ? `accounts.${index}.` : '';
    return [`SERVICE_CATALOGUE: ${place}account.encryptionKey: must be given, since there are zero-knowledge forms.`];
  });
  if (wrong.length > 0) throw new SettingsError(wrong);
  const [first, ...others] = catalogues;
  if (!first || !lacking(first)) return catalogues;
  const key = accountKeyFile === undefined ? await keptPublicKey(dataDir) : givenPublicKey(accountKeyFile);
  return [{ ...first, account: { ...first.account, encryptionKey: key } }, ...others];
};

const givenPublicKey = (file: string): EncryptionKey => {
  try {
    return encryptionKey.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    // The cause would quote a private key that was named here by mistake.
    throw new SettingsError(
      [`SERVICE_ACCOUNT_KEY: ${file} does not hold a public key as a JWK: EC, on P-256, P-384 or P-521, with a kid.`],
      {
        cause: new TypeError((cause as Error).name),
      },
    );
  }
};

const keptPublicKey = async (dataDir: string): Promise<EncryptionKey> => {
  try {
    return encryptionKey.parse(JSON.parse(await keptText(dataDir, accountKeyFiles.public, () => makePair(dataDir))));
  } catch (cause) {
    const file = join(dataDir, accountKeyFiles.public);
    throw new SettingsError([`DATA_DIR: ${file} cannot be read or made. Put the right file back, or start with a new DATA_DIR.`], {
      cause,
    });
  }
};

/**
 * Returns the public half. The private one is on disk before it can be used; of two processes the first one's stays.
 */
const makePair = async (dataDir: string): Promise<string> => {
  const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await import('jose');
  const { privateKey } = await generateKeyPair('ECDH-ES+A256KW', { crv: 'P-256', extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  const { kty, crv, x, y } = jwk;
  const written = (key: object) => JSON.stringify(key, null, 2);
  writeFileSync(join(dataDir, accountKeyFiles.private), `${written({ ...jwk, kid })}\n`, { mode: 0o600, flush: true, flag: 'wx' });
  return written({ kty, crv, x, y, kid });
};
