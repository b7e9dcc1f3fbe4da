// Calls about one request: its result, which is the truth about how it ended, and extensions of some services while it
// is pending (docs/interface.md#extensions). Other services answer 404 or 405, which is an expected ending.
import { type RequestRecord, type ResultRecord, requestRecord, resultReading, resultRecord } from '../contract/index.ts';
import { type CallOptions, idInPath, sameId } from './calls.ts';
import { ProtocolError } from './errors.ts';
import type { Call, Perform } from './perform.ts';
import { get, post } from './request-encoding.ts';

/** The service lacks the extension or does not know the request: the answer is the same. */
export type Unsupported = { readonly kind: 'unsupported'; readonly record?: never };
/** It ended before it could be cancelled or sent again. Its result can be read. */
export type AlreadyFinished = { readonly kind: 'already_finished'; readonly record?: never };

export type GetEnding = { readonly kind: 'found'; readonly record: RequestRecord } | Unsupported;
export type CancelEnding = { readonly kind: 'cancelled'; readonly record: RequestRecord } | AlreadyFinished | Unsupported;
export type ResendEnding =
  | { readonly kind: 'resent'; readonly record: RequestRecord }
  /** It was sent a moment ago. `wait`: milliseconds until it may be sent again, if the service says so. */
  | { readonly kind: 'too_soon'; readonly wait: number | undefined; readonly record?: never }
  | AlreadyFinished
  | Unsupported;

export type RequestCalls = ReturnType<typeof requestsOf>;

const unsupported = (): Unsupported => ({ kind: 'unsupported' });
const absent = { 404: unsupported, 405: unsupported };
const ended = { ...absent, 409: (): AlreadyFinished => ({ kind: 'already_finished' }) };
const recordAs = <Kind extends string>(kind: Kind) => requestRecord.transform((record) => ({ kind, record }));

export const requestsOf = (perform: Perform) => {
  /** A call about one request. As with results, a record of another request is not an answer. */
  const about = async <Ending extends { readonly kind: string; readonly record?: RequestRecord }>(
    name: 'cancel' | 'get' | 'resend',
    requestId: string,
    call: Pick<Call<Ending>, 'encoding' | 'endings' | 'repeat' | 'response'>,
    { signal }: CallOptions,
  ): Promise<Ending> => {
    const operation = `requests.${name}`;
    const path = `/requests/${idInPath(operation, requestId)}${name === 'get' ? '' : `/${name}`}`;
    const ending = await perform<Ending>({ operation, path, ofOne: true, ...call, signal });
    if (!ending.record || sameId(ending.record.id, requestId)) return ending;
    throw new ProtocolError(operation, 'mismatch', { paths: ['id'] });
  };
  const tooSoon = (wait: number | undefined): ResendEnding => ({ kind: 'too_soon', wait });
  const gets = { encoding: get, repeat: 'safe', response: recordAs('found'), endings: absent } as const;
  const cancels = { encoding: post, repeat: 'safe', response: recordAs('cancelled'), endings: ended } as const;
  const resends = { encoding: post, repeat: 'once', response: recordAs('resent'), endings: { ...ended, 429: tooSoon } } as const;
  return {
    /** A request's state and history. Safe. */
    get: (requestId: string, options: CallOptions = {}) => about<GetEnding>('get', requestId, gets, options),
    /** Withdraws a request. Safe: repeating it changes nothing. */
    cancel: (requestId: string, options: CallOptions = {}) => about<CancelEnding>('cancel', requestId, cancels, options),
    /**
     * Sends the customer's message again. Repeated only if certainly nothing was sent, since the customer would receive
     * every message.
     */
    resend: (requestId: string, options: CallOptions = {}) => about<ResendEnding>('resend', requestId, resends, options),
  };
};

export type ResultCalls = ReturnType<typeof resultsOf>;

const operation = 'results.get';

export const resultsOf = (perform: Perform) => ({
  /**
   * The result of a request, or `undefined` while it is not finished (404; an unknown identifier looks the same). Safe:
   * repeated while the deadline allows. A record of another request than the one asked for is a ProtocolError, never an
   * answer.
   */
  get: async (requestId: string, { signal }: CallOptions = {}): Promise<ResultRecord | undefined> => {
    const record = await perform<ResultRecord | undefined>({
      operation,
      path: `/results/${idInPath(operation, requestId)}`,
      encoding: get,
      repeat: 'safe',
      ofOne: true,
      response: resultRecord,
      reading: resultReading,
      endings: { 404: () => undefined },
      signal,
    });
    if (record && !sameId(record.id, requestId)) throw new ProtocolError(operation, 'mismatch', { paths: ['id'] });
    return record;
  },
});
