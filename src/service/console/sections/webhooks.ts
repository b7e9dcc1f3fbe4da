// The accounts' webhook endpoints, and the webhooks that were given up: their last failures, and sending them again.

import { ulid } from '../../../contract/index.ts';
import { HttpProblem } from '../../../platform/http/http-problem.ts';
import { html } from '../../../platform/text/html.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { OpenWebhooks } from '../../webhooks/open.ts';
import { type Column, code, head, nothing, panel, table } from '../parts.ts';
import { type ConsoleSection, onward, type Shown, type Visit } from '../section.ts';

export const webhooks = ({ store, posting }: OpenWebhooks, clock: Clock): ConsoleSection => ({
  path: '/webhooks',
  title: 'console.webhooks.title',
  icon: 'M9 8a4 4 0 1 1 6 3.5L18 17M15 18a4 4 0 1 1-5-6l-3 5M6 17h9',
  role: 'viewer',
  answer: (visit) => shown(visit, store),
  others: [
    {
      method: 'POST',
      path: '/webhooks/:account/:id/retry',
      role: 'operator',
      looked: ({ call }) => ({ action: 'webhook', subject: call.params.id ?? '' }),
      answer: async ({ call, accounts }) => {
        const id = ulid.safeParse(call.params.id ?? '');
        const account = accounts.find(call.params.account ?? '')?.account;
        const now = clock.now();
        if (!account || !id.success || !(await store.revive(account.id, id.data, now)))
          throw new HttpProblem(404, 'not_found', 'No webhook of this identifier was given up.');
        posting.wake(now);
        return onward('/webhooks');
      },
    },
  ],
});

const shown = async ({ words, accounts, session }: Visit, store: OpenWebhooks['store']): Promise<Shown> => {
  const { t, moment, number } = words;
  const endpoints: { account: string; url: string; events: string; gone: boolean }[] = [];
  const dead: Awaited<ReturnType<typeof store.dead>>[number][] = [];
  for (const { account, webhooks: listed } of accounts.all) {
    for (const { url, events } of listed) {
      const gone = await store.isDisabled(account.id, url);
      endpoints.push({ account: account.name, url, events: events?.join(', ') ?? t('console.webhooks.everything'), gone });
    }
    dead.push(...(await store.dead(account.id)));
  }
  const endpointColumns: readonly Column<(typeof endpoints)[number]>[] = [
    [t('console.account'), ({ account }) => html`<strong>${account}</strong>`],
    [t('console.webhooks.address'), ({ url }) => html`<span class="long">${url}</span>`],
    [t('console.webhooks.events'), ({ events }) => events],
    [
      t('console.requests.state'),
      ({ gone }) =>
        html`<span class="state ${gone ? 'failure' : 'success'}">${t(gone ? 'console.webhooks.gone' : 'console.webhooks.used')}</span>`,
    ],
  ];
  const deadColumns: readonly Column<(typeof dead)[number]>[] = [
    [t('console.requests.when'), ({ dead_at }) => moment(dead_at)],
    [t('console.accesses.what'), ({ type }) => code(type)],
    [t('console.request.id'), ({ request_id }) => html`<a href="/console/requests/${request_id}">${code(request_id)}</a>`],
    [t('console.webhooks.address'), ({ url }) => html`<span class="long">${url}</span>`],
    [
      t('console.webhooks.why'),
      ({ dead_code, attempts }) => html`${code(dead_code)} <span class="quiet">${t('console.event.attempts', { count: attempts })}</span>`,
    ],
    [
      t('console.webhooks.again'),
      ({ account_id, id }) =>
        session.role === 'operator' &&
        html`<form method="post" action="/console/webhooks/${account_id}/${id}/retry"><button>${t('console.webhooks.retry')}</button></form>`,
    ],
  ];
  return {
    title: t('console.webhooks.title'),
    body: html`${head(t('console.webhooks.title'), t('console.webhooks.lead'))}
      ${endpoints.length > 0 ? table(t('console.webhooks.title'), endpointColumns, endpoints) : nothing(t('console.webhooks.none'))}
      ${panel(
        t('console.webhooks.dead'),
        dead.length > 0
          ? table(t('console.webhooks.dead'), deadColumns, dead)
          : html`<p class="quiet">${t('console.webhooks.allTold')}</p>`,
        dead.length > 0 ? t('console.webhooks.deadLead', { count: number(dead.length) }) : undefined,
      )}`,
  };
};
