// The customers of the catalogue, each with a link to their requests.

import { postedFields } from '../../../platform/http/http-body.ts';
import { HttpProblem } from '../../../platform/http/http-problem.ts';
import { html } from '../../../platform/text/html.ts';
import type { ServiceContext } from '../../core/context.ts';
import { lockedPhones, unlockedSubject, unlockPhone } from '../../one-time-passcode/unlock.ts';
import { type Column, code, head, nothing, table } from '../parts.ts';
import { type ConsoleSection, onward, type Visit } from '../section.ts';

/** The customer that a post names: `id account`. */
const posted = ({ call, accounts }: Visit) => {
  const [id = '', owner = ''] = (postedFields(call.body).customer ?? '').split(' ');
  const found = accounts.find(owner)?.customers.find((one) => one.id === id);
  if (!found) throw new HttpProblem(404, 'not_found', 'There is no such customer.');
  return { accountId: owner, ...found };
};

export const customers = (context: ServiceContext): ConsoleSection => ({
  path: '/customers',
  title: 'console.customers.title',
  icon: 'M16 20v-2a4 4 0 0 0-8 0v2M12 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M20 20v-1.5a3.5 3.5 0 0 0-2.5-3.4M4 20v-1.5a3.5 3.5 0 0 1 2.5-3.4',
  role: 'viewer',
  looked: () => ({ action: 'customers', subject: '' }),
  answer: async ({ call, session, words, accounts }) => {
    const { t, language } = words;
    const languages = new Intl.DisplayNames(language, { type: 'language' });
    const several = accounts.all.length > 1;
    const locked = new Map<string, ReadonlySet<string>>();
    for (const { account } of accounts.all) locked.set(account.id, await lockedPhones(context, account.id));
    /** What is locked, and for operators the button that unlocks it. */
    const lock = (id: string, account: string, name: string) =>
      html`<span class="state failure">${t('console.customers.locked')}</span>${
        session.role === 'operator' &&
        html`<form method="post" action="/console/customers/unlock"><input type="hidden" name="customer" value="${id} ${account}"><button aria-label="${t('console.customers.unlockOf', { name })}">${t('console.customers.unlock')}</button></form>`
      }`;
    const done = call.query.get('done') === 'unlock';
    const listed = accounts.all.flatMap(({ account, customers: all }) => all.map((one) => ({ ...one, account })));
    type Listed = Column<(typeof listed)[number]>;
    const columns: readonly Listed[] = [
      [t('console.customers.name'), ({ name }) => html`<span class="who"><strong>${name}</strong></span>`],
      ...(several ? [[t('console.account'), ({ account }) => account.name] as Listed] : []),
      [
        t('console.request.phone'),
        ({ id, name, phoneNumber, account }) =>
          html`<bdi dir="ltr">${phoneNumber}</bdi>${locked.get(account.id)?.has(phoneNumber) && lock(id, account.id, name)}`,
      ],
      [t('console.customers.email'), ({ email }) => html`<span class="long">${email}</span>`],
      [t('console.customers.language'), ({ language: spoken }) => (spoken === undefined ? '–' : languages.of(spoken))],
      [t('console.request.reference'), ({ id }) => code(id)],
      [
        t('console.requests.title'),
        ({ id, name, account }) =>
          html`<a href="/console/requests?${String(new URLSearchParams({ customer: `${id} ${account.id}` }))}" aria-label="${t('console.customers.requestsOf', { name })}">${t('console.requests.title')}</a>`,
      ],
    ];
    return {
      title: t('console.customers.title'),
      body: html`${head(t('console.customers.title'), t('console.catalogue.lead'))}${done && html`<p class="done" role="status">${t('console.customers.unlocked')}</p>`}${listed.length > 0 ? table(t('console.customers.title'), columns, listed) : nothing(t('console.catalogue.nothing'))}`,
    };
  },
  others: [
    {
      method: 'POST',
      path: '/customers/unlock',
      role: 'operator',
      looked: (visit) => {
        const { accountId, phoneNumber } = posted(visit);
        return { action: 'unlock', subject: unlockedSubject(visit.accounts, accountId, phoneNumber) };
      },
      answer: async (visit) => {
        const { accountId, phoneNumber } = posted(visit);
        await unlockPhone(context, accountId, phoneNumber);
        return onward('/customers?done=unlock');
      },
    },
  ],
});
