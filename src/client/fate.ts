// What became of a send that failed: the one question that decides whether it may be tried again.
import { InvalidRequestError, ServiceError, TransportError } from './errors.ts';

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
