// One call from its parsed request to its value: attempts, pauses, the circuit breaker, and what is thrown at the end.
import type { Dispatcher } from 'undici';
import { agentHeader, idempotencyHeader, type Repeat } from '../contract/index.ts';
import { exchange } from '../platform/exchange.ts';
import type { Breaker } from './breaker.ts';
import type { Deadline } from './deadline.ts';
import { type CallError, ServiceError, TransportError } from './errors.ts';
import { fateOf } from './fate.ts';
import type { ClientSettings } from './options.ts';
import { type Ending, type Expectation, readAnswer } from './read-answer.ts';
import { pauseBeforeRepeat } from './repeat.ts';
import { compose, type RequestEncoding } from './request-encoding.ts';

/** A call, its request already parsed. */
export interface Call<Value> extends Omit<Expectation<Value>, 'keyed'> {
  readonly path: string;
  readonly encoding: RequestEncoding;
  readonly repeat: Repeat;
  /** Its path names one request: a 5xx may be about that request alone, so it does not count against the others. */
  readonly ofOne?: boolean;
  readonly payload?: Readonly<Record<string, unknown>> | undefined;
  readonly agentId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly language?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Carries a call out. @throws {ServiceError} @throws {TransportError} @throws {ProtocolError} and nothing else. */
export type Perform = <Value>(call: Call<Value>) => Promise<Value>;

export interface Transport {
  readonly settings: ClientSettings;
  readonly dispatcher: Dispatcher;
  readonly breakerOf: (operation: string) => Breaker;
}

/** Carries a call out until the deadline. */
export const perform = async <Value>(
  { settings, dispatcher, breakerOf }: Transport,
  call: Call<Value>,
  deadline: Deadline,
  added: Readonly<Record<string, string>> = {},
): Promise<Value> => {
  const { clock, random, pause, origin, prefix, timeouts } = settings;
  const { operation, agentId, idempotencyKey, language } = call;
  const message = compose(call.encoding, `${prefix}${call.path}`, call.payload);
  const headers = {
    ...added,
    ...settings.headers,
    ...(message.body !== undefined && { 'content-type': 'application/json' }),
    ...(language !== undefined && { 'accept-language': language }),
    ...(agentId !== undefined && { [agentHeader]: agentId }),
    ...(idempotencyKey !== undefined && { [idempotencyHeader]: idempotencyKey }),
  };
  const keyed = call.repeat === 'keyed' && settings.idempotent;
  const repeatable = call.repeat === 'safe' || keyed;
  const breaker = breakerOf(operation);
  let last: CallError | undefined;
  let doubt = false;

  for (let attempt = 0; ; attempt++) {
    // What failed before says more than a circuit that opened meanwhile.
    if (!breaker.admits()) throw last ?? new TransportError(operation, 'circuit_open', { sent: false });
    const answer = await deadline.attempt(timeouts.call, (signal) => exchange(dispatcher, { origin, ...message, headers }, signal));
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
    // A doubt from an earlier attempt stays: the error carries it on.
    doubt = fateOf(error) === 'unknown';
    await pause(wait, deadline.signal);
    if (deadline.signal.aborted) throw new TransportError(operation, deadline.reason(), { sent: doubt, cause: error });
  }
};

/** A service that answers is there, whatever it answers below 500; a call that its own caller gave up says nothing about the service. */
const report = (breaker: Breaker, error: CallError, ofOne = false) => {
  if (error instanceof TransportError) {
    if (error.code !== 'aborted' && error.code !== 'closed') breaker.failed();
  } else if (!(error instanceof ServiceError) || error.status < 500) breaker.succeeded();
  else if (!ofOne) breaker.failed();
};
