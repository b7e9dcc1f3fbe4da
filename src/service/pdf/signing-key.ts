// The key and certificate that documents are sealed with: the operator's own, or a pair for trying things out.
import { createPrivateKey, KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keptText } from '../../platform/secrets/kept-secret.ts';
import { SettingsError } from '../../platform/settings/settings-error.ts';

/** A key with its certificate and those between it and its root, as DER. */
export type SigningKey = ReturnType<typeof checked>;

/** PEM files: a private key, and its certificate followed by those that vouch for it. */
export interface SigningFiles {
  readonly keyFile: string;
  readonly certificateFile: string;
}

/**
 * Reads the operator's pair. @throws {SettingsError} when a file cannot be read, or the two cannot sign documents now.
 */
export const readSigningKey = ({ keyFile, certificateFile }: SigningFiles, now: number): SigningKey => {
  const privateKey = within(`SERVICE_SIGNING_KEY: ${keyFile} does not hold a private key in PEM without a passphrase.`, () =>
    createPrivateKey(readFileSync(keyFile)),
  );
  const setting = `SERVICE_SIGNING_CERTIFICATE: ${certificateFile}`;
  const certificates = within(`${setting} does not hold a certificate in PEM.`, () =>
    certificatesIn(readFileSync(certificateFile, 'utf8')),
  );
  return checked(privateKey, certificates, setting, now);
};

/**
 * The pair in `<dataDir>/signing.pem`, made on first use. It is self-signed, so programs that verify call its
 * signatures valid and its issuer unknown.
 * @throws {SettingsError} when the file cannot be read or written.
 */
export const keptSigningKey = async (dataDir: string, owner: string, now: number): Promise<SigningKey> => {
  const pem = await keptText(dataDir, 'signing.pem', () => makePair(owner, now));
  const setting = `DATA_DIR: ${join(dataDir, 'signing.pem')}`;
  const [privateKey, certificates] = within(
    `${setting} does not hold a key and its certificate. Delete it to have a new pair made.`,
    () => [createPrivateKey(pem), certificatesIn(pem)],
  );
  return checked(privateKey, certificates, setting, now);
};

const certificatesIn = (pem: string) => {
  const found = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (found.length === 0) throw new TypeError('no certificate');
  return found.map((one) => new X509Certificate(one));
};

const checked = (privateKey: KeyObject, [own, ...others]: readonly X509Certificate[], setting: string, now: number) => {
  const problem = !own?.checkPrivateKey(privateKey)
    ? 'does not belong to the private key.'
    : now < own.validFromDate.getTime() || now > own.validToDate.getTime()
      ? `is valid from ${own.validFrom} to ${own.validTo} only.`
      : !canSign(privateKey)
        ? 'is for a kind of key that cannot sign documents: use RSA of 2048 bits or more, or the curve P-256 or P-384.'
        : undefined;
  if (!own || problem !== undefined) throw new SettingsError([`${setting} ${problem}`]);
  return { privateKey, certificate: new Uint8Array(own.raw), chain: others.map(({ raw }) => new Uint8Array(raw)) };
};

const canSign = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject) =>
  asymmetricKeyType === 'rsa'
    ? (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048
    : asymmetricKeyType === 'ec' && curves.has(asymmetricKeyDetails?.namedCurve ?? '');

const curves: ReadonlySet<string> = new Set(['prime256v1', 'secp384r1']);

const within = <Result>(problem: string, work: () => Result): Result => {
  try {
    return work();
  } catch (cause) {
    throw new SettingsError([problem], { cause });
  }
};

const tenYears = 3650 * 24 * 60 * 60 * 1000;

const makePair = async (owner: string, now: number): Promise<string> => {
  // Its containers ask for this at load.
  await import('reflect-metadata');
  const { BasicConstraintsExtension, KeyUsageFlags, KeyUsagesExtension, X509CertificateGenerator } = await import('@peculiar/x509');
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [`${owner} (development)`] }],
    // A minute ago: the verifier's clock may be a little behind.
    notBefore: new Date(now - 60_000),
    notAfter: new Date(now + tenYears),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.nonRepudiation, true),
    ],
  });
  return `${KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' })}${certificate.toString('pem')}`;
};
