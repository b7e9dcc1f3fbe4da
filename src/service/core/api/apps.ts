// The apps' operations: bootstraps in all encodings, sends, and the passcode check.

import { z } from 'zod';
import {
  type AppId,
  agentHeader,
  appIds,
  apps,
  hasReturnableLink,
  idempotencyHeader,
  returnLinkHeader,
  withLink,
} from '../../../contract/index.ts';
import { HttpProblem } from '../../../platform/http/http-problem.ts';
import { preferred, primaryOf } from '../../../platform/text/accept-language.ts';
import { languages } from '../../../platform/text/languages.ts';
import type { Account } from '../accounts.ts';
import type { SendBody } from '../app.ts';
import type { AppContext } from '../app-context.ts';
import { customersWith } from '../catalogue/catalogue.ts';
import { idempotencyKey } from '../lifecycle/idempotency.ts';
import type { Send } from '../lifecycle/sends.ts';
import type { AddOperation, Call } from './operations.ts';

type Caller = { readonly [Field in 'customerRef' | 'phoneNumber']?: string | undefined };

export const addAppOperations = ({ accounts, apps: serviceApps }: AppContext, add: AddOperation, send: Send) => {
  const bootstrap = async (id: AppId, account: Account, { phoneNumber, customerRef }: Caller, asked: string | undefined) => {
    const catalogue = accounts.of(account.id);
    const own = primaryOf(catalogue.language);
    const customers = customersWith(catalogue, phoneNumber, customerRef);
    const app = serviceApps[id];
    const offered = app.offers(catalogue, preferred(asked, [own, ...languages]) ?? own);
    const listed = await app.lists?.(account.id, customers);
    return { ...offered, ...(listed ?? { customers: customers.map(({ id, name, email }) => ({ id, name, email })) }) };
  };

  for (const id of appIds) {
    const operations = apps[id].operations;
    const { bootstrap: checked, send: sending } = operations;
    const { describes, channel, answeredBy } = serviceApps[id];
    // A GET may leave out the caller where the interface has an operation for that.
    const configuration = 'configuration' in operations ? operations.configuration : checked;
    const { path } = checked;
    const returnsLink = hasReturnableLink(apps[id]) && sending.response instanceof z.ZodObject;
    const answer = ({ account, input, request }: Call<unknown>) =>
      bootstrap(id, account, input as Caller, request.headers['accept-language']);
    const listed = { group: id, path, response: checked.response, answer, speaks: true };
    add({
      ...listed,
      id: configuration === checked ? `${id}.bootstrap` : `${id}.configuration`,
      summary: configuration.summary,
      description: 'An unknown number is not an error: the list is then empty. The fields are sent in the query, or as a JSON body.',
      method: 'GET',
      from: 'bodyOrQuery',
      schema: configuration.request,
    });
    add({
      ...listed,
      id: configuration === checked ? `${id}.bootstrap.post` : `${id}.bootstrap`,
      summary: configuration === checked ? `${checked.summary} by POST` : checked.summary,
      description: describes.bootstrap ?? 'The same as with GET, for clients and proxies that cannot send a body with it.',
      method: 'POST',
      from: 'body',
      schema: checked.request,
    });
    add({
      id: `${id}.send`,
      group: id,
      summary: sending.summary,
      description: describes.send,
      method: 'POST',
      path: sending.path,
      from: 'body',
      schema: sending.request,
      response: returnsLink ? withLink(sending.response) : sending.response,
      refuses: [
        'channel_unavailable' as const,
        ...(channel === 'sms' ? (['country_not_allowed'] as const) : []),
        ...(answeredBy === 'code' ? (['phone_locked', 'too_many_failures'] as const) : []),
      ],
      idempotent: true,
      returnsLink,
      speaks: true,
      answer: ({ account, by, input, request }) =>
        send(account, id, input as SendBody<typeof id>, idempotencyKey(request.headers[idempotencyHeader.toLowerCase()]), by, {
          chatSpeaks: request.headers['accept-language'],
          agentId: agentIdOf(request.headers[agentHeader.toLowerCase()]),
          returnLink: asksForLink(request.headers[returnLinkHeader.toLowerCase()]),
        }),
    });
  }
};

/** The agent on whose behalf a send is made. @throws {HttpProblem} 400 if the header is not a valid agent. */
const agentIdOf = (header: string | string[] | undefined): string | undefined => {
  if (header === undefined || header === '') return undefined;
  if (typeof header === 'string' && /^[\x21-\x7e]{1,320}$/.test(header)) return header;
  throw new HttpProblem(400, 'malformed', `${agentHeader} must be 1 to 320 visible ASCII characters.`);
};

/** Whether a send asks for its link. @throws {HttpProblem} 400 if the header is neither yes nor no. */
const asksForLink = (header: string | string[] | undefined): boolean => {
  if (header === undefined || header === '' || header === 'false') return false;
  if (header === 'true') return true;
  throw new HttpProblem(400, 'malformed', `${returnLinkHeader} must be true or false.`);
};
