// The keys of a token issuer, read from the address in its metadata.
import { createRemoteJWKSet, customFetch, errors as joseErrors } from 'jose';
import { Agent, type Dispatcher, fetch } from 'undici';
import { z } from 'zod';

export type RemoteKeys = ReturnType<typeof createRemoteJWKSet>;

/** The connections to a publisher of keys, bounded in number and in size of answers. */
export const makeAuthorityDispatcher = (): Agent =>
  new Agent({ allowH2: false, connect: { timeout: 3000 }, connections: 2, maxResponseSize: 1024 * 1024 });

const aDay = 24 * 60 * 60_000;
const metadata = z.object({ issuer: z.string().optional(), jwks_uri: z.url() });

/** Faults of a token. Any other fault of a check is ours or the network's. */
const tokenFaults: readonly (abstract new (...args: never[]) => Error)[] = [
  joseErrors.JOSEAlgNotAllowed,
  joseErrors.JOSENotSupported,
  joseErrors.JWKSMultipleMatchingKeys,
  joseErrors.JWKSNoMatchingKey,
  joseErrors.JWSInvalid,
  joseErrors.JWSSignatureVerificationFailed,
  joseErrors.JWTClaimValidationFailed,
  joseErrors.JWTExpired,
  joseErrors.JWTInvalid,
];

/** Whether a check failed because of the token itself. */
export const isTokenFault = (fault: unknown): boolean => tokenFaults.some((kind) => fault instanceof kind);

/** The code of the refusal while keys cannot be read. */
export const keysUnavailable = 'keys_unavailable';

/**
 * Returns the keys, which are read on first use and kept for a day. Throws while they cannot be read.
 * @param metadataUrls - possible addresses of the metadata; the first that exists counts
 * @param issuer - the issuer that the metadata must name; `undefined`: any
 * @param deadline - for one request, in milliseconds
 */
export const makeRemoteKeys = (
  metadataUrls: readonly string[],
  issuer: string | undefined,
  dispatcher: Dispatcher,
  deadline = 5000,
): (() => Promise<RemoteKeys>) => {
  let keys: RemoteKeys | undefined;
  let reading: Promise<RemoteKeys> | undefined;

  const readMetadata = async () => {
    for (const url of metadataUrls) {
      const response = await fetch(url, { dispatcher, redirect: 'error', signal: AbortSignal.timeout(deadline) });
      if (response.status === 404 && url !== metadataUrls.at(-1)) {
        await response.body?.cancel();
        continue;
      }
      if (!response.ok) throw new Error(`the metadata answered ${response.status}`);
      const read = metadata.parse(await response.json());
      if (issuer !== undefined && read.issuer !== issuer) throw new Error('the metadata are of another issuer');
      return read.jwks_uri;
    }
    throw new Error('there are no metadata');
  };

  const read = async () =>
    createRemoteJWKSet(new URL(await readMetadata()), {
      cacheMaxAge: aDay,
      // An unknown key id may belong to a new key or be invented, so the keys are read again twice a minute at most.
      cooldownDuration: 30_000,
      timeoutDuration: deadline,
      [customFetch]: async (url, { headers, ...options }) =>
        (await fetch(url, { ...options, headers: [...headers], dispatcher })) as unknown as Response,
    });

  return async () => {
    if (keys) return keys;
    reading ??= read().finally(() => {
      reading = undefined;
    });
    keys = await reading;
    return keys;
  };
};
