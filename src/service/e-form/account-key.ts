// The demo account's key pair: the service keeps to the public half, the private one lies there for whoever plays the account.
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SettingsError } from '../../platform/settings-error.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { type EncryptionKey, encryptionKey } from '../catalogue/encryption-key.ts';
import type { LoadedAccount } from '../catalogue/load.ts';

/** Where the halves lie under DATA_DIR. Of the private one the service never reads more than whether it is there. */
export const accountKeyFiles = { private: 'account.private.jwk', public: 'account.public.jwk' } as const;

/**
 * The catalogues, each with a key for its zero-knowledge forms: its own, or in demo mode, for the first account, one that is made on first start.
 * @throws {SettingsError} when there is none to be had.
 */
export const withEncryptionKeys = async (loaded: readonly LoadedAccount[], dataDir: string, demo: boolean): Promise<Catalogue[]> => {
  const lacking = ({ account, forms }: Catalogue) => !account.encryptionKey && forms.some(({ zeroKnowledge }) => zeroKnowledge);
  const catalogues = loaded.map(({ catalogue }) => catalogue);
  const wrong = catalogues.flatMap((one, index) => (lacking(one) && !(demo && index === 0) ? [index] : []));
  if (wrong.length > 0) {
    const place = (index: number) => (catalogues.length > 1 ? `accounts.${index}.` : '');
    throw new SettingsError(
      wrong.map((index) => `SERVICE_CATALOGUE: ${place(index)}account.encryptionKey: must be given, since there are zero-knowledge forms.`),
    );
  }
  return Promise.all(
    catalogues.map(async (one) =>
      lacking(one) ? { ...one, account: { ...one.account, encryptionKey: await keptPublicKey(dataDir) } } : one,
    ),
  );
};

const keptPublicKey = async (dataDir: string): Promise<EncryptionKey> => {
  const file = join(dataDir, accountKeyFiles.public);
  try {
    if (!existsSync(file)) await makePair(dataDir, file);
    return encryptionKey.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new SettingsError([`DATA_DIR: ${file} cannot be read or made. Put the right file back, or start with a new DATA_DIR.`], {
      cause,
    });
  }
};

/** The private half is on disk before the public one can be used. A file appears whole; of two processes the first one's stays. */
const makePair = async (dataDir: string, file: string) => {
  const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await import('jose');
  const { privateKey } = await generateKeyPair('ECDH-ES+A256KW', { crv: 'P-256', extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  const { kty, crv, x, y } = jwk;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  appear(join(dataDir, accountKeyFiles.private), { ...jwk, kid }, 0o600);
  appear(file, { kty, crv, x, y, kid }, 0o644);
};

const appear = (file: string, content: object, mode: number) => {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode, flush: true });
  try {
    linkSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
};
