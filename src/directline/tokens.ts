// The tokens of Direct Line: who may speak in a conversation, who may listen to its stream, who may see a file. Each for one thing only.
import { createHash, timingSafeEqual } from 'node:crypto';
import { type JWTPayload, errors as joseErrors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import type { Clock } from '../platform/clock.ts';

/** What someone trusted found out about the customer before the chat, for example the page that embeds it. */
export interface Verified {
  /** E.164. */
  readonly phoneNumber?: string | undefined;
}

/** Who a token speaks for. */
export interface Pass {
  readonly conversationId: string;
  readonly userId: string;
  readonly verified?: Verified | undefined;
  /** The browser session that may renew the token once it has expired, as {@link sessionHash}. */
  readonly session?: string | undefined;
}

/** A token as it is handed out. `expires_in` is in seconds, as in Direct Line. */
export interface IssuedToken {
  readonly token: string;
  readonly conversationId: string;
  readonly userId: string;
  readonly expires_in: number;
}

const lifetimes = { chat: 30 * 60, stream: 60, file: 60 * 60, renewal: 24 * 60 * 60 } as const;

type Use = 'chat' | 'stream' | 'file';
type Read<Content> = Content | 'expired' | 'invalid';

const passClaims = z.object({
  conversation: z.string().min(1),
  // Named so because Web Chat reads the user's id there.
  user: z.string().min(1),
  verified: z.object({ phoneNumber: z.string().optional() }).optional(),
  session: z.string().optional(),
});
const streamClaims = z.object({ conversation: z.string().min(1) });
const fileClaims = z.object({ conversation: z.string().min(1), file: z.string().min(1) });

const issuer = 'countersign';

/** A browser session's secret as a token carries it: of no use to whoever reads the token. */
export const sessionHash = (secret: string) => createHash('sha256').update(secret).digest('base64url');

const sameText = (one: string, other: string) => one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** Makes and reads tokens, HS256 under one key (RFC 7519); the audience keeps the uses apart. */
export const makeTokens = ({ key, clock }: { readonly key: Uint8Array; readonly clock: Clock }) => {
  const sign = (use: Use, claims: JWTPayload) => {
    const now = Math.floor(clock.now() / 1000);
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer(issuer)
      .setAudience(use)
      .setIssuedAt(now)
      .setExpirationTime(now + lifetimes[use])
      .sign(key);
  };

  const read = async <Claims>(token: string, use: Use, claims: z.ZodType<Claims>, tolerance = 0): Promise<Read<Claims>> => {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['HS256'],
        issuer,
        audience: use,
        requiredClaims: ['exp'],
        currentDate: new Date(clock.now()),
        clockTolerance: tolerance,
      });
      return claims.parse(payload);
    } catch (fault) {
      if (fault instanceof joseErrors.JWTExpired) return 'expired';
      if (fault instanceof joseErrors.JOSEError || fault instanceof z.ZodError) return 'invalid';
      throw fault;
    }
  };

  const readPass = async (token: string, tolerance = 0): Promise<Read<Pass>> => {
    const claims = await read(token, 'chat', passClaims, tolerance);
    if (typeof claims === 'string') return claims;
    const { conversation, user, verified, session } = claims;
    return { conversationId: conversation, userId: user, ...(verified && { verified }), ...(session !== undefined && { session }) };
  };

  return {
    issue: async ({ conversationId, userId, verified, session }: Pass): Promise<IssuedToken> => ({
      token: await sign('chat', { conversation: conversationId, user: userId, verified, session }),
      conversationId,
      userId,
      expires_in: lifetimes.chat,
    }),

    readPass: (token: string) => readPass(token),

    /**
     * Who a token speaks for, or spoke for: one that expired, at most a day ago, counts only when it is shown by the browser session it was
     * made for. What was verified about the customer is not carried over from an expired one: it was true for the token's own time. The pass is
     * the given session's from here on.
     */
    readRenewable: async (token: string, sessionSecret: string): Promise<Pass | undefined> => {
      const session = sessionHash(sessionSecret);
      const alive = await readPass(token);
      if (typeof alive !== 'string') return { ...alive, session };
      const spoke = await readPass(token, lifetimes.renewal);
      if (typeof spoke === 'string' || spoke.session === undefined || !sameText(spoke.session, session)) return undefined;
      return { ...spoke, verified: undefined };
    },

    stream: (conversationId: string) => sign('stream', { conversation: conversationId }),
    /** Whether the token opens the stream of this conversation. */
    opensStream: async (token: string, conversationId: string) => {
      const claims = await read(token, 'stream', streamClaims);
      return typeof claims !== 'string' && claims.conversation === conversationId;
    },

    file: (conversationId: string, fileId: string) => sign('file', { conversation: conversationId, file: fileId }),
    opensFile: async (token: string, conversationId: string, fileId: string) => {
      const claims = await read(token, 'file', fileClaims);
      return typeof claims !== 'string' && claims.conversation === conversationId && claims.file === fileId;
    },
  };
};

export type Tokens = ReturnType<typeof makeTokens>;
