// Reading results, and the operations on requests that go beyond the specification.

import { z } from 'zod';
import { type RequestRecord, requestRecord, resultRecord, ulid } from '../../../contract/index.ts';
import { HttpProblem } from '../../../platform/http/http-problem.ts';
import { iso } from '../../../platform/time/clock.ts';
import type { AppContext } from '../app-context.ts';
import { type Endings, isFinal } from '../lifecycle/endings.ts';
import { alreadyFinished, type Resend } from '../lifecycle/resends.ts';
import type { Note } from '../store/notes.ts';
import type { Request } from '../store/request.ts';
import type { RequestEvent, Requests } from '../store/requests.ts';
import type { AddOperation } from './operations.ts';

/** An entry of a history. */
const asRecorded = ({ type, at, ...more }: RequestEvent | Note): RequestRecord['events'][number] => ({
  type,
  timestamp: iso(at),
  ...('channel' in more && more.channel && { channel: more.channel }),
  ...('code' in more && more.code !== undefined && { code: more.code }),
});

const id = ulid.toUpperCase().meta({ description: 'The request’s id, as its send returned it.', examples: ['01KAH5Z0V8Q2J9XW3N4M5P6R7S'] });
/** The path parameter that names a request. */
export const requestPath = z.object({ id });

/** An account's request. @throws {HttpProblem} 404 if it has none of this id */
export const findRequest = async (requests: Pick<Requests, 'find'>, accountId: string, id: string): Promise<Request> => {
  const request = await requests.find(accountId, id);
  if (!request) throw new HttpProblem(404, 'not_found', 'There is no such request.');
  return request;
};

export const addRequestOperations = (
  { resultOf, storage: { requests, notes } }: AppContext,
  add: AddOperation,
  endings: Endings,
  resend: Resend,
) => {
  const find = (accountId: string, id: string) => findRequest(requests, accountId, id);
  const record = async (accountId: string, id: string): Promise<RequestRecord> => {
    const request = await find(accountId, id);
    const events = await requests.events(id);
    // At the same instant, a message's fate comes before the ending that it caused.
    const [before, after] = [events.filter(({ type }) => !isFinal(type)), events.filter(({ type }) => isFinal(type))];
    const happened = [...before, ...(await notes.of(id)), ...after];
    return {
      id,
      app: request.app,
      state: request.state,
      customerRef: request.customerRef,
      sessionRef: request.sessionRef,
      createdAt: iso(request.createdAt),
      expiresAt: iso(request.expiresAt),
      ...(request.finishedAt !== undefined && { finishedAt: iso(request.finishedAt) }),
      events: happened.sort((a, b) => a.at - b.at).map(asRecorded),
    };
  };

  add({
    id: 'results.get',
    group: 'results',
    summary: 'Read how a request ended',
    description:
      'There is a result once the request has ended, and it does not change any more. Events say when to read it; the result is what counts.',
    method: 'GET',
    path: '/results/:id',
    from: 'path',
    schema: requestPath,
    response: resultRecord,
    refuses: ['not_found'],
    answer: async ({ account, input: { id } }) => {
      const request = await requests.find(account.id, id);
      // The same for an unknown, a foreign and an unfinished request, so that ids cannot be probed.
      const result = request && resultOf(request);
      if (!result) throw new HttpProblem(404, 'not_found', 'There is no result for this request.');
      return result;
    },
  });

  const about = { group: 'requests', from: 'path', schema: requestPath, response: requestRecord } as const;
  add({
    ...about,
    id: 'requests.get',
    summary: 'Look at a request',
    description: 'Its state, and everything that has happened to it.',
    method: 'GET',
    path: '/requests/:id',
    refuses: ['not_found'],
    answer: ({ account, input: { id } }) => record(account.id, id),
  });

  add({
    ...about,
    id: 'requests.cancel',
    summary: 'Withdraw a request',
    description: 'Its link and its code stop working. There will be no result and no further event.',
    method: 'POST',
    path: '/requests/:id/cancel',
    refuses: ['not_found', 'already_finished'],
    answer: async ({ account, by, input: { id } }) => {
      const request = await find(account.id, id);
      if (request.state !== 'cancelled' && !(await endings.cancel(request, by))) {
        // Ended in between: by an outcome, which stands, or by another cancel, which is equivalent.
        if ((await find(account.id, id)).state !== 'cancelled') throw alreadyFinished();
      }
      return record(account.id, id);
    },
  });

  add({
    ...about,
    id: 'requests.resend',
    summary: 'Send the message again',
    description: 'With a new link or a new code; the old one stops working. The pause required between two messages grows each time.',
    method: 'POST',
    path: '/requests/:id/resend',
    refuses: ['not_found', 'already_finished', 'cooldown'],
    answer: async ({ account, by, input: { id } }) => {
      await resend(await find(account.id, id), by);
      return record(account.id, id);
    },
  });
};
