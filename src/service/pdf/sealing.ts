// Sealing files under the service's key (PAdES B-B, ETSI EN 319 142-1).
import type { KeyObject } from 'node:crypto';
import { keptSigningKey, readSigningKey, type SigningFiles, type SigningKey } from './signing-key.ts';

/** Seals a file: whatever is changed in it afterwards shows. */
export type SealFile = (file: Uint8Array, at: number) => Promise<Buffer>;

export const makeSealFile =
  ({ privateKey, certificate, chain }: SigningKey): SealFile =>
  async (file, at) => {
    // Loaded when the first file is sealed: it is the largest library here, and most starts never need it.
    const { CryptoKeySigner, PDF } = await import('@libpdf/core');
    const { algorithm, keyType, signatureAlgorithm, digestAlgorithm } = waysOf(privateKey);
    const key = privateKey.toCryptoKey(algorithm, false, ['sign']) as ConstructorParameters<typeof CryptoKeySigner>[0];
    const pdf = await PDF.load(file);
    const { bytes } = await pdf.sign({
      signer: new CryptoKeySigner(key, certificate, keyType, signatureAlgorithm, [...chain]),
      level: 'B-B',
      digestAlgorithm,
      fieldName: 'Seal',
      signingTime: new Date(at),
    });
    return Buffer.from(bytes);
  };

/**
 * Opens the key that seals files. @param signing - unset: a development pair, kept in the data folder
 * @throws {SettingsError} when the key or its certificate cannot be used.
 */
export const openSealFile = async (
  { dataDir, owner, at }: { readonly dataDir: string; readonly owner: string; readonly at: number },
  signing: SigningFiles | undefined,
): Promise<SealFile> => makeSealFile(signing ? readSigningKey(signing, at) : await keptSigningKey(dataDir, owner, at));

/** How a kind of key signs: with the digest that is as strong as the key. */
const waysOf = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject) => {
  if (asymmetricKeyType === 'rsa') {
    const name = 'RSASSA-PKCS1-v1_5' as const;
    return { algorithm: { name, hash: 'SHA-256' }, keyType: 'RSA', signatureAlgorithm: name, digestAlgorithm: 'SHA-256' } as const;
  }
  const large = asymmetricKeyDetails?.namedCurve === 'secp384r1';
  return {
    algorithm: { name: 'ECDSA', namedCurve: large ? 'P-384' : 'P-256' },
    keyType: 'EC',
    signatureAlgorithm: 'ECDSA',
    digestAlgorithm: large ? 'SHA-384' : 'SHA-256',
  } as const;
};
