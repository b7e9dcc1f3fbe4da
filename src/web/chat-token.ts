// The chat page's token: given to our own pages only, for a new conversation or for this browser's earlier one.
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { isSameOrigin, networkOf } from '../platform/http/client-address.ts';
import { HttpProblem } from '../platform/http/http-problem.ts';
import type { HttpServer } from '../platform/http/http-server.ts';
import { limitRate } from '../platform/limits.ts';
import type { ChatPageOptions } from './options.ts';

const token = z.string().max(4096);
const wanted = z
  .object({ token: token.optional(), sameTab: z.boolean().optional(), framed: z.boolean().optional(), ended: token.optional() })
  .optional();

/** The cookie's name and attributes: bound to this very host if the connection is secure (RFC 6265bis, 4.1.3.2). */
const cookieOf = (publicUrl: string | undefined) =>
  publicUrl?.startsWith('https:')
    ? { name: '__Host-countersign-chat', attributes: 'Path=/; Secure; HttpOnly; SameSite=Strict' }
    : { name: 'countersign-chat', attributes: 'Path=/chat; HttpOnly; SameSite=Strict' };

/**
 * In a frame on another site, browsers store cookies only separately for each such site (CHIPS, `Partitioned`).
 * Requests are checked for their origin, so `SameSite=None` gives no access.
 */
const framedCookieOf = (publicUrl: string | undefined) =>
  publicUrl?.startsWith('https:')
    ? { name: '__Host-countersign-framed', attributes: 'Path=/; Secure; HttpOnly; SameSite=None; Partitioned' }
    : cookieOf(publicUrl);

/**
 * `POST /chat/token` `{ token?, sameTab?, ended? }` → `{ token, conversationId?, userId, expires_in }`, as the page's
 * Direct Line client expects it: `conversationId` only if there is a conversation to continue. `ended` is the token of
 * a conversation that the customer has left for good. If the page does not say that it is the same tab, a different
 * person may be using this browser: the chat continues, but nobody is verified in it any more.
 *
 * The cookie lets a browser continue after a long break: the page's token expires within half an hour, and renewing it
 * takes the cookie, which no script can read. Neither is of use without the other.
 */
export const addChatToken = (
  server: HttpServer,
  { issueToken, renewToken, endConversation, rate, publicUrl, embedOrigins = [] }: ChatPageOptions,
) => {
  const cookies = { own: cookieOf(publicUrl), framed: framedCookieOf(publicUrl) };
  const begin = limitRate(rate, 'too_many_chats', 'Too many new chats were begun from here. Please wait a few minutes.');
  server.route('POST', '/chat/token', async (request) => {
    if (!isSameOrigin(request, publicUrl)) throw new HttpProblem(403, 'cross_site', 'Only the chat page itself can ask for a token.');
    const { success, data } = wanted.safeParse(request.body);
    if (!success) throw new HttpProblem(422, 'invalid', 'Send nothing, { "token": "…" } or { "ended": "…" }.');
    const { name, attributes } = cookies[embedOrigins.length > 0 && data?.framed ? 'framed' : 'own'];
    const held = new RegExp(`(?:^|;\\s*)${name}=([\\w-]{43})(?:;|$)`).exec(request.headers.cookie ?? '')?.[1];
    const session = held ?? randomBytes(32).toString('base64url');
    if (data?.ended !== undefined) await endConversation(data.ended, session);
    const renewed = data?.token === undefined ? undefined : await renewToken(data.token, session, { resumed: data.sameTab !== true });
    if (!renewed) await begin(networkOf(request.clientAddress));
    const { conversationId, ...issued } = renewed ?? (await issueToken({ session }));
    return {
      status: 200,
      headers: { 'Set-Cookie': `${name}=${session}; ${attributes}` },
      body: { ...issued, ...(renewed && { conversationId }) },
    };
  });
};
