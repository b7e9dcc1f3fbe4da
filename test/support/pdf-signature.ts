// An independent check of a PDF's signature: PKI.js, and the bytes themselves. Uses nothing of the library that signed
// it.
import { webcrypto } from 'node:crypto';
import { fromBER } from 'asn1js';
import { ContentInfo, CryptoEngine, SignedData } from 'pkijs';

// Passed with every call: the process-wide one belongs to whichever copy of the library was loaded last.
const engine = new CryptoEngine({ name: 'node', crypto: webcrypto as Crypto });

export interface SignatureFound {
  /** Whether the signature is valid for the bytes that it claims to cover. */
  readonly valid: boolean;
  /** Whether these are all of the file's bytes except the signature itself. */
  readonly whole: boolean;
  readonly subFilter: string;
  /** The identifiers of the other signed attributes (RFC 5652, 11; RFC 5035). */
  readonly attributes: readonly string[];
  /** The signer's certificate, as DER. */
  readonly certificate: Buffer;
}

export const signingCertificateV2 = '1.2.840.113549.1.9.16.2.47';

/** Looks at the only signature in a file. */
export const readSignature = async (file: Buffer): Promise<SignatureFound> => {
  const text = file.toString('latin1');
  const [, a, b, c, d] = /\/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]/.exec(text) ?? [];
  const [start, length, next, rest] = [a, b, c, d].map(Number) as [number, number, number, number];
  const hole = text.slice(start + length, next);
  const contents = Buffer.from(hole.slice(1, -1), 'hex');
  const parsed = fromBER(new Uint8Array(contents));
  const info = new ContentInfo({ schema: parsed.result });
  const signed = new SignedData({ schema: info.content });
  const data = Buffer.concat([file.subarray(start, start + length), file.subarray(next, next + rest)]);
  const valid = await signed.verify({ signer: 0, data: new Uint8Array(data).buffer, checkChain: false }, engine).catch(() => false);
  const [signer] = signed.signerInfos;
  const [certificate] = signed.certificates ?? [];
  return {
    valid,
    whole: start === 0 && next + rest === file.length && /^<[0-9A-Fa-f]+>$/.test(hole) && text.match(/\/ByteRange/g)?.length === 1,
    subFilter: /\/SubFilter\s*\/([\w.]+)/.exec(text)?.[1] ?? '',
    attributes: signer?.signedAttrs?.attributes.map(({ type }) => type) ?? [],
    certificate: Buffer.from((certificate as { toSchema(): { toBER(): ArrayBuffer } }).toSchema().toBER()),
  };
};
