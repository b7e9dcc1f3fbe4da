// The tokens of Direct Line: to speak in a conversation, to listen to its stream, to see a file. Each has only one
// purpose.
import { createHash, webcrypto } from 'node:crypto';
import { type JWTPayload, errors as joseErrors, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { sameBytes } from '../platform/secrets/sealing.ts';
import type { Clock } from '../platform/time/clock.ts';

/** A customer's number (E.164), as a trusted party verified it before the chat, for example the page that embeds it. */
export type VouchedFor = { readonly phoneNumber?: string | undefined };

/** The bearer of a token. */
export interface Pass {
  readonly conversationId: string;
  readonly userId: string;
  readonly verified?: VouchedFor | undefined;
  /**
   * The browser session that the token belongs to, as {@link sessionHash}. Only this session may renew it, even after
   * it has expired.
   */
  readonly session?: string | undefined;
  /**
   * When the conversation's first token was issued, in seconds of the epoch. All of its tokens end {@link
   * lifetimes.conversation} later.
   */
  readonly begun: number;
}

/** A token as it is issued. `expires_in` is in seconds, as in Direct Line. */
export type IssuedToken = Pick<Pass, 'conversationId' | 'userId'> & { readonly token: string; readonly expires_in: number };

/** In seconds. However often a token is refreshed, it cannot outlast the conversation's own lifetime. */
const lifetimes = { chat: 30 * 60, stream: 60, file: 60 * 60, conversation: 12 * 60 * 60 } as const;

type Use = 'chat' | 'stream' | 'file';
type Read<Content> = Content | 'expired' | 'invalid';

const passClaims = z.object({
  conversation: z.string().min(1),
  // Under this name because Web Chat reads the user's id there.
  user: z.string().min(1),
  begun: z.int(),
  verified: z.object({ phoneNumber: z.string().optional() }).optional(),
  session: z.string().optional(),
});
const streamClaims = z.object({ conversation: z.string().min(1), until: z.int() });
const fileClaims = z.object({ conversation: z.string().min(1), file: z.string().min(1) });
const claimsFor = { chat: passClaims, stream: streamClaims, file: fileClaims } as const;
type Claims<For extends Use> = z.output<(typeof claimsFor)[For]>;

const issuer = 'countersign';

/** A browser session's secret in the form that a token carries, from which it cannot be recovered. */
export const sessionHash = (secret: string) => createHash('sha256').update(secret).digest('base64url');

const endOf = (begun: number) => begun + lifetimes.conversation;

/** Tokens that are known to be ours. */
const maxRemembered = 10_000;

/** Makes and reads tokens, HS256 under one key (RFC 7519). The audience separates the purposes. */
export const makeTokens = ({ key, clock }: { readonly key: Uint8Array; readonly clock: Clock }) => {
  const seconds = () => Math.floor(clock.now() / 1000);
  // Imported once; raw bytes would be imported again for every signature.
  const imported = webcrypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);

  /**
   * Claims of tokens that were signed or verified here: a client sends a token with every message.
   */
  const known = new LRUCache<string, { readonly claims: object; readonly exp: number }>({ max: maxRemembered });

  const sign = async (use: Use, claims: JWTPayload, lifetime: number = lifetimes[use]) => {
    const now = seconds();
    const exp = now + lifetime;
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer(issuer)
      .setAudience(use)
      .setIssuedAt(now)
      .setExpirationTime(exp)
      .sign(await imported);
    const { data } = claimsFor[use].safeParse(claims);
    if (data) known.set(`${use} ${token}`, { claims: data, exp });
    return token;
  };

  const read = async <For extends Use>(token: string, use: For, tolerance = 0): Promise<Read<Claims<For>>> => {
    const name = `${use} ${token}`;
    const found = known.get(name);
    if (found) return found.exp <= seconds() - tolerance ? 'expired' : (found.claims as Claims<For>);
    try {
      const { payload } = await jwtVerify(token, await imported, {
        algorithms: ['HS256'],
        issuer,
        audience: use,
        requiredClaims: ['exp'],
        currentDate: new Date(clock.now()),
        clockTolerance: tolerance,
      });
      const claims = claimsFor[use].parse(payload) as Claims<For>;
      known.set(name, { claims, exp: payload.exp as number });
      return claims;
    } catch (fault) {
      if (fault instanceof joseErrors.JWTExpired) return 'expired';
      if (fault instanceof joseErrors.JOSEError || fault instanceof z.ZodError) return 'invalid';
      throw fault;
    }
  };

  const readPass = async (token: string, tolerance = 0): Promise<Read<Pass>> => {
    const claims = await read(token, 'chat', tolerance);
    if (typeof claims === 'string') return claims;
    const { conversation, user, verified, session, begun } = claims;
    if (seconds() >= endOf(begun)) return 'expired';
    return { conversationId: conversation, userId: user, begun, ...(verified && { verified }), ...(session !== undefined && { session }) };
  };

  return {
    /** A token for a conversation that begins now, or earlier if the bearer's did. */
    issue: async (bearer: Omit<Pass, 'begun'> & Partial<Pass>): Promise<IssuedToken> => {
      const { begun = seconds(), conversationId, userId, verified, session } = bearer;
      const lifetime = Math.min(lifetimes.chat, endOf(begun) - seconds());
      const token = await sign('chat', { conversation: conversationId, user: userId, verified, session, begun }, lifetime);
      return { token, conversationId, userId, expires_in: lifetime };
    },

    readPass: (token: string) => readPass(token),

    /**
     * The bearer of a token, valid or expired, as long as the conversation has not ended. A token of a browser session
     * counts only if that session presents it. Facts verified about the customer are not carried over from an expired
     * token: they were true for its own time.
     */
    readRenewable: async (token: string, sessionSecret: string): Promise<Pass | undefined> => {
      const spoke = await readPass(token, lifetimes.conversation);
      if (typeof spoke === 'string') return undefined;
      const owned = spoke.session !== undefined && sameBytes(Buffer.from(spoke.session), Buffer.from(sessionHash(sessionSecret)));
      const alive = typeof (await readPass(token)) !== 'string';
      if (alive) return owned || spoke.session === undefined ? spoke : undefined;
      return owned ? { ...spoke, verified: undefined } : undefined;
    },

    stream: ({ conversationId, begun }: Pass) => sign('stream', { conversation: conversationId, until: endOf(begun) }),
    /** Until when (seconds of the epoch) the token opens the stream of this conversation; `undefined`: it does not. */
    opensStream: async (token: string, conversationId: string): Promise<number | undefined> => {
      const claims = await read(token, 'stream');
      return typeof claims !== 'string' && claims.conversation === conversationId ? claims.until : undefined;
    },

    file: (conversationId: string, fileId: string) => sign('file', { conversation: conversationId, file: fileId }),
    opensFile: async (token: string, conversationId: string, fileId: string) => {
      const claims = await read(token, 'file');
      return typeof claims !== 'string' && claims.conversation === conversationId && claims.file === fileId;
    },
  };
};

export type Tokens = ReturnType<typeof makeTokens>;
