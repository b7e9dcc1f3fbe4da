// Whether a call that failed is tried again, and after how long.
import { fullJitter } from '../platform/backoff.ts';
import { type CallError, ServiceError, TransportError } from './errors.ts';
import { fateOf } from './fate.ts';

/** Attempts per call, the first included. */
const mostAttempts = 4;
/** Attempts while the service answers that the same send is still being carried out: with pauses of 2 s at most, about as long as a send may take. */
const mostInFlight = 12;
/** A wait that the service asks for (ms) is worth keeping a customer waiting for, where it surely took nothing. */
const longestKept = 10_000;

const backoff = { base: 200, cap: 2_000 };
const passingTransport = new Set<string>(['connect', 'dns', 'reset', 'timeout']);
const passingStatus = new Set([429, 500, 502, 503, 504]);

/**
 * The pause before the next attempt in milliseconds, or `undefined` to give up. A Retry-After is kept, with jitter on top, so that the many
 * that were sent away together do not come back together. What was surely refused, with a word on when it would not be, may be sent again by anybody.
 * @param repeatable - whether the call may be repeated although the service may have had it
 * @param attempt - 0 for the first
 */
export const pauseBeforeRepeat = (error: CallError, repeatable: boolean, attempt: number, random: () => number): number | undefined => {
  const inFlight = error instanceof ServiceError && error.status === 409 && error.sentBefore;
  if (attempt + 1 >= (inFlight ? mostInFlight : mostAttempts)) return undefined;
  const jitter = fullJitter(backoff, attempt, random);
  if (error instanceof TransportError) return passingTransport.has(error.code) && (repeatable || !error.sent) ? jitter : undefined;
  if (!(error instanceof ServiceError)) return undefined;
  const { retryAfter, status } = error;
  const sure = fateOf(error) === 'retry' && retryAfter !== undefined && retryAfter <= longestKept;
  return sure || (repeatable && (inFlight || passingStatus.has(status))) ? (retryAfter ?? 0) + jitter : undefined;
};
