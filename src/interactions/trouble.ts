// What went wrong with the service, in the few kinds that call for different words to the customer.
import { ServiceError } from '../client/index.ts';

/**
 * `misconfigured`: the service does not accept our key, which only the operator can mend. `busy`: too many requests, later will do.
 * `rejected`: it understood and said no. `unavailable`: it failed, answered garbage or not at all.
 */
export type Trouble = 'misconfigured' | 'busy' | 'rejected' | 'unavailable';

/** The kind of a failed call. */
export const troubleOf = (fault: unknown): Trouble => {
  if (!(fault instanceof ServiceError)) return 'unavailable';
  if (fault.status === 401 || fault.status === 403) return 'misconfigured';
  if (fault.status === 429) return 'busy';
  return fault.status < 500 ? 'rejected' : 'unavailable';
};
