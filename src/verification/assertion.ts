// Proves to other programs that a chat is verified: a short-lived signed token (RFC 7519), and the keys to check it
// with (RFC 7517).
import { hash } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { z } from 'zod';
import { SettingsError } from '../platform/settings/settings-error.ts';
import type { Clock } from '../platform/time/clock.ts';
import type { Verification } from './verification.ts';

/** The verification that a token proves. */
type Proven = Pick<Verification, 'method' | 'customerRef' | 'requestId' | 'at' | 'until'>;

/**
 * Whom a token is for, and what about: a conversation, as {@link shownConversation} names it, and its handoff's id. It
 * proves nothing elsewhere.
 */
type Audience = { readonly audience: string; readonly conversation: string; readonly handoff?: string | undefined };

/** A conversation's name for other programs: the channel's own contains ids that stay private. */
export const shownConversation = (conversation: string): string => hash('sha256', conversation, 'base64url').slice(0, 22);

export type Assertions = Awaited<ReturnType<typeof makeAssertions>>;

/** Seconds. */
const maxLifetime = 300;

const common = { d: z.base64url(), x: z.base64url() };
const privateKey = z.discriminatedUnion('kty', [
  z.object({ kty: z.literal('EC'), crv: z.literal('P-256'), y: z.base64url(), ...common }).transform((jwk) => ({ ...jwk, alg: 'ES256' })),
  z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), ...common }).transform((jwk) => ({ ...jwk, alg: 'EdDSA' })),
]);
/** One key, or several while they are being replaced: the first signs. */
const keySet = z.union([z.object({ keys: z.array(privateKey).min(1).max(5) }), privateKey.transform((key) => ({ keys: [key] }))]);

/** A new key, as stored. ES256, because every library that checks tokens supports it. */
export const makeAssertionKey = async (): Promise<string> => {
  const { privateKey: made } = await generateKeyPair('ES256', { extractable: true });
  return JSON.stringify({ keys: [await exportJWK(made)] });
};

/**
 * @param given - a private JWK, or a set of them, as JSON, and the setting that has it, for error messages
 * @param issuer - the address under which the keys are published
 * @throws {SettingsError} if the keys cannot be used.
 */
export const makeAssertions = async (
  given: { readonly keys: string; readonly setting: string },
  issuer: string,
  clock: Clock,
  newId: () => string,
) => {
  const keys = await readKeys(given.keys, given.setting);
  const [current] = keys as [SigningKey];
  return {
    /** The public halves of all keys, for `/.well-known/jwks.json`. */
    jwks: { keys: keys.map(({ published }) => published) },
    /** A token for one audience and chat, valid for five minutes, or until the verification ends if that is sooner. */
    sign: ({ method, customerRef, requestId, at, until }: Proven, { audience, conversation, handoff }: Audience): Promise<string> => {
      const now = Math.floor(clock.now() / 1000);
      const claims = {
        cs_verified: true,
        cs_verified_method: method,
        cs_verified_at: Math.floor(at / 1000),
        cs_verified_until: Math.floor(until / 1000),
        cs_request_id: requestId,
        cs_conversation: conversation,
        ...(handoff !== undefined && { cs_handoff: handoff }),
      };
      return new SignJWT(claims)
        .setProtectedHeader({ alg: current.alg, kid: current.kid, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(customerRef)
        .setIssuedAt(now)
        .setExpirationTime(Math.min(now + maxLifetime, Math.floor(until / 1000)))
        .setJti(newId())
        .sign(current.key);
    },
  };
};

type SigningKey = Awaited<ReturnType<typeof readKeys>>[number];

const readKeys = async (text: string, setting: string) => {
  const refuse = (cause?: unknown) =>
    new SettingsError([`${setting}: must be a private key as JSON (JWK: EC P-256 or Ed25519), or a set of them.`], { cause });
  const { success, data } = keySet.safeParse(parseJson(text));
  if (!success) throw refuse();
  try {
    return await Promise.all(
      data.keys.map(async (jwk) => {
        const { d: _, ...open } = jwk;
        const kid = await calculateJwkThumbprint(open);
        return { key: await importJWK(jwk, jwk.alg), alg: jwk.alg, kid, published: { ...open, kid, use: 'sig' } as JWK };
      }),
    );
  } catch (cause) {
    throw refuse(cause);
  }
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
