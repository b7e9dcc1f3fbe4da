// What a call can fail with. Messages hold the operation and a code, never a body, a secret or personal data.
import type { Problem } from '../contract/index.ts';

/** What all faults of a call have in common: which call it was, and a stable code to branch on. */
export abstract class CallError extends Error {
  /** The call, `payments.send`. */
  readonly operation: string;
  abstract readonly code: string;

  constructor(operation: string, what: string, options?: ErrorOptions) {
    super(`${operation}: ${what}`, options);
    this.operation = operation;
  }
}

/** Where in a request a rule was broken. */
export interface Breach {
  /** `recipients.0.email`; empty for the request as a whole. */
  readonly path: string;
  readonly message: string;
}

/** The request breaks a rule of the interface. Nothing was sent. */
export class InvalidRequestError extends CallError {
  override readonly name = 'InvalidRequestError';
  override readonly code = 'invalid_request';
  readonly errors: readonly Breach[];

  constructor(operation: string, errors: readonly Breach[]) {
    super(operation, `invalid request (${errors.map(({ path }) => path || 'request').join(', ')})`);
    this.errors = errors;
  }
}

export interface ServiceErrorDetails {
  readonly problem?: Problem | undefined;
  readonly retryAfter?: number | undefined;
  readonly sentBefore?: boolean;
  readonly requestId?: string | undefined;
}

/** The service answered, and said no: a status of 400 or above. */
export class ServiceError extends CallError {
  override readonly name = 'ServiceError';
  readonly status: number;
  /** The problem's code (RFC 9457, docs/interface.md#errors), or `http_<status>` where the answer has none. */
  override readonly code: string;
  /** How long the service asks to be left alone, in milliseconds; at most 5 minutes. */
  readonly retryAfter: number | undefined;
  /** Whether the same call may already have been accepted: by an earlier attempt whose answer was lost, or one that still runs. */
  readonly sentBefore: boolean;
  /** The answer's `X-Request-Id`, which names it in the service's own log. */
  readonly requestId: string | undefined;
  // Private, so that printing the error does not print what the service wrote about the customer.
  readonly #problem: Problem | undefined;

  constructor(operation: string, status: number, { problem, retryAfter, sentBefore = false, requestId }: ServiceErrorDetails = {}) {
    const code = problem && /^[\w.-]{1,64}$/.test(problem.code) ? problem.code : `http_${status}`;
    super(operation, `${status} ${code}`);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
    this.sentBefore = sentBefore;
    this.requestId = requestId;
    this.#problem = problem;
  }

  /** What the service wrote. `detail` and `errors` may quote what was sent: show them to the sender, never log them. */
  get problem(): Problem | undefined {
    return this.#problem;
  }
}

/**
 * Why there was no answer. `connect`: refused, unreachable or too slow to connect. `dns`: the name is not found. `tls`: the other side cannot
 * be trusted. `reset`: the connection broke. `timeout`: the call's deadline passed. `aborted`: the caller's signal. `closed`: the client was
 * closed. `circuit_open`: the last calls all failed, and for a few seconds none is tried.
 */
export type TransportCode = 'aborted' | 'circuit_open' | 'closed' | 'connect' | 'dns' | 'reset' | 'timeout' | 'tls';

/** There was no answer, or only half of one. */
export class TransportError extends CallError {
  override readonly name = 'TransportError';
  override readonly code: TransportCode;
  /** Whether the request may have reached the service, in this attempt or an earlier one. `false` is certain, `true` is not. */
  readonly sent: boolean;

  constructor(operation: string, code: TransportCode, { sent, cause }: { readonly sent: boolean; readonly cause?: unknown }) {
    super(operation, `${code} (${sent ? 'may have been sent' : 'not sent'})`, { cause });
    this.code = code;
    this.sent = sent;
  }
}

/**
 * What is wrong with an answer. `http`: not HTTP. `redirect`: it points elsewhere, which is never followed. `content_type`: not JSON by its
 * own word. `encoding`: compressed, though nobody asked. `too_large`: over 1 MiB. `not_json`, `too_deep`: see readJson. `shape`: fields are
 * missing or of the wrong type. `mismatch`: about something else than was asked for.
 */
export type ProtocolCode = 'content_type' | 'encoding' | 'http' | 'mismatch' | 'not_json' | 'redirect' | 'shape' | 'too_deep' | 'too_large';

/** The service answered something that is not the interface. It may nevertheless have done what it was asked. */
export class ProtocolError extends CallError {
  override readonly name = 'ProtocolError';
  override readonly code: ProtocolCode;
  /** Where the answer departs from the interface, at most ten places. */
  readonly paths: readonly string[];

  constructor(
    operation: string,
    code: ProtocolCode,
    { paths = [], cause }: { readonly paths?: readonly string[]; readonly cause?: unknown } = {},
  ) {
    super(operation, paths.length > 0 ? `${code} (${paths.join(', ')})` : code, { cause });
    this.code = code;
    this.paths = paths;
  }
}

/**
 * `refused`: certainly not accepted, and asking again would change nothing. `retry`: certainly not accepted, but later it may be.
 * `unknown`: it may have been accepted, so only the results, or a service that honours the idempotency key, can tell.
 */
export type Fate = 'refused' | 'retry' | 'unknown';

/**
 * The fate of a send whose call threw. Anything that is no proof of refusal is `unknown`: an answer of 500 or above, an answer that is not
 * the interface, a connection that broke after the request went out, and any error that did not come from this client. One answer above
 * 500 is proof: a 503 in the service's own words (problem+json), with which it says that it takes nothing now. Without them it may come
 * from a proxy that gave up on a request the service has.
 */
export const fateOf = (error: unknown): Fate => {
  if (error instanceof InvalidRequestError) return 'refused';
  if (error instanceof TransportError) return error.sent ? 'unknown' : 'retry';
  if (!(error instanceof ServiceError) || error.sentBefore) return 'unknown';
  if (error.status === 429 || (error.status === 503 && error.problem)) return 'retry';
  return error.status < 500 ? 'refused' : 'unknown';
};
