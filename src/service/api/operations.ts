// An operation of the interface as a route: who asks, how often, then the request read and checked, then the answer.
import type { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import { jsonLimits, readBody } from '../../platform/http-body.ts';
import { HttpProblem } from '../../platform/http-problem.ts';
import type { Answer, HttpRequest, HttpServer, Method } from '../../platform/http-server.ts';
import type { Log } from '../../platform/log.ts';
import type { Account, Authenticate } from '../accounts.ts';
import { describeIssues, invalid, plainly } from '../issues.ts';
import type { Take } from '../quota.ts';

interface Call<Input> {
  readonly account: Account;
  readonly input: Input;
  readonly request: HttpRequest;
}

interface OperationRoute<Schema extends z.ZodType> {
  readonly method: Method;
  readonly path: string;
  /** Where the input comes from: the body; the body, or the query when there is none; the path. */
  readonly from: 'body' | 'bodyOrQuery' | 'path';
  readonly schema: Schema;
  /** What is put right before the input is checked. */
  readonly repair?: (input: object) => object;
  readonly answer: (call: Call<z.output<Schema>>) => Promise<object>;
}

export interface OperationsOptions {
  readonly server: HttpServer;
  readonly authenticate: Authenticate;
  readonly takeCall: Take;
  readonly clock: Clock;
  readonly log: Log;
}

/** Adds an operation. Errors are those of the decisions: 400, 401, 413, 415, 422, 429, and whatever the operation refuses with. */
export type AddOperation = <Schema extends z.ZodType>(route: OperationRoute<Schema>) => void;

export const makeAddOperation =
  ({ server, authenticate, takeCall, clock, log }: OperationsOptions): AddOperation =>
  ({ method, path, from, schema, repair = (input) => input, answer }) => {
    const handle = async (request: HttpRequest): Promise<Answer> => {
      const started = clock.now();
      // Nothing of a request is read before it is known who asks.
      const account = authenticate(request.headers.authorization);
      if (!account) throw unauthorized();
      const limited = await takeCall(account.id);
      try {
        const parsed = schema.safeParse(repair(await inputOf(request, from)), { error: plainly });
        if (!parsed.success) throw invalid(describeIssues(parsed.error));
        const body = await answer({ account, input: parsed.data, request });
        log.debug(
          { operation: `${method} ${path}`, status: 200, durationMs: clock.now() - started, request: request.requestId },
          'answered',
        );
        return { status: 200, headers: limited, body };
      } catch (fault) {
        throw fault instanceof HttpProblem ? fault.with(limited) : fault;
      }
    };
    server.route(method, path, handle, { body: 'none' });
  };

const unauthorized = () =>
  new HttpProblem(401, 'unauthorized', 'Send the secret key of the account as a Bearer token in the Authorization header.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });

const inputOf = async (request: HttpRequest, from: 'body' | 'bodyOrQuery' | 'path'): Promise<object> => {
  if (from === 'path') return request.params;
  const type = request.headers['content-type'];
  if (type !== undefined && !/^application\/json *(;|$)/i.test(type) && hasBody(request)) {
    throw new HttpProblem(415, 'unsupported_media_type', 'Send the body as application/json.');
  }
  const body = await readBody(request.raw, jsonLimits);
  if (body === undefined) return from === 'bodyOrQuery' ? fromQuery(request.query) : {};
  // Anything but an object has no fields that could be checked.
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalid([{ path: '', message: 'must be an object' }]);
  return body;
};

const hasBody = ({ headers }: HttpRequest) => headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** The query's fields. An unescaped `+` arrives as a space, and a phone number begins with one. */
const fromQuery = (query: URLSearchParams): object => {
  const twice = [...new Set(query.keys())].filter((name) => query.getAll(name).length > 1);
  if (twice.length > 0) throw invalid(twice.map((path) => ({ path, message: 'must be given once' })));
  const phoneNumber = query.get('phoneNumber');
  return { ...Object.fromEntries(query), ...(phoneNumber !== null && { phoneNumber: phoneNumber.replace(/^ /, '+') }) };
};
