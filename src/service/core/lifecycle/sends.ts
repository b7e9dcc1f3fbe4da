// Accepts a send: finds the customer and the object, checks the limits, stores everything, and only then answers.

import type { AppId, ReturnedLink, SendResponse } from '../../../contract/index.ts';
import { HttpProblem } from '../../../platform/http/http-problem.ts';
import { hashToken } from '../../../platform/secrets/sealing.ts';
import { nearestLanguage, negotiateLanguage } from '../../../platform/text/languages.ts';
import type { Account } from '../accounts.ts';
import type { SendBody, ServiceApp } from '../app.ts';
import type { AppContext } from '../app-context.ts';
import type { By } from '../audit/actions.ts';
import { accepted } from '../issues.ts';
import { blockedFor } from '../limits/guesses.ts';
import { guessQuotas, messageQuotas, refuseBlocked, withinQuotas } from '../limits/quota.ts';
import { sessionOf } from '../limits/stored-quotas.ts';
import type { Compose } from '../messages/compose.ts';
import { type Reach, refuseUnreachable } from '../messages/reach.ts';
import type { Request } from '../store/request.ts';
import type { Acceptance } from '../store/requests.ts';
import { behaviourOf, lifetimeOf } from '../test-numbers.ts';
import { addressedCustomer } from './customer.ts';
import { digestOf, makeIdempotency } from './idempotency.ts';
import { dueAt } from './request-scheduler.ts';
import type { Woken } from './resends.ts';

/**
 * The options in a send's headers: the agent on whose behalf it is made; Accept-Language, for a customer whose language
 * the account does not know; and whether the link is asked for.
 */
type SendHeaders = Readonly<Record<'agentId' | 'chatSpeaks', string | undefined> & { returnLink: boolean }>;

/**
 * Accepts a send and answers it.
 * @throws {HttpProblem} 422 a field leads nowhere, or to a country that nothing is sent to; 409/422 an idempotency key;
 * 429 too many messages or wrong passcodes; 409 a phone locked by them; 503 no way for its message, or a test number
 * that refuses.
 */
export type Send = <Id extends AppId>(
  account: Account,
  app: Id,
  body: SendBody<Id>,
  key: string | undefined,
  by: By,
  headers: SendHeaders,
) => Promise<SendResponse<Id> & ReturnedLink>;

/** @param returnsLinks - whether links are returned to accounts that ask for them */
export const makeSend = (
  context: AppContext,
  { compose, reach, scheduler, dispatch, returnsLinks }: Woken & { compose: Compose; reach: Reach; returnsLinks: boolean },
): Send => {
  const { accounts, apps, storage, listeners, limits, seal, random, clock, log, texts, demo } = context;
  const idempotency = makeIdempotency(storage.requests, seal);

  const prepare = async <Id extends AppId>(account: Account, id: Id, body: SendBody<Id>, { agentId, chatSpeaks }: SendHeaders) => {
    const app = apps[id] as unknown as ServiceApp<Id>;
    const catalogue = accounts.of(account.id);
    const customer = accepted(addressedCustomer(catalogue, body));
    const language = customer.language ?? negotiateLanguage(chatSpeaks, nearestLanguage(catalogue.language));
    const textsIn = (tag: string) => texts(nearestLanguage(tag));
    const input = accepted(app.accept(body, { catalogue, customer, language, texts: textsIn }));
    const behaviour = demo ? behaviourOf(customer.phoneNumber) : undefined;
    if (behaviour === 'refuse') {
      throw new HttpProblem(503, 'unavailable', 'Nothing can be sent at the moment. Please try again later.', {
        headers: { 'Retry-After': '1' },
      });
    }
    const recipients = app.recipients?.(body) ?? [{ to: customer.phoneNumber, name: customer.name }];
    refuseUnreachable(reach, app.channel, recipients);
    const now = clock.now();
    const requestId = random.id(now);
    // The specification requires a session on every record. A passkeys send without one is a session of its own.
    const sessionRef = body.sessionRef ?? requestId;
    if (app.answeredBy === 'code') {
      const guesses = guessQuotas(limits, seal, { accountId: account.id, sessionRef }, customer.phoneNumber);
      const session = sessionOf({ accountId: account.id, customerRef: customer.id, sessionRef });
      refuseBlocked(await blockedFor(storage, guesses, session, now), limits);
    }
    const minutes = catalogue.expiryMinutes[id];
    const expiresAt = now + (lifetimeOf(behaviour) ?? (minutes === undefined ? limits.expiryMs[id] : minutes * 60_000));
    const request: Request = {
      id: requestId,
      accountId: account.id,
      app: id,
      state: 'pending',
      sessionRef,
      customerRef: customer.id,
      phoneNumber: body.phoneNumber,
      channel: app.channel,
      recipients,
      language,
      input,
      agentId,
      behaviour,
      step: 0,
      createdAt: now,
      expiresAt,
      dueAt: dueAt({ behaviour, app: id, createdAt: now, expiresAt }, 0),
      checks: 0,
      resends: 0,
      sentAt: now,
      finishedAt: undefined,
      result: undefined,
    };
    return { app, request };
  };

  return async (account, id, body, key, by, headers) => {
    // Only this answer has the link: the one stored under the key, for repeats, does not.
    let returned: ReturnedLink = {};
    const send = async (idempotencyOf: (answer: SendResponse<typeof id>) => Acceptance['idempotency']) => {
      const { app, request } = await prepare(account, id, body, headers);
      const wsToken = random.token();
      const answer = app.answer({ requestId: request.id, wsToken }, texts('en'));
      const { link, shown, stored } = compose(request);
      const { messages, ...hashes } = stored;
      const secrets = { ...hashes, ws_token_hash: app.answeredBy === 'link' ? hashToken(wsToken) : null };
      const quotas = request.recipients.flatMap(({ to }) => messageQuotas(limits, seal, request, to));
      const returnsLink = returnsLinks && headers.returnLink && link !== undefined && isToItsPhone(request);
      const supersedes = limits.oneActive;
      if (supersedes) for (const earlier of await storage.requests.pendingOf(request)) await apps[id].withdraw?.(earlier);
      const acceptance = { request, secrets, messages, idempotency: idempotencyOf(answer), quotas, by, shown, returnsLink, supersedes };
      const superseded = await withinQuotas(() => storage.requests.accept(acceptance));
      if (superseded === 'duplicate') return 'duplicate';
      log.info({ component: 'requests', interaction: request.id, app: id }, 'a request is accepted');
      for (const id of superseded) {
        log.info(
          { component: 'requests', interaction: id, app: request.app, state: 'cancelled' },
          'a request is withdrawn for a newer one',
        );
        listeners.notify(id);
      }
      dispatch.wake(request.createdAt);
      scheduler.wake(request.dueAt);
      if (returnsLink) returned = { link };
      return answer;
    };
    const answer =
      key === undefined
        ? ((await send(() => undefined)) as SendResponse<typeof id>)
        : await idempotency.once({ accountId: account.id, key, digest: digestOf(id, body) }, send);
    return { ...answer, ...returned };
  };
};

/** Whether its message goes only to the phone that the account named. */
const isToItsPhone = ({ phoneNumber, recipients }: Request): boolean => recipients.every(({ to }) => to === phoneNumber);
