// A software authenticator, for behaviour that no browser has: answering without a user, from another origin, or with a
// counter that runs backwards.
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** Deviations from an honest device's answers. */
export interface Deviation {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly userVerified?: boolean;
  readonly userPresent?: boolean;
  readonly counter?: number;
  readonly userHandle?: string | undefined;
  /** Signs with its own key. */
  readonly forged?: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: options come as JSON from the service, whose shape the tests assert by using it.
type Options = any;

interface Made {
  readonly id: Buffer;
  readonly rpId: string;
  readonly userHandle: string;
  readonly key: KeyObject;
  counter: number;
}

export interface TestAuthenticator {
  /** Answers creation options, in the form of the page's field. */
  create(options: Options, deviation?: Deviation): string;
  /** Answers request options with its newest passkey. */
  get(options: Options, deviation?: Deviation): string;
  /** An authenticator with the same keys and counters, as a thief would clone it. */
  copy(): TestAuthenticator;
}

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();
const base64url = (data: Uint8Array) => Buffer.from(data).toString('base64url');

const clientData = (type: string, challenge: string, origin: string) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

const flagsOf = ({ userPresent = true, userVerified = true }: Deviation, attested: boolean) =>
  (userPresent ? 0x01 : 0) | (userVerified ? 0x04 : 0) | (attested ? 0x40 : 0);

const authenticatorData = (rpId: string, flags: number, counter: number, more = Buffer.alloc(0)) => {
  const head = Buffer.alloc(37);
  sha256(rpId).copy(head);
  head.writeUInt8(flags, 32);
  head.writeUInt32BE(counter, 33);
  return Buffer.concat([head, more]);
};

const ellipticKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

const coseKey = (publicKey: KeyObject) => {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const key = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
    [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
  ]);
  return Buffer.from(isoCBOR.encode(key));
};

/** An authenticator on a device that shows pages of `origin`. */
export const makeAuthenticator = (origin: string, made: Made[] = []): TestAuthenticator => ({
  create: (options, deviation = {}) => {
    const { publicKey, privateKey } = ellipticKey();
    const id = randomBytes(32);
    const rpId = deviation.rpId ?? options.rp.id;
    const counter = deviation.counter ?? 1;
    made.push({ id, rpId, userHandle: options.user.id, key: privateKey, counter });
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)]);
    const authData = new Uint8Array(authenticatorData(rpId, flagsOf(deviation, true), counter, attested));
    const attestation = new Map<string, string | Map<string, never> | Uint8Array>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, never>()],
      ['authData', authData],
    ]);
    const written = clientData(deviation.type ?? 'webauthn.create', deviation.challenge ?? options.challenge, deviation.origin ?? origin);
    return JSON.stringify({
      id: base64url(id),
      rawId: base64url(id),
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(written),
        attestationObject: base64url(isoCBOR.encode(attestation)),
        transports: ['internal', 'hybrid'],
      },
    });
  },
  get: (options, deviation = {}) => {
    const passkey = made.at(-1);
    if (!passkey) throw new Error('there is no passkey on this device');
    passkey.counter = deviation.counter ?? (passkey.counter === 0 ? 0 : passkey.counter + 1);
    const data = authenticatorData(deviation.rpId ?? passkey.rpId, flagsOf(deviation, false), passkey.counter);
    const written = clientData(deviation.type ?? 'webauthn.get', deviation.challenge ?? options.challenge, deviation.origin ?? origin);
    const signer = createSign('sha256').update(data).update(sha256(written));
    const userHandle = 'userHandle' in deviation ? deviation.userHandle : passkey.userHandle;
    return JSON.stringify({
      id: base64url(passkey.id),
      rawId: base64url(passkey.id),
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(written),
        authenticatorData: base64url(data),
        signature: base64url(signer.sign(deviation.forged ? ellipticKey().privateKey : passkey.key)),
        ...(userHandle !== undefined && { userHandle }),
      },
    });
  },
  copy: () =>
    makeAuthenticator(
      origin,
      made.map((passkey) => ({ ...passkey })),
    ),
});
