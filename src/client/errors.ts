// The errors of a call. Their messages name the operation and a code, never a body, a secret or personal data.
import type { Problem } from '../contract/index.ts';

/** Common to all faults of a call: which call it was, and a stable code to branch on. */
export abstract class CallError extends Error {
  /** The call, for example `payments.send`. */
  readonly operation: string;
  abstract readonly code: string;

  constructor(operation: string, what: string, options?: ErrorOptions) {
    super(`${operation}: ${what}`, options);
    this.operation = operation;
  }
}

/** A broken rule, and its place in the request. */
export interface Breach {
  /** For example `recipients.0.email`; empty for the request as a whole. */
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

type ServiceErrorDetails = Partial<Pick<ServiceError, 'problem' | 'requestId' | 'retryAfter' | 'sentBefore'>>;

/** The service answered with a refusal: a status of 400 or above. */
export class ServiceError extends CallError {
  override readonly name = 'ServiceError';
  readonly status: number;
  /** The problem's code (RFC 9457, docs/interface.md#errors), or `http_<status>` where the answer has none. */
  override readonly code: string;
  /** How long the service asks the client to wait, in milliseconds; at most 5 minutes. */
  readonly retryAfter: number | undefined;
  /**
   * Whether the same call may already have been accepted: by an earlier attempt whose answer was lost, or by one that
   * is still running.
   */
  readonly sentBefore: boolean;
  /** The answer's `X-Request-Id`, which identifies it in the service's log. */
  readonly requestId: string | undefined;
  // Private, so that printing the error does not print the service's words about the customer.
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

  /** The service's own words. `detail` and `errors` may quote the request: show them to the sender, never log them. */
  get problem(): Problem | undefined {
    return this.#problem;
  }
}

/**
 * Why there was no answer. `connect`: refused, unreachable or too slow to connect. `dns`: the name was not found.
 * `tls`: the certificate is not trusted, or the handshake failed. `reset`: the connection broke. `timeout`: the call's
 * deadline passed. `aborted`: by the caller's signal. `closed`: the client was closed. `circuit_open`: all recent calls
 * failed, so for a few seconds none is tried.
 */
export type TransportCode = 'aborted' | 'circuit_open' | 'closed' | 'connect' | 'dns' | 'reset' | 'timeout' | 'tls';

/** There was no answer, or only part of one. */
export class TransportError extends CallError {
  override readonly name = 'TransportError';
  override readonly code: TransportCode;
  /**
   * Whether the request may have reached the service, in this attempt or an earlier one. `false` is certain, `true` is
   * not.
   */
  readonly sent: boolean;

  constructor(operation: string, code: TransportCode, { sent, cause }: { readonly sent: boolean; readonly cause?: unknown }) {
    super(operation, `${code} (${sent ? 'may have been sent' : 'not sent'})`, { cause });
    this.code = code;
    this.sent = sent;
  }
}

/**
 * What is wrong with an answer. `http`: not HTTP. `redirect`: redirects are never followed. `content_type`: declared as
 * something other than JSON. `encoding`: compressed, which was not asked for. `too_large`: over 1 MiB. `not_json`,
 * `too_deep`: see readJson. `shape`: fields are missing or of the wrong type. `mismatch`: about another request or app.
 */
export type ProtocolCode = 'content_type' | 'encoding' | 'http' | 'mismatch' | 'not_json' | 'redirect' | 'shape' | 'too_deep' | 'too_large';

/** The answer does not keep to the interface. The service may have done what it was asked all the same. */
export class ProtocolError extends CallError {
  override readonly name = 'ProtocolError';
  override readonly code: ProtocolCode;
  /** The fields that depart from the interface, ten at most. */
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
 * `refused`: certainly not accepted, and a repeat would change nothing. `retry`: certainly not accepted, but a repeat
 * may be. `unknown`: it may have been accepted, so only the results, or a service that honours the idempotency key, can
 * tell.
 */
export type Fate = 'refused' | 'retry' | 'unknown';

/**
 * The fate of a send whose call threw. Without proof of a refusal it is `unknown`: an answer of 500 or above, an answer
 * that does not keep to the interface, a connection that broke after the request went out, an error from elsewhere. One
 * answer above 500 is proof: a 503 with problem+json, by which the service says that it accepts nothing now. A 503
 * without that may come from a proxy that gave up on a request the service has.
 */
export const fateOf = (error: unknown): Fate => {
  if (error instanceof InvalidRequestError) return 'refused';
  if (error instanceof TransportError) return error.sent ? 'unknown' : 'retry';
  if (!(error instanceof ServiceError) || error.sentBefore) return 'unknown';
  if (error.status === 429 || (error.status === 503 && error.problem)) return 'retry';
  return error.status < 500 ? 'refused' : 'unknown';
};
