// One call from its parsed request to its value: deadline, attempts, pauses, circuit breaker, and the error at the end.
import type { Dispatcher } from 'undici';
import { agentHeader, idempotencyHeader, type Repeat, returnLinkHeader } from '../contract/index.ts';
import { exchange } from '../platform/outgoing/exchange.ts';
import type { Clock } from '../platform/time/clock.ts';
import { endingWith, fullJitter } from '../platform/time/waits.ts';
import type { Breaker } from './breaker.ts';
import { type CallError, fateOf, ServiceError, type TransportCode, TransportError } from './errors.ts';
import type { ClientSettings } from './options.ts';
import { type Ending, type Expectation, readAnswer } from './read-answer.ts';
import { compose, type RequestEncoding } from './request-encoding.ts';

/** A call, its request already parsed. */
export interface Call<Value> extends Omit<Expectation<Value>, 'keyed'> {
  readonly path: string;
  readonly encoding: RequestEncoding;
  readonly repeat: Repeat;
  /** Its path names one request. A 5xx may concern that request alone, so it does not count against the others. */
  readonly ofOne?: boolean;
  readonly payload?: Readonly<Record<string, unknown>> | undefined;
  readonly agentId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly language?: string | undefined;
  readonly returnLink?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Performs a call. @throws {ServiceError} @throws {TransportError} @throws {ProtocolError} and nothing else. */
export type Perform = <Value>(call: Call<Value>) => Promise<Value>;

/** `lookups`: for GETs with a body. */
type Transport = Record<'dispatcher' | 'lookups', Dispatcher> & {
  readonly settings: ClientSettings;
  readonly breakerOf: (operation: string) => Breaker;
};

/** Performs a call within its deadline. */
export const perform = async <Value>(
  { settings, dispatcher, lookups, breakerOf }: Transport,
  call: Call<Value>,
  deadline: Deadline,
  added: Readonly<Record<string, string>> = {},
): Promise<Value> => {
  const { clock, random, pause, origin, prefix, timeouts } = settings;
  const { operation, agentId, idempotencyKey, language, returnLink = false } = call;
  const message = compose(call.encoding, `${prefix}${call.path}`, call.payload);
  const pool = message.method === 'GET' && message.body !== undefined ? lookups : dispatcher;
  const headers = {
    ...added,
    ...settings.headers,
    ...(message.body !== undefined && { 'content-type': 'application/json' }),
    ...(language !== undefined && { 'accept-language': language }),
    ...(agentId !== undefined && { [agentHeader]: agentId }),
    ...(idempotencyKey !== undefined && { [idempotencyHeader]: idempotencyKey }),
    ...(returnLink && { [returnLinkHeader]: 'true' }),
  };
  const keyed = call.repeat === 'keyed' && settings.idempotent;
  const repeatable = call.repeat === 'safe' || keyed;
  const breaker = breakerOf(operation);
  let last: CallError | undefined;
  let doubt = false;

  for (let attempt = 0; ; attempt++) {
    // The earlier failure is more informative than a circuit that has opened since.
    if (!breaker.admits()) throw last ?? new TransportError(operation, 'circuit_open', { sent: false });
    const answer = await deadline.attempt(timeouts.call, (signal) => exchange(pool, { origin, ...message, headers }, signal));
    const ending: Ending<Value> = readAnswer({ ...call, keyed }, answer, { doubt, stopped: deadline.reason(), now: clock.now() });
    if ('value' in ending) {
      breaker.succeeded();
      if (ending.departures) settings.onDeparture(operation, ending.departures);
      return ending.value;
    }
    const error: CallError = ending.error;
    report(breaker, error, call.ofOne);
    const wait = pauseBeforeRepeat(error, repeatable, attempt, random);
    if (wait === undefined || !deadline.allows(wait)) throw error;
    last = error;
    // An uncertainty from an earlier attempt remains: the error passes it on.
    doubt = fateOf(error) === 'unknown';
    await pause(wait, deadline.signal);
    if (deadline.signal.aborted) throw new TransportError(operation, deadline.reason(), { sent: doubt, cause: error });
  }
};

/** Any answer below 500 shows that the service is up. A call aborted by its caller shows nothing. */
const report = (breaker: Breaker, error: CallError, ofOne = false) => {
  if (error instanceof TransportError) {
    if (error.code !== 'aborted' && error.code !== 'closed') breaker.failed();
  } else if (!(error instanceof ServiceError) || error.status < 500) breaker.succeeded();
  else if (!ofOne) breaker.failed();
};

/** Attempts per call, the first included. */
const maxAttempts = 4;
/**
 * Attempts while the service answers that the same send is still in progress: with pauses of up to 2 s, about as long
 * as a send may take.
 */
const maxInFlight = 12;
/** The longest Retry-After (ms) that a customer is kept waiting for, where the service certainly accepted nothing. */
const maxWaitMs = 10_000;

const backoff = { base: 200, cap: 2_000 };
const passingTransport = new Set<string>(['connect', 'dns', 'reset', 'timeout']);
const passingStatus = new Set([429, 500, 502, 503, 504]);

/**
 * The pause before the next attempt in milliseconds, or `undefined` to give up. A Retry-After is honoured, plus jitter,
 * so that many clients do not come back at the same moment. A send that was certainly refused with a Retry-After may
 * always be repeated.
 * @param repeatable - whether the call may be repeated although the service may have accepted it
 * @param attempt - 0 for the first
 */
const pauseBeforeRepeat = (error: CallError, repeatable: boolean, attempt: number, random: () => number): number | undefined => {
  const inFlight = error instanceof ServiceError && error.status === 409 && error.sentBefore;
  if (attempt + 1 >= (inFlight ? maxInFlight : maxAttempts)) return undefined;
  const jitter = fullJitter(backoff, attempt, random);
  if (error instanceof TransportError) return passingTransport.has(error.code) && (repeatable || !error.sent) ? jitter : undefined;
  if (!(error instanceof ServiceError)) return undefined;
  const { retryAfter, status } = error;
  const sure = fateOf(error) === 'retry' && retryAfter !== undefined && retryAfter <= maxWaitMs;
  return sure || (repeatable && (inFlight || passingStatus.has(status))) ? (retryAfter ?? 0) + jitter : undefined;
};

export type Deadline = ReturnType<typeof startDeadline>;

/** The deadline of one call over all its attempts and pauses, combined with the caller's own signal. */
export const startDeadline = (milliseconds: number, clock: Clock, caller: AbortSignal | undefined) => {
  const own = new AbortController();
  // Not AbortSignal.timeout, whose timers would outlive finished calls and pile up.
  const timer = setTimeout(() => own.abort('timeout'), milliseconds);
  const end = clock.now() + milliseconds;
  const signal: AbortSignal = own.signal;
  // Not AbortSignal.any, which leaves every finished call to the garbage collector.
  const follow = () => own.abort('aborted');
  if (caller?.aborted) follow();
  else caller?.addEventListener('abort', follow, { once: true });
  return {
    /** Aborts when the call must end, for any reason. */
    signal,
    /** Runs one attempt, whose signal aborts after `maxMs`, or when the call must end. */
    attempt: async <Result>(maxMs: number, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> => {
      if (maxMs >= milliseconds) return work(signal);
      const attempt = endingWith(signal);
      const late = setTimeout(() => attempt.abort(), maxMs);
      try {
        return await work(attempt.signal);
      } finally {
        clearTimeout(late);
      }
    },
    /** Why it aborted, or `timeout` for an attempt that ran out of time. */
    reason: (): Extract<TransportCode, 'aborted' | 'closed' | 'timeout'> => (signal.aborted ? signal.reason : 'timeout'),
    /** Whether time is left after a pause of `pause` milliseconds. */
    allows: (pause: number): boolean => clock.now() + pause < end,
    /** Ends the call early, because the client closes. */
    stop: (): void => own.abort('closed'),
    /** Clears its timer; the call is over. */
    clear: (): void => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', follow);
    },
  };
};
