// Keys and certificates for tests, as PEM files.
import 'reflect-metadata';
import { KeyObject } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { X509CertificateGenerator } from '@peculiar/x509';

export const algorithms = {
  'RSA of 2048 bits': { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
  'RSA of 1024 bits': { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]) },
  'the curve P-256': { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  'the curve P-384': { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' },
  'the curve P-521': { name: 'ECDSA', namedCurve: 'P-521', hash: 'SHA-512' },
} as const;

interface Validity {
  readonly notBefore: number;
  readonly notAfter: number;
}

/** A key with its certificate, both as PEM. */
export const makePem = async (kind: keyof typeof algorithms, { notBefore, notAfter }: Validity) => {
  const signingAlgorithm = algorithms[kind];
  const keys = (await crypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify'])) as CryptoKeyPair;
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Test signer',
    notBefore: new Date(notBefore),
    notAfter: new Date(notAfter),
    signingAlgorithm,
    keys,
  });
  return {
    key: KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: certificate.toString('pem'),
  };
};

/** Writes them into a folder, and returns their paths. */
export const writePair = (folder: string, { key, certificate }: { key: string; certificate: string }) => {
  const files = { keyFile: join(folder, 'signing.key'), certificateFile: join(folder, 'signing.crt') };
  writeFileSync(files.keyFile, key);
  writeFileSync(files.certificateFile, certificate);
  return files;
};
