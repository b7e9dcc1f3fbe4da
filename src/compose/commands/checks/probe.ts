// One request from the doctor to the service: with the key, within a few seconds, any answer.
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { type RequestMessage, readFault } from '../../../client/index.ts';
import { readJson } from '../../../platform/http/bounded-json.ts';
import { exchange } from '../../../platform/outgoing/exchange.ts';
import type { ServiceAccess } from '../../start/service.ts';

/** The answer. `at`: when, epoch ms, in the middle between request and answer. */
export interface ProbeAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body as JSON; `undefined` if it is not JSON, whatever its type says. */
  readonly json: unknown;
  /** Whether it claims to be a web page. */
  readonly page: boolean;
  readonly at: number;
}

/** Why there was no answer: a code of TransportError or ProtocolError. */
export interface Silent {
  readonly fault: string;
}

export type Probe = ReturnType<typeof makeProbe>;

/** @param patience - milliseconds for one request */
export const makeProbe = (
  { baseUrl, secretKey }: Pick<ServiceAccess, 'baseUrl' | 'secretKey'>,
  dispatcher: Dispatcher,
  patience: number,
  now: () => number,
) => {
  const { origin, pathname } = new URL(baseUrl);
  return async ({ method, path, body }: RequestMessage): Promise<ProbeAnswer | Silent> => {
    const start = now();
    const headers = {
      accept: 'application/json, application/problem+json',
      authorization: `Bearer ${secretKey}`,
      'user-agent': 'countersign-doctor',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const message = { origin, method, path: `${pathname.replace(/(?<!\/)\/+$/, '')}${path}`, headers, ...(body !== undefined && { body }) };
    const answer = await exchange(dispatcher, message, AbortSignal.timeout(patience));
    // The status alone makes it a refusal; any other answer must also arrive in full.
    if (answer.status === undefined || (answer.fault && answer.status < 400)) {
      return { fault: answer.fault ? readFault('doctor', answer.fault, 'timeout', answer.sent).code : 'reset' };
    }
    const reading = readJson(answer.body, 32);
    return {
      status: answer.status,
      headers: answer.headers,
      json: 'value' in reading ? reading.value : undefined,
      page: /^text\/html/i.test(answer.headers['content-type'] ?? ''),
      at: (start + now()) / 2,
    };
  };
};
