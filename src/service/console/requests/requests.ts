// The list of requests: filtered, newest first, in pages.
import { encodeTime } from 'ulid';
import { appIds, requestState } from '../../../contract/index.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { erasedRef } from '../../core/store/request.ts';
import { type Column, head, nextPage, nothing, stateOf, table } from '../parts.ts';
import type { Reports, RequestFilter } from '../reports.ts';
import type { ConsoleSection, Shown, Visit } from '../section.ts';
import { type RequestParts, requestPages } from './request.ts';

/** Lines per page. */
const lines = 50;

export const requests = (parts: RequestParts): ConsoleSection => ({
  path: '/requests',
  title: 'console.requests.title',
  icon: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  role: 'viewer',
  looked: ({ call }) => ({ action: 'requests', subject: new URLSearchParams(asked(call.query)).toString().slice(0, 300) }),
  answer: (visit) => shown(visit, parts.reports),
  others: requestPages(parts),
});

const fields = ['account', 'app', 'state', 'customer', 'from', 'to', 'before'] as const;
type Asked = Partial<Record<(typeof fields)[number], string>>;

const asked = (query: URLSearchParams): Asked =>
  Object.fromEntries(fields.flatMap((name) => (query.get(name) ? [[name, (query.get(name) ?? '').slice(0, 100)]] : [])));

const isDay = (value: string | undefined): value is string =>
  value !== undefined && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));

const shown = async ({ call, words, accounts }: Visit, reports: Reports): Promise<Shown> => {
  const { t, named, calendar } = words;
  const query = asked(call.query);
  const customers = accounts.all.flatMap(({ account, customers: all }) => all.map((one) => ({ ...one, account })));
  const nameOf = ({ account_id: accountId, customer_ref: customerRef }: { readonly account_id: string; readonly customer_ref: string }) =>
    customerRef === erasedRef
      ? t('console.request.erased')
      : (customers.find(({ id, account }) => id === customerRef && account.id === accountId)?.name ?? customerRef);
  const [ref, owner] = (query.customer ?? '').split(' ');
  const filter: RequestFilter = {
    app: appIds.find((app) => app === query.app),
    state: requestState.options.find((state) => state === query.state),
    ...(ref
      ? { customerRef: ref, accountId: owner ?? accounts.all[0]?.account.id }
      : { accountId: accounts.find(query.account ?? '')?.account.id }),
  };
  // Identifiers begin with their time of creation, so a period is a range of identifiers.
  const idAt = (instant: number) => encodeTime(Math.max(0, instant));
  const from = isDay(query.from) ? idAt(calendar.startOf(query.from)) : undefined;
  const end = isDay(query.to) ? idAt(calendar.dayEnd(query.to)) : undefined;
  const before = query.before !== undefined && /^[0-9A-HJKMNP-TV-Z]{10,26}$/.test(query.before) ? query.before : end;
  const { lines: found, next } = await reports.list(filter, { from, before, limit: lines });
  const more = next === undefined ? undefined : `/console/requests?${new URLSearchParams({ ...query, before: next })}`;
  const columns: readonly Column<(typeof found)[number]>[] = [
    [
      t('console.requests.when'),
      ({ id, created_at }) => html`<a class="row-link" href="/console/requests/${id}">${words.moment(created_at)}</a>`,
    ],
    [t('console.requests.app'), ({ app }) => named(`app.${app}`)],
    [t('console.requests.customer'), (line) => html`<span class="who">${nameOf(line)}</span>`],
    [t('console.requests.state'), ({ state }) => stateOf(state, words)],
  ];

  const option = (value: string, label: string, chosen: string | undefined) =>
    html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`;
  const choice = (name: string, label: string, options: readonly Html[]) =>
    html`<label><span>${label}</span><select name="${name}"><option value="">${t('console.filter.any')}</option>${options}</select></label>`;
  const day = (name: 'from' | 'to', label: string) =>
    html`<label><span>${label}</span><input type="date" name="${name}" value="${isDay(query[name]) && query[name]}"></label>`;
  const form = html`<form class="filter" method="get" action="/console/requests">
    ${
      accounts.all.length > 1 &&
      choice(
        'account',
        t('console.account'),
        accounts.all.map(({ account }) => option(account.id, account.name, query.account)),
      )
    }
    ${choice(
      'app',
      t('console.requests.app'),
      appIds.map((app) => option(app, named(`app.${app}`), query.app)),
    )}
    ${choice(
      'state',
      t('console.requests.state'),
      requestState.options.map((state) => option(state, named(`outbox.${state}`), query.state)),
    )}
    ${choice(
      'customer',
      t('console.requests.customer'),
      customers.map(({ id, name, account }) =>
        option(`${id} ${account.id}`, accounts.all.length > 1 ? `${name} · ${account.name}` : name, query.customer),
      ),
    )}
    ${day('from', t('console.filter.from'))}${day('to', t('console.filter.to'))}
    <button class="primary">${t('console.filter.show')}</button>
  </form>`;
  return {
    title: t('console.requests.title'),
    body: html`${head(t('console.requests.title'))}${form}
      ${found.length > 0 ? table(t('console.requests.title'), columns, found) : nothing(next === undefined ? t('console.requests.nothing') : t('console.requests.notYet'))}
      ${nextPage(more, found.length > 0 ? t('console.older') : t('console.requests.lookOn'))}`,
  };
};
