// The HTTP server under the bot and the reference service: restify with bounded input, and handlers that return their
// answer.
import type { IncomingMessage, Server } from 'node:http';
import restify from 'restify';
import { faultFields, type Log } from '../log.ts';
import { errorBoundary } from '../process/faults.ts';
import { nameRequest } from '../secrets/new-id.ts';
import { Html } from '../text/html.ts';
import { clientAddress } from './client-address.ts';
import { type BodyLimits, jsonLimits, readBody } from './http-body.ts';
import { makeListener } from './http-listener.ts';
import { HttpProblem, problemOf } from './http-problem.ts';

/** Methods of routes. `HEAD` is answered wherever `GET` is, by the same handler; `OPTIONS` wherever any method is. */
export type Method = 'DELETE' | 'GET' | 'OPTIONS' | 'POST' | 'PUT';

/** A request as handlers see it: parsed once, bounded, never trusted. */
export interface HttpRequest {
  readonly method: Method;
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /**
   * The JSON or form body (`application/x-www-form-urlencoded`, as an object of strings); `undefined` when there is
   * none.
   */
  readonly body: unknown;
  readonly requestId: string;
  /** The other end of the connection, which may be a proxy. */
  readonly remoteAddress: string;
  readonly httpVersion: string;
  /** The client's address, as far as the proxies in front of us can be trusted. */
  readonly clientAddress: string;
  /** The request itself, for a route that reads its body as a stream. */
  readonly raw: IncomingMessage;
  /** Calls back once the client has the whole answer, or has gone. */
  readonly onAnswered: (done: () => void) => void;
}

/**
 * A handler's answer. Objects are sent as JSON, {@link Html} as a page, strings and buffers as the `Content-Type`
 * header says.
 */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | Html | Buffer | string;
}

export type Handler = (request: HttpRequest) => Answer | Promise<Answer>;

export interface RouteOptions {
  /** `json` (the default) reads a bounded body first; `none` leaves the stream to the handler. */
  readonly body?: 'json' | 'none';
  readonly limits?: BodyLimits;
  /** Sees a request before its body is read, and throws an {@link HttpProblem} to refuse it. */
  readonly admit?: (request: Omit<HttpRequest, 'body'>) => void | Promise<void>;
}

export type HttpServer = ReturnType<typeof makeHttpServer>;

/**
 * How long (ms) a client may take to send a request's head, and the whole of it, and to read an answer that does not fit
 * into the system's buffers.
 */
type HttpTimes = { readonly head: number; readonly request: number; readonly answer: number };

/** Limits against exhaustion (docs/security.md#resources-are-exhausted). */
const usualTimes: HttpTimes = { head: 10_000, request: 30_000, answer: 30_000 };

/** Answers up to this size (bytes) are sent at once, whether the client reads them or not. */
const buffered = 64 * 1024;

const safeHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

const strictTransport = { 'Strict-Transport-Security': 'max-age=31536000' };

export const makeHttpServer = ({
  name,
  log,
  headers = {},
  proxies = 0,
  secure = false,
  times = usualTimes,
  admit,
  problemType,
}: {
  readonly name: string;
  readonly log: Log;
  /** Headers of every answer; an answer's own headers win. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How many proxies stand in front of the server (0), each appending to `X-Forwarded-For`. */
  readonly proxies?: number;
  /** Whether the public reaches the server over https only: browsers are then told to use nothing else (RFC 6797). */
  readonly secure?: boolean;
  readonly times?: HttpTimes;
  /** Sees every request before its body is read, and throws an {@link HttpProblem} to refuse it. */
  readonly admit?: (request: Pick<HttpRequest, 'headers' | 'httpVersion' | 'remoteAddress'>) => void;
  /** The page that explains a problem's code. Unset: codes are only named. */
  readonly problemType?: (code: string) => string;
}) => {
  const server = restify.createServer({ name, ignoreTrailingSlash: true });
  const node = server.server as Server & { connectionsCheckingInterval: number };
  node.headersTimeout = times.head;
  node.requestTimeout = times.request;
  // How often (ms) Node checks those times. Its default of 30 s would triple the shortest of them
  // (nodejs.org/api/http.html, createServer).
  node.connectionsCheckingInterval = times.head / 10;

  const send = (res: restify.Response, requestId: string, answer: Answer) => {
    if (res.headersSent || res.destroyed) return;
    const { body } = answer;
    const [type, payload]: [string | undefined, Buffer | string] =
      body === undefined
        ? [undefined, '']
        : body instanceof Html
          ? ['text/html; charset=utf-8', `<!doctype html>${body.markup}`]
          : typeof body === 'string' || Buffer.isBuffer(body)
            ? ['text/plain; charset=utf-8', body]
            : ['application/json', JSON.stringify(body)];
    res.sendRaw(answer.status, payload, {
      ...safeHeaders,
      ...(secure && strictTransport),
      ...headers,
      'X-Request-Id': requestId,
      ...(type && { 'Content-Type': type, 'Content-Length': String(Buffer.byteLength(payload)) }),
      ...answer.headers,
    });
    if (Buffer.byteLength(payload) <= buffered) return;
    const slow = setTimeout(() => res.destroy(), times.answer);
    res.once('close', () => clearTimeout(slow));
  };

  const fail = (req: restify.Request, res: restify.Response, requestId: string, fault: unknown) => {
    const problem = problemOf(fault);
    if (problem !== fault) {
      log.error({ ...faultFields(fault), route: req.getRoute?.()?.path?.toString() ?? 'none', request: requestId }, 'a request failed');
    }
    // An unread body would block the connection for the next request, so the connection is closed with this one.
    if (!req.complete) res.setHeader('Connection', 'close');
    send(res, requestId, problem.answer(problemType));
  };

  const serve =
    (handler: Handler, { body = 'json', limits = jsonLimits, admit: admitHere }: RouteOptions) =>
    async (req: restify.Request, res: restify.Response): Promise<void> => {
      const requestId = nameRequest(req.headers['x-request-id']);
      try {
        const { headers, httpVersion } = req;
        const remoteAddress = req.socket.remoteAddress ?? '';
        admit?.({ headers, httpVersion, remoteAddress });
        const head = {
          method: (req.method === 'HEAD' ? 'GET' : req.method) as Method,
          params: (req.params ?? {}) as Record<string, string>,
          query: new URLSearchParams(req.getQuery()),
          headers,
          requestId,
          remoteAddress,
          httpVersion,
          clientAddress: clientAddress(req, proxies),
          raw: req,
          onAnswered: (done: () => void) =>
            void res.once(
              'close',
              errorBoundary(done, (fault) => log.error({ ...faultFields(fault), request: requestId }, 'something failed after an answer')),
            ),
        };
        await admitHere?.(head);
        send(res, requestId, await handler({ ...head, body: body === 'json' ? await readBody(req, limits) : undefined }));
      } catch (fault) {
        fail(req, res, requestId, fault);
      }
    };

  // restify builds a URL from the Host header and the address outside of any handler, where a throw would end the
  // process.
  server.pre((req, res, next) => {
    try {
      req.getPath();
      // A proxy may use one host and we the other (RFC 9112, section 3.2).
      if ((req.headersDistinct.host?.length ?? 0) > 1) throw new TypeError('two hosts');
      next();
    } catch {
      fail(req, res, nameRequest(req.headers['x-request-id']), new HttpProblem(400, 'malformed', 'The address cannot be read.'));
      next(false);
    }
  });

  // Refusals by restify itself (no such route, wrong method, a bad path) get the same form.
  const refuse = (req: restify.Request, res: restify.Response, fault: { statusCode?: number }, done: () => void) => {
    const requestId = nameRequest(req.headers['x-request-id']);
    const status = fault.statusCode ?? 500;
    if (status === 405) res.setHeader('Allow', [res.getHeader('Allow'), 'OPTIONS'].flat().join(', '));
    if (status === 405 && req.method === 'OPTIONS') {
      send(res, requestId, { status: 204 });
      return done();
    }
    const problem =
      status === 404
        ? new HttpProblem(404, 'not_found', 'There is nothing at this address.')
        : status === 405
          ? new HttpProblem(405, 'method_not_allowed', 'This address does not take this method.')
          : status < 500
            ? new HttpProblem(400, 'malformed', 'The address cannot be read.')
            : fault;
    fail(req, res, requestId, problem);
    done();
  };
  server.on(
    'restifyError',
    errorBoundary(refuse, (fault, _req, res) => {
      log.error(faultFields(fault), 'a request could not be refused');
      res.destroy();
    }),
  );

  const register = { DELETE: 'del', GET: 'get', OPTIONS: 'opts', POST: 'post', PUT: 'put' } as const satisfies Record<Method, string>;

  return {
    /** Node's own server, for websocket upgrades. */
    node: node as Server,
    route: (method: Method, path: string, handler: Handler, options: RouteOptions = {}): void => {
      const handle = serve(handler, options);
      server[register[method]](path, handle);
      if (method === 'GET') server.head(path, handle);
    },
    ...makeListener(node, server),
  };
};

/** Redirects to one of our own pages after a post. */
export const redirect = (to: string, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status: 303,
  headers: { Location: to, ...headers },
});
