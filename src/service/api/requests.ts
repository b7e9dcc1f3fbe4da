// Reading results, and the operations on requests that go beyond the specification (decisions: Extensions).
import { z } from 'zod';
import { type RequestRecord, ulid } from '../../contract/index.ts';
import { iso } from '../../platform/clock.ts';
import { HttpProblem } from '../../platform/http-problem.ts';
import { serviceApps } from '../apps/index.ts';
import type { Endings } from '../life/endings.ts';
import { alreadyFinished, type Resend } from '../life/resends.ts';
import type { Requests } from '../store/requests.ts';
import type { AddOperation } from './operations.ts';

export interface RequestOperationsOptions {
  readonly add: AddOperation;
  readonly requests: Requests;
  readonly endings: Endings;
  readonly resend: Resend;
  /** Where a request's signed document can be had, for a while. */
  readonly documentUrl: (requestId: string) => string;
}

const schema = z.object({ id: ulid.toUpperCase() });

export const addRequestOperations = ({ add, requests, endings, resend, documentUrl }: RequestOperationsOptions) => {
  const find = async (accountId: string, id: string) => {
    const request = await requests.find(accountId, id);
    if (!request) throw new HttpProblem(404, 'not_found', 'There is no such request.');
    return request;
  };
  const record = async (accountId: string, id: string): Promise<RequestRecord> => {
    const request = await find(accountId, id);
    const events = await requests.events(id);
    return {
      id,
      app: request.app,
      state: request.state,
      customerRef: request.customerRef,
      sessionRef: request.sessionRef,
      createdAt: iso(request.createdAt),
      expiresAt: iso(request.expiresAt),
      events: events.map(({ type, at }) => ({ type, timestamp: iso(at) })),
    };
  };

  add({
    method: 'GET',
    path: '/results/:id',
    from: 'path',
    schema,
    answer: async ({ account, input: { id } }) => {
      const request = await requests.find(account.id, id);
      // The same whether the request is unknown, somebody else's or not finished: identifiers cannot be probed.
      if (typeof request?.result !== 'object' || request.result === null)
        throw new HttpProblem(404, 'not_found', 'There is no result for this request.');
      return { ...request.result, ...(request.state === 'success' && serviceApps[request.app].links?.(request, { documentUrl })) };
    },
  });

  add({
    method: 'GET',
    path: '/requests/:id',
    from: 'path',
    schema,
    answer: ({ account, input: { id } }) => record(account.id, id),
  });

  add({
    method: 'POST',
    path: '/requests/:id/cancel',
    from: 'path',
    schema,
    answer: async ({ account, by, input: { id } }) => {
      const request = await find(account.id, id);
      if (request.state !== 'cancelled' && !(await endings.cancel(request, by))) {
        // Over in between: by an ending, which stands, or by another cancel, which is the same as this one.
        if ((await find(account.id, id)).state !== 'cancelled') throw alreadyFinished();
      }
      return record(account.id, id);
    },
  });

  add({
    method: 'POST',
    path: '/requests/:id/resend',
    from: 'path',
    schema,
    answer: async ({ account, by, input: { id } }) => {
      await resend(await find(account.id, id), by);
      return record(account.id, id);
    },
  });
};
