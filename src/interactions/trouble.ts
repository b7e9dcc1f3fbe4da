// What went wrong with the service, in the few kinds that customers are told apart.
import { CallError, InvalidRequestError, ProtocolError, ServiceError, type TransportCode, TransportError } from '../client/index.ts';
import { faultFields, type LogFields } from '../platform/log.ts';

/**
 * `misconfigured`: only the operator can fix it: the service does not accept our key or call, it cannot be trusted, it has
 * moved, or our own data breaks a rule of the interface. `busy`: too many requests; later it may succeed. `rejected`: it
 * understood and said no, or would have: what the customer entered breaks a rule. `failed`: it answered that it cannot, or
 * something that is no answer. `unavailable`: it did not answer. `crowded`: it was not asked, since too much was asked for
 * the number that was typed. `open`: it was not asked, since too much is open in the chat.
 */
export type Trouble = 'misconfigured' | 'busy' | 'rejected' | 'failed' | 'unavailable' | 'crowded' | 'open';

/** Statuses that mean: the service is called in a wrong way. */
const wrongCall = new Set([401, 403, 405, 407, 415]);
/** Fields that customers enter themselves: a document's variables, a passcode. */
const entered = /^(?:variables|code)\b/;

/** No answer, though not because the service is away: it cannot be trusted, or was not asked because of earlier answers. */
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
const mostFields = 50;

/** The fields of the request that a refusal names, as paths such as `variables.limit`. Its messages are for developers. */
export const refusedFields = (fault: unknown): readonly string[] => {
  const errors = fault instanceof InvalidRequestError ? fault.errors : fault instanceof ServiceError ? (fault.problem?.errors ?? []) : [];
  return errors.map(({ path }) => path).slice(0, mostFields);
};

/**
 * A failed call as the log has it: which call, why it failed, the status and the service's request id where there was an
 * answer, and the names of the fields that depart from the interface; or the rules that our own request breaks.
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
