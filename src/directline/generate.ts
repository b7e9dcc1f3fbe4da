// Tokens for pages of other sites: their server asks for one with the shared secret, and may vouch for who the customer is
// (learn.microsoft.com, "Direct Line API 3.0 authentication": Generate Token).
import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

import { DirectLineError } from './errors.ts';
import type { Rest } from './rest.ts';
import type { IssuedToken, Verified } from './tokens.ts';

export interface GenerateParts {
  readonly rest: Rest;
  /** `undefined`: nobody can ask. */
  readonly secret: string | undefined;
  readonly issue: (request: { userId?: string | undefined; verified?: Verified | undefined }) => Promise<IssuedToken>;
}

/** As Direct Line's own: a user's id begins with `dl_`, so that no page can pass for a user of another channel. */
const asked = z
  .object({
    user: z.object({ id: z.string().regex(/^dl_[\w.@-]{1,64}$/) }).optional(),
    /** Vouched for by the caller; the bot does not ask for it again. */
    verified: z.object({ phoneNumber: z.e164() }).optional(),
  })
  .default({});

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Adds `POST /v3/directline/tokens/generate`. Without a secret, or with a wrong one, it is 403 for everybody. */
export const addGenerate = ({ rest, secret, issue }: GenerateParts) => {
  const expected = secret === undefined ? undefined : digest(secret);
  rest.open('POST', '/v3/directline/tokens/generate', async (request) => {
    const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (!expected || !timingSafeEqual(digest(given), expected)) throw new DirectLineError(403, 'BadArgument', 'Missing or invalid secret.');
    const body = asked.safeParse((await rest.readJson(request)) ?? {});
    if (!body.success) {
      throw new DirectLineError(400, 'BadArgument', `${body.error.issues[0]?.path.join('.') || 'The body'} is not as it should be.`);
    }
    const { user, verified } = body.data;
    const { token, conversationId, expires_in, userId } = await issue({ userId: user?.id, verified });
    return { status: 200, body: { token, conversationId, expires_in, userId } };
  });
};
