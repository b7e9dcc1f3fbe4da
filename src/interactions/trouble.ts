// What went wrong with the service, in the few kinds that call for different words to the customer.
import { CallError, InvalidRequestError, ProtocolError, ServiceError } from '../client/index.ts';
import { faultFields, type LogFields } from '../platform/log.ts';

/**
 * `misconfigured`: the service does not accept our key, which only the operator can mend. `busy`: too many requests, later will do.
 * `rejected`: it understood and said no, or would have: the request breaks a rule of the interface. `unavailable`: it failed, answered garbage or not at all.
 */
export type Trouble = 'misconfigured' | 'busy' | 'rejected' | 'unavailable';

/** The kind of a failed call. */
export const troubleOf = (fault: unknown): Trouble => {
  if (fault instanceof InvalidRequestError) return 'rejected';
  if (!(fault instanceof ServiceError)) return 'unavailable';
  if (fault.status === 401 || fault.status === 403) return 'misconfigured';
  if (fault.status === 429) return 'busy';
  return fault.status < 500 ? 'rejected' : 'unavailable';
};

/**
 * A failed call as the operator reads it: which call, on what it failed, the status and the service's own name for the answer where there was one,
 * and the fields in which it departs from the interface, by their names only.
 */
export const callFields = (fault: unknown): LogFields => ({
  ...faultFields(fault),
  ...(fault instanceof CallError && { operation: fault.operation }),
  ...(fault instanceof ServiceError && { status: fault.status, request: fault.requestId }),
  ...(fault instanceof ProtocolError && fault.paths.length > 0 && { fields: fault.paths.join(', ') }),
  ...(fault instanceof InvalidRequestError && { fields: fault.errors.map(({ path }) => path).join(', ') }),
});
