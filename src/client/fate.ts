// What became of a send that failed: the one question that decides whether it may be tried again.
import { InvalidRequestError, ServiceError, TransportError } from './errors.ts';

/**
 * `refused`: certainly not accepted, and asking again would change nothing. `retry`: certainly not accepted, but later it may be.
 * `unknown`: it may have been accepted, so only the results, or a service that honours the idempotency key, can tell.
 */
export type Fate = 'refused' | 'retry' | 'unknown';

/**
 * The fate of a send whose call threw. Anything that is no proof of refusal is `unknown`: an answer of 500 or above, an answer that is not
 * the interface, a connection that broke after the request went out, and any error that did not come from this client.
 */
export const fateOf = (error: unknown): Fate => {
  if (error instanceof InvalidRequestError) return 'refused';
  if (error instanceof TransportError) return error.sent ? 'unknown' : 'retry';
  if (error instanceof ServiceError && error.status < 500 && !error.sentBefore) return error.status === 429 ? 'retry' : 'refused';
  return 'unknown';
};
