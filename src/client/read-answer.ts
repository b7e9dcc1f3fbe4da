// From an exchange to a value or an error: the one place that judges the service's answers.
import type { IncomingHttpHeaders } from 'node:http';
import { errors } from 'undici';
import type { z } from 'zod';
import { idempotencyInFlight, type Problem, problem } from '../contract/index.ts';
import { readJson } from '../platform/http/bounded-json.ts';
import { type Exchanged, type ExchangeFault, header, retryAfter } from '../platform/outgoing/exchange.ts';
import { ownValue } from '../platform/text/own-value.ts';
import { type CallError, ProtocolError, ServiceError, type TransportCode, TransportError } from './errors.ts';

/** `departures`: the fields of a usable answer that depart from the interface. */
export type Ending<Value> = { readonly value: Value; readonly departures?: readonly string[] } | { readonly error: CallError };

/** The answer that a call expects. */
export interface Expectation<Value> {
  readonly operation: string;
  readonly response: z.ZodType<Value>;
  /** A lenient reading of an answer that departs from `response`. */
  readonly reading?: z.ZodType<Value> | undefined;
  /**
   * Statuses that are expected endings rather than faults, with their values. `wait` is Retry-After in milliseconds.
   */
  readonly endings?: Readonly<Record<number, (wait: number | undefined) => Value>>;
  /** Whether a 409 may mean that the same send is still in progress. */
  readonly keyed: boolean;
}

/** `doubt`: an earlier attempt of the call may have been accepted. `stopped`: why the call was stopped, if it was. */
type Circumstances = { readonly doubt: boolean; readonly stopped: TransportCode; readonly now: number };

/** Levels of nesting in an answer (docs/security.md#resources-are-exhausted). */
const depth = 32;

/** Judges an answer. Never throws. */
export const readAnswer = <Value>(
  expected: Expectation<Value>,
  answer: Exchanged,
  { doubt, stopped, now }: Circumstances,
): Ending<Value> => {
  const { operation, endings, keyed } = expected;
  const { status, headers, fault } = answer;
  // The status alone makes it a refusal, however the body ends.
  if (status !== undefined && status >= 400) {
    const wait = retryAfter(header(headers, 'retry-after'), header(headers, 'date'), now);
    const ending = endings?.[status];
    if (ending) return { value: ending(wait) };
    const refusal = readProblem(answer);
    const inFlight = status === 409 && keyed && (refusal === undefined || refusal.code === idempotencyInFlight);
    return {
      error: new ServiceError(operation, status, {
        problem: refusal,
        retryAfter: wait,
        sentBefore: doubt || inFlight,
        requestId: header(headers, 'x-request-id')?.match(/^[\w-]{1,64}$/)?.[0],
      }),
    };
  }
  if (fault) return { error: readFault(operation, fault, stopped, answer.sent || doubt) };
  if ((status ?? 0) >= 300) return { error: new ProtocolError(operation, 'redirect') };
  return readValue(expected, answer);
};

const readValue = <Value>({ operation, response, reading }: Expectation<Value>, { headers, body }: Exchanged): Ending<Value> => {
  if (!/^(?:identity)?$/i.test(header(headers, 'content-encoding') ?? '')) return { error: new ProtocolError(operation, 'encoding') };
  if (!saysJson(headers)) return { error: new ProtocolError(operation, 'content_type') };
  const json = readJson(body, depth);
  if ('fault' in json) return { error: new ProtocolError(operation, json.fault === 'too_deep' ? 'too_deep' : 'not_json') };
  const parsed = response.safeParse(json.value);
  if (parsed.success) return { value: parsed.data };
  const read = (reading ?? response).safeParse(json.value);
  const paths = pathsOf(parsed.error);
  return read.success ? { value: read.data, departures: paths } : { error: new ProtocolError(operation, 'shape', { paths }) };
};

/** An answer without a type is assumed to be JSON. One with another type does not keep to the interface. */
const saysJson = (headers: IncomingHttpHeaders) =>
  /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(header(headers, 'content-type') ?? 'application/json');

const readProblem = ({ headers, body, fault }: Exchanged): Problem | undefined => {
  if (fault || !saysJson(headers)) return undefined;
  const reading = readJson(body, depth);
  return 'value' in reading ? problem.safeParse(reading.value).data : undefined;
};

const pathsOf = (error: z.ZodError) => [...new Set(error.issues.map(({ path }) => path.join('.') || 'answer'))].slice(0, 10);

const transportCodes: Readonly<Record<string, TransportCode>> = {
  EAI_AGAIN: 'dns',
  ECONNREFUSED: 'connect',
  EHOSTUNREACH: 'connect',
  ENETUNREACH: 'connect',
  ENOTFOUND: 'dns',
  EPROTO: 'tls',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_CLOSED: 'closed',
  UND_ERR_CONNECT_TIMEOUT: 'connect',
  UND_ERR_DESTROYED: 'closed',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
};

/**
 * OpenSSL's and Node's codes for an untrusted certificate or a failed handshake
 * (nodejs.org/api/tls.html#x509-certificate-error-codes).
 */
const tlsCode =
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_(?:CA|PURPOSE)|HOSTNAME_MISMATCH|PATH_LENGTH_)/;

/**
 * The error for a fault without a complete answer.
 * @param stopped - why the deadline stopped the exchange
 * @param sent - whether the request may have reached the service, in this attempt or an earlier one
 */
export const readFault = (operation: string, fault: ExchangeFault, stopped: TransportCode, sent: boolean): CallError => {
  if (fault.kind === 'stopped') return new TransportError(operation, stopped, { sent });
  if (fault.kind === 'too_large') return new ProtocolError(operation, 'too_large');
  const { error: cause } = fault;
  const code = String((cause as { code?: unknown }).code ?? '');
  // Without a cause: undici's error contains the bytes that it could not parse.
  if (cause instanceof errors.HTTPParserError) return new ProtocolError(operation, 'http');
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')
    return new ProtocolError(operation, 'too_large', { cause });
  const known = ownValue(transportCodes, code) ?? (tlsCode.test(code) ? 'tls' : undefined);
  return new TransportError(operation, known ?? (sent ? 'reset' : 'connect'), { sent, cause });
};
