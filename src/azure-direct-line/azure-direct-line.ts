// The chat page over an Azure bot's Direct Line: this server exchanges the channel's secret for tokens of one
// conversation each, and the page gets only a token (learn.microsoft.com, "Authentication in Direct Line API 3.0").
import { randomBytes } from 'node:crypto';
import { fetch } from 'undici';
import { z } from 'zod';
import { HttpProblem } from '../platform/http/http-problem.ts';
import { faultFields, type Log } from '../platform/log.ts';
import type { ChatTokens } from '../web/index.ts';

const issued = z.object({ token: z.string().min(1), conversationId: z.string().min(1), expires_in: z.number().positive() });

/** The longest time (ms) that a page waits for its token. */
const patience = 8_000;

/**
 * What `POST /chat/token` uses if the chat runs over Azure.
 * @param url - Direct Line's address: `https://directline.botframework.com`, or that of a region or another cloud
 * @param secret - one of the channel's two keys; it is sent to that address only
 * @param publicUrl - the page's own address: browsers elsewhere cannot use its tokens; unset: Azure does not check
 */
export const makeAzureDirectLine = (url: string, secret: string, publicUrl: string | undefined, log: Log): ChatTokens => {
  const post = (path: string, key: string, body?: object) =>
    fetch(`${url}/v3/directline/${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(patience),
    });
  /** A token; `undefined` if the given one is not valid (any more). @throws {HttpProblem} 503 on any other answer. */
  const tokenFrom = async (path: string, key: string, body?: object) => {
    try {
      const answer = await post(path, key, body);
      if (answer.status === 401 || answer.status === 403) return undefined;
      if (!answer.ok) throw Object.assign(new Error('refused'), { code: `status_${answer.status}` });
      return issued.parse(await answer.json());
    } catch (fault) {
      log.error({ ...faultFields(fault), component: 'directline', operation: path }, 'Azure’s Direct Line gives no token');
      throw unavailable();
    }
  };
  const refreshed = (token: string) => tokenFrom('tokens/refresh', token);

  return {
    issueToken: async () => {
      const userId = `dl_${randomBytes(16).toString('base64url')}`;
      const trustedOrigins = publicUrl && { trustedOrigins: [new URL(publicUrl).origin] };
      const token = await tokenFrom('tokens/generate', secret, { user: { id: userId }, ...trustedOrigins });
      if (token) return { ...token, userId };
      log.error({ component: 'directline', operation: 'tokens/generate' }, 'Azure’s Direct Line refuses the secret');
      throw unavailable();
    },

    // Only Azure can check it: a question to it would cost more than what the token is for.
    holdsToken: async (token) => token.length > 20,

    // The bot there could not be told that a different person may be using the chat, so another tab starts a new chat.
    renewToken: (token, _session, { resumed }) => (resumed ? Promise.resolve(undefined) : refreshed(token)),

    endConversation: async (token) => {
      const left = await refreshed(token);
      // The bot is told, and nobody is verified in that chat any more.
      if (left) await post(`conversations/${encodeURIComponent(left.conversationId)}/activities`, left.token, ending).catch(() => {});
    },
  };
};

const ending = { type: 'endOfConversation', from: { role: 'user' } };

const unavailable = () => new HttpProblem(503, 'unavailable', 'The chat cannot be reached right now.');
