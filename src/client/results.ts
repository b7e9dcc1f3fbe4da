// Reading results: the truth about a finished interaction.
import { type ResultRecord, resultReading, resultRecord } from '../contract/index.ts';
import { type CallOptions, idInPath, sameId } from './calls.ts';
import { ProtocolError } from './errors.ts';
import type { Perform } from './perform.ts';
import { get } from './request-encoding.ts';

export interface ResultCalls {
  /**
   * The result of a request, or `undefined` while it is not finished (404; an unknown identifier looks the same). Safe: repeated while the
   * deadline allows. A record of another request than the one asked for is a ProtocolError, never an answer.
   */
  get(requestId: string, options?: CallOptions): Promise<ResultRecord | undefined>;
}

const operation = 'results.get';

export const resultsOf = (perform: Perform): ResultCalls => ({
  get: async (requestId, { signal } = {}) => {
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
