// Shared by all Direct Line routes: errors, cross-origin rules, limits, and the token that says who speaks.
import type { IncomingMessage } from 'node:http';
import { type BodyLimits, readBody } from '../platform/http/http-body.ts';
import { HttpProblem, problemOf } from '../platform/http/http-problem.ts';
import type { Answer, HttpRequest, HttpServer, Method } from '../platform/http/http-server.ts';
import { limitRate, type Rate } from '../platform/limits.ts';
import { faultFields, type Log } from '../platform/log.ts';
import { rates } from '../platform/rates.ts';
import type { ChatBounds } from '../storage/index.ts';
import type { Pass, Tokens } from './tokens.ts';

/** An activity's JSON: 256 KB, 32 levels. */
export const requestLimits: BodyLimits = { size: 256 * 1024, depth: 32 };

/** Answers a request whose token is valid. */
type Spoken = (request: HttpRequest, pass: Pass) => Promise<Answer>;

/** @param allowedOrigins - those of other sites whose pages may use this Direct Line, `https://www.example.com` */
export const makeRest = (
  server: HttpServer,
  tokens: Tokens,
  allowedOrigins: readonly string[],
  publicUrl: string | undefined,
  limits: DirectLineLimits,
  log: Log,
) => {
  const admit = limitRate(limits.requests, 'too_many_requests', 'Too many requests in this conversation. Please wait a moment.');
  const allowed = new Set(allowedOrigins);
  const own = publicUrl === undefined ? undefined : new URL(publicUrl).origin;

  const crossOrigin = ({ origin }: IncomingMessage['headers']): Record<string, string> => ({
    Vary: 'Origin',
    ...(origin !== undefined && allowed.has(origin) && { 'Access-Control-Allow-Origin': origin }),
  });

  const refused = (request: HttpRequest, fault: unknown): Answer => {
    const error = fault instanceof DirectLineError ? fault : fromProblem(problemOf(fault));
    if (!(fault instanceof DirectLineError) && !(fault instanceof HttpProblem)) {
      log.error({ ...faultFields(fault), component: 'directline', request: request.requestId }, 'a Direct Line request failed');
    }
    return {
      status: error.status,
      // An unread body would be read as the next request.
      headers: { ...error.headers, ...(!request.raw.complete && { Connection: 'close' }) },
      body: { error: { code: error.code, message: error.message } },
    };
  };

  const route = (method: Method, path: string, handler: (request: HttpRequest) => Promise<Answer>) =>
    server.route(
      method,
      path,
      async (request) => {
        const answer = await handler(request).catch((fault) => refused(request, fault));
        return { ...answer, headers: { ...crossOrigin(request.headers), ...answer.headers } };
      },
      { body: 'none' },
    );

  const authenticate = async ({ headers: { authorization } }: HttpRequest): Promise<Pass> => {
    const token = /^Bearer +([\w.~+/=-]+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined)
      throw new DirectLineError(401, 'MissingToken', 'Send the token as Authorization: Bearer.', { 'WWW-Authenticate': 'Bearer' });
    const pass = await tokens.readPass(token);
    if (pass === 'expired') throw new DirectLineError(403, 'TokenExpired', 'Token has expired.');
    if (pass === 'invalid') throw new DirectLineError(403, 'BadArgument', 'Invalid token.');
    return pass;
  };

  return {
    /** A route for everybody, in Direct Line's form. */
    open: route,

    /** A route for holders of a token; if the path names a conversation, of a token for that one. */
    spoken: (method: Method, path: string, handler: Spoken) =>
      route(method, path, async (request) => {
        const pass = await authenticate(request);
        const { id } = request.params;
        if (id !== undefined && id !== pass.conversationId) {
          throw new DirectLineError(403, 'BadArgument', 'The token is for another conversation.');
        }
        await admit(pass.conversationId);
        return handler(request, pass);
      }),

    /** Answers a browser's preflight of a cross-origin request (Fetch Standard, CORS protocol). */
    preflight: (path: string) =>
      server.route(
        'OPTIONS',
        path,
        ({ headers }) => ({
          status: 204,
          headers: {
            ...crossOrigin(headers),
            'Access-Control-Allow-Methods': 'GET, POST',
            'Access-Control-Allow-Headers': 'authorization, content-type, x-ms-bot-agent, x-requested-with',
            'Access-Control-Max-Age': '7200',
          },
        }),
        { body: 'none' },
      ),

    /** The request's JSON within an activity's limits. */
    readJson: (request: HttpRequest) => readBody(request.raw, requestLimits),

    /**
     * Whether a page of the request's origin may open a stream: our own, or one on the list. Programs other than
     * browsers send none.
     */
    mayConnect: ({ headers: { origin, host } }: IncomingMessage) =>
      origin === undefined || origin === own || allowed.has(origin) || URL.parse(origin)?.host === host,
  };
};

export type Rest = ReturnType<typeof makeRest>;

/** The error codes that clients get. Stable: programs branch on them. */
export type DirectLineCode =
  | 'BadArgument'
  | 'BotError'
  | 'ConversationNotFound'
  | 'Forbidden'
  | 'MessageSizeTooBig'
  | 'MissingToken'
  | 'NotFound'
  | 'NotSupported'
  | 'ServiceError'
  | 'TokenExpired'
  | 'TooManyRequests';

/** An expected refusal. The message is for developers and contains no personal data. */
export class DirectLineError extends Error {
  override readonly name = 'DirectLineError';
  readonly status: number;
  readonly code: DirectLineCode;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, code: DirectLineCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

const codes: Readonly<Record<number, DirectLineCode>> = {
  413: 'MessageSizeTooBig',
  429: 'TooManyRequests',
  500: 'ServiceError',
  503: 'ServiceError',
};

/** A refusal by the body's reader, by the bot or by the server, in Direct Line's form. */
export const fromProblem = ({ status, detail, headers }: HttpProblem) =>
  new DirectLineError(status, codes[status] ?? 'BadArgument', detail, headers);

export interface DirectLineLimits {
  /** Requests with the conversation's tokens. */
  readonly requests: Rate;
  /** Bytes of messages from one network, over all its conversations. */
  readonly bytes: Rate;
  /** Reads whose answers the client has yet to receive. Each may keep a page of activities in memory. */
  readonly reads: number;
  /** Stored activities. The bot may always answer; the customer is told to begin a new chat. */
  readonly chat: ChatBounds;
}

/** A finished conversation with one interaction counts about 31 KB, its activities whole, and 18 changes. */
export const usualLimits: DirectLineLimits = {
  requests: rates.chatRequests,
  bytes: rates.chatBytes,
  reads: 4,
  chat: { bytes: 2 * 1024 * 1024, revisions: 5_000 },
};
