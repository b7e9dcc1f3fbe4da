// The customers of the catalogue, each with the way to their requests.
import { html } from '../../platform/html.ts';
import { code, head, nothing, table } from './parts.ts';
import type { ConsoleSection } from './section.ts';

export const customers = (): ConsoleSection => ({
  path: '/customers',
  title: 'console.customers.title',
  icon: 'M16 20v-2a4 4 0 0 0-8 0v2M12 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M20 20v-1.5a3.5 3.5 0 0 0-2.5-3.4M4 20v-1.5a3.5 3.5 0 0 1 2.5-3.4',
  pages: [
    {
      method: 'GET',
      path: '/customers',
      role: 'viewer',
      looked: () => ({ action: 'customers', subject: '' }),
      answer: ({ words, accounts }) => {
        const { t, language } = words;
        const languages = new Intl.DisplayNames(language, { type: 'language' });
        const several = accounts.all.length > 1;
        const rows = accounts.all.flatMap(({ account, customers: all }) =>
          all.map(({ id, name, email, phoneNumber, language: spoken }) => [
            html`<span class="who"><strong>${name}</strong></span>`,
            ...(several ? [html`${account.name}`] : []),
            html`<bdi dir="ltr">${phoneNumber}</bdi>`,
            html`<span class="long">${email}</span>`,
            html`${languages.of(spoken)}`,
            code(id),
            html`<a href="/console/requests?${String(new URLSearchParams({ customer: `${id} ${account.id}` }))}" aria-label="${t('console.customers.requestsOf', { name })}">${t('console.requests.title')}</a>`,
          ]),
        );
        const columns = [
          t('console.customers.name'),
          ...(several ? [t('console.account')] : []),
          t('console.request.phone'),
          t('console.customers.email'),
          t('console.customers.language'),
          t('console.request.reference'),
          t('console.requests.title'),
        ];
        return {
          title: t('console.customers.title'),
          body: html`${head(t('console.customers.title'), t('console.catalogue.lead'))}${rows.length > 0 ? table(t('console.customers.title'), columns, rows) : nothing(t('console.catalogue.nothing'))}`,
        };
      },
    },
  ],
});
