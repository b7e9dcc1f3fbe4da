// What every Direct Line route has in common: its errors, cross-origin rules, and the token that says who speaks.
import type { IncomingMessage } from 'node:http';
import { type BodyLimits, readBody } from '../platform/http-body.ts';
import { HttpProblem } from '../platform/http-problem.ts';
import type { Answer, HttpRequest, HttpServer, Method } from '../platform/http-server.ts';
import { faultFields, type Log } from '../platform/log.ts';
import type { Rate, TakePoint } from '../platform/rate-limit.ts';
import type { ChatBounds } from '../storage/index.ts';
import type { Pass, Tokens } from './tokens.ts';

/** An activity's JSON: 256 KB, 32 levels. */
export const requestLimits: BodyLimits = { size: 256 * 1024, depth: 32 };

export interface RestOptions {
  readonly server: HttpServer;
  readonly tokens: Tokens;
  /** Origins of other sites whose pages may use this Direct Line, `https://www.example.com`. */
  readonly allowedOrigins: readonly string[];
  /** Where the public finds us, when that is not where we listen. */
  readonly publicUrl: string | undefined;
  /** Takes a point of the conversation's for each request, whatever it asks. */
  readonly admit: TakePoint;
  readonly log: Log;
}

/** Answers a request of somebody whose token was read. */
type Spoken = (request: HttpRequest, pass: Pass) => Promise<Answer>;

export const makeRest = ({ server, tokens, allowedOrigins, publicUrl, admit, log }: RestOptions) => {
  const allowed = new Set(allowedOrigins);
  const own = publicUrl === undefined ? undefined : new URL(publicUrl).origin;

  const crossOrigin = ({ origin }: IncomingMessage['headers']): Record<string, string> => ({
    Vary: 'Origin',
    ...(origin !== undefined && allowed.has(origin) && { 'Access-Control-Allow-Origin': origin }),
  });

  const refused = (request: HttpRequest, fault: unknown): Answer => {
    if (!(fault instanceof DirectLineError) && !(fault instanceof HttpProblem)) {
      log.error({ ...faultFields(fault), component: 'directline', request: request.requestId }, 'a Direct Line request failed');
    }
    const error =
      fault instanceof DirectLineError
        ? fault
        : fault instanceof HttpProblem
          ? fromProblem(fault)
          : new DirectLineError(500, 'ServiceError', 'Something went wrong here. Please try again.');
    return {
      status: error.status,
      // What was not read of the request would be taken for the next one.
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
    /** A route for whoever comes, in Direct Line's form. */
    open: route,

    /** A route for holders of a token; where the path names a conversation, of that one's. */
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

    /** Answers what browsers ask before a cross-origin request (Fetch Standard, CORS protocol). */
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

    /** Whether a page of the request's origin may open a stream: our own, or one on the list. Programs other than browsers name none. */
    mayConnect: ({ headers: { origin, host } }: IncomingMessage) =>
      origin === undefined || origin === own || allowed.has(origin) || URL.parse(origin)?.host === host,
  };
};

export type Rest = ReturnType<typeof makeRest>;

/** The codes a client can meet. Stable: programs branch on them. */
export type DirectLineCode =
  | 'BadArgument'
  | 'BotError'
  | 'BotTimeout'
  | 'ConversationNotFound'
  | 'Forbidden'
  | 'MessageSizeTooBig'
  | 'MissingToken'
  | 'NotFound'
  | 'NotSupported'
  | 'ServiceError'
  | 'TokenExpired'
  | 'TooManyRequests';

/** An expected refusal. The message is for developers and holds nothing personal. */
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

const codes: Readonly<Record<number, DirectLineCode>> = { 413: 'MessageSizeTooBig', 429: 'TooManyRequests' };

/** What reading a body found wrong, or the bot refused, said Direct Line's way. */
export const fromProblem = ({ status, detail, headers }: HttpProblem) =>
  new DirectLineError(status, codes[status] ?? 'BadArgument', detail, headers);

export interface DirectLineLimits {
  /** Requests with the conversation's tokens. */
  readonly requests: Rate;
  /** Reads whose answers the client has yet to take; each may hold a page of activities in memory. */
  readonly reads: number;
  /** What is kept of it. The bot may always answer; the customer is told to begin a new one. */
  readonly chat: ChatBounds;
}

/** A finished conversation with one interaction is kept in about 44 KB and 30 changes. */
export const usualLimits: DirectLineLimits = {
  requests: { points: 60, seconds: 10 },
  reads: 4,
  chat: { bytes: 2 * 1024 * 1024, revisions: 5_000 },
};
