// Adds an operation of the interface as a route: authenticates, limits, reads and checks the request, and answers.

import type { z } from 'zod';
import type { AppId } from '../../../contract/index.ts';
import { jsonLimits, readBody } from '../../../platform/http/http-body.ts';
import { HttpProblem } from '../../../platform/http/http-problem.ts';
import type { Answer, HttpRequest, Method } from '../../../platform/http/http-server.ts';
import { describeIssues, plainly } from '../../../platform/settings/issues.ts';
import type { Account, Authenticate } from '../accounts.ts';
import type { By } from '../audit/chain.ts';
import { accountAt, originOf } from '../audit/origin.ts';
import type { ServiceContext } from '../context.ts';
import { Download } from '../download.ts';
import { invalid } from '../issues.ts';
import type { TakeCall } from '../limits/quota.ts';
import { type ProblemCode, problemCodes } from './problems.ts';

export interface Call<Input> {
  readonly account: Account;
  /** The account's system, as audit trails name it. */
  readonly by: By;
  readonly input: Input;
  readonly request: HttpRequest;
}

/**
 * An operation and its answers, as documented. Routes are built from it, so every route is documented.
 */
export interface OperationDescription {
  /** Its permanent name, from which clients are generated: `payments.send`. */
  readonly id: string;
  /** Its section in the documents. */
  readonly group: AppId | 'requests' | 'results' | 'webhooks';
  readonly summary: string;
  /** Further explanations, in sentences. */
  readonly description?: string;
  readonly method: Method;
  readonly path: string;
  /** Where the input comes from: the body; the body, or else the query; the path; or nowhere. */
  readonly from: 'body' | 'bodyOrQuery' | 'nothing' | 'path';
  readonly schema: z.ZodType;
  /** The body of its 200: JSON, or a file of a media type. */
  readonly response: z.ZodType | { readonly file: string };
  /** Its refusal codes, besides those of its kind. */
  readonly refuses?: readonly ProblemCode[];
  /** Whether it takes an Idempotency-Key. */
  readonly idempotent?: boolean;
  /** Whether it takes a Return-Link. */
  readonly returnsLink?: boolean;
  /** Whether it answers, or writes to the customer, in the language that Accept-Language asks for. */
  readonly speaks?: boolean;
}

/**
 * Adds an operation. Its errors are those of its kind, {@link refusalsOf}, and its own refusals. `repair` normalises the
 * input before it is checked; `answer` makes the body.
 */
export type AddOperation = <Schema extends z.ZodType>(
  route: OperationDescription & {
    readonly schema: Schema;
    readonly repair?: (input: object) => object;
    readonly answer: (call: Call<z.output<Schema>>) => Promise<Download | object>;
  },
) => void;

const ofEvery = ['malformed', 'unauthorized', 'rate_limited', 'internal_error', 'unavailable'] as const;
const ofBodies = ['malformed_json', 'too_deep', 'too_large', 'unsupported_media_type', 'unsupported_encoding'] as const;
const ofInput = ['invalid_request'] as const;
const ofKeys = ['malformed_idempotency_key', 'idempotency_key_in_flight', 'idempotency_key_reused'] as const;

/** Whether an operation has a body to read. */
export const takesBody = (from: OperationDescription['from']) => from === 'body' || from === 'bodyOrQuery';

/** All refusal codes of an operation, ordered by status. */
export const refusalsOf = ({ from, idempotent = false, refuses = [] }: OperationDescription): readonly ProblemCode[] => {
  const all = new Set<ProblemCode>([
    ...ofEvery,
    ...(takesBody(from) ? ofBodies : []),
    ...(from === 'nothing' ? [] : ofInput),
    ...(idempotent ? ofKeys : []),
    ...refuses,
  ]);
  return problemCodes.filter((code) => all.has(code));
};

/** @param described - gets a description of each operation */
export const makeAddOperation =
  (
    { server, clock, log }: ServiceContext,
    authenticate: Authenticate,
    takeCall: TakeCall,
    described: OperationDescription[],
  ): AddOperation =>
  (operation) => {
    const { method, path, from, schema, repair = (input) => input, answer } = operation;
    const handle = async (request: HttpRequest): Promise<Answer> => {
      const started = clock.now();
      // Nothing of a request is read before its caller is known.
      const caller = authenticate(request.headers.authorization);
      if (!caller) throw unauthorized();
      const { account, keyId } = caller;
      const limited = await takeCall(account.id);
      try {
        const parsed = schema.safeParse(repair(await inputOf(request, from)), { error: plainly });
        if (!parsed.success) throw invalid(describeIssues(parsed.error));
        const body = await answer({ account, by: accountAt(keyId, originOf(request)), input: parsed.data, request });
        const durationMs = clock.now() - started;
        // The key is recorded, so that one can see when an old one is no longer used.
        log.debug({ operation: `${method} ${path}`, status: 200, durationMs, request: request.requestId, token: keyId }, 'answered');
        if (body instanceof Download) return { status: 200, headers: { ...limited, ...body.headers }, body: body.file };
        return { status: 200, headers: limited, body };
      } catch (fault) {
        throw fault instanceof HttpProblem ? fault.with(limited) : fault;
      }
    };
    server.route(method, path, handle, { body: 'none' });
    described.push(operation);
  };

const unauthorized = () =>
  new HttpProblem(401, 'unauthorized', 'Send the secret key of the account as a Bearer token in the Authorization header.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });

const inputOf = async (request: HttpRequest, from: OperationDescription['from']): Promise<object> => {
  if (from === 'nothing') return {};
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
