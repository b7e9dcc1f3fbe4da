// Faults of the service in the few kinds that customers are told about.
import { CallError, InvalidRequestError, ProtocolError, ServiceError, type TransportCode, TransportError } from '../client/index.ts';
import { faultFields, type LogFields } from '../platform/log.ts';

/**
 * `misconfigured`: only the operator can fix it: the service does not accept our key or call, it cannot be trusted, it
 * has moved, or our own data breaks a rule of the interface. `busy`: too many requests; a later one may succeed.
 * `rejected`: the service refused the customer's input, or would have, since it breaks a rule. `failed`: the answer was
 * an error or unusable. `unavailable`: there was no answer. `crowded`: the service was not asked, because there were
 * too many requests for the typed number. `open`: it was not asked, because too many requests are open in the chat.
 */
export type Trouble = 'misconfigured' | 'busy' | 'rejected' | 'failed' | 'unavailable' | 'crowded' | 'open';

/** Statuses of a call that the service does not accept from us. */
const wrongCall = new Set([401, 403, 405, 407, 415]);
/** Fields that customers fill in: a document's variables, a passcode. */
const entered = /^(?:variables|code)\b/;

/** No answer, for a reason other than an outage: the service cannot be trusted, or earlier answers stopped the call. */
const withoutAnswer: Partial<Record<TransportCode, Trouble>> = { tls: 'misconfigured', circuit_open: 'failed' };

/** The kind of a failed call. */
export const troubleOf = (fault: unknown): Trouble => {
  if (fault instanceof InvalidRequestError) return fault.errors.every(({ path }) => entered.test(path)) ? 'rejected' : 'misconfigured';
  if (fault instanceof ProtocolError) return fault.code === 'redirect' ? 'misconfigured' : 'failed';
  if (fault instanceof TransportError) return withoutAnswer[fault.code] ?? 'unavailable';
  if (!(fault instanceof ServiceError)) return 'unavailable';
  if (wrongCall.has(fault.status)) return 'misconfigured';
  if (fault.status === 429) return 'busy';
  return fault.status < 500 ? 'rejected' : 'failed';
};

/** As many fields as a card has room for. */
const maxFields = 50;

/** The request's fields that a refusal names, as paths such as `variables.limit`. Its messages are for developers. */
export const refusedFields = (fault: unknown): readonly string[] => {
  const errors = fault instanceof InvalidRequestError ? fault.errors : fault instanceof ServiceError ? (fault.problem?.errors ?? []) : [];
  return errors.map(({ path }) => path).slice(0, maxFields);
};

/**
 * A failed call for the log: its name, why it failed, the status and the service's request id if there was an answer,
 * and the fields that depart from the interface, or the rules that our own request breaks.
 */
export const callFields = (fault: unknown): LogFields => ({
  ...faultFields(fault),
  ...(fault instanceof CallError && { operation: fault.operation }),
  ...(fault instanceof ServiceError && { status: fault.status, request: fault.requestId }),
  ...(fault instanceof ProtocolError && fault.paths.length > 0 && { fields: fault.paths.join(', ') }),
  ...(fault instanceof InvalidRequestError && {
    fields: fault.errors.map(({ path, message }) => `${path} ${message}`).join(', '),
  }),
});
