// Making a signed document: typeset, then sealed under the service's key (PAdES B-B, ETSI EN 319 142-1).
import type { KeyObject } from 'node:crypto';
import type { SigningKey } from './signing-key.ts';
import type { Sheet } from './typeset.ts';

/** Prints a sheet and seals it: whatever is changed in the file afterwards shows. */
export type MakeDocument = (sheet: Sheet) => Promise<Buffer>;

export const makeMakeDocument =
  ({ privateKey, certificate, chain }: SigningKey): MakeDocument =>
  async (sheet) => {
    // Loaded when the first document is signed: it is the largest library here, and most starts never need it.
    const [{ CryptoKeySigner, PDF }, { typeset }] = await Promise.all([import('@libpdf/core'), import('./typeset.ts')]);
    const { algorithm, keyType, signatureAlgorithm, digestAlgorithm } = waysOf(privateKey);
    const key = privateKey.toCryptoKey(algorithm, false, ['sign']) as CryptoKey;
    const pdf = await PDF.load(await typeset(sheet));
    const { bytes } = await pdf.sign({
      signer: new CryptoKeySigner(key, certificate, keyType, signatureAlgorithm, [...chain]),
      level: 'B-B',
      digestAlgorithm,
      fieldName: 'Seal',
      signingTime: new Date(sheet.at),
    });
    return Buffer.from(bytes);
  };

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
