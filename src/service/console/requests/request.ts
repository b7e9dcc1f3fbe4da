// A request: its customer, its history, its result, and the actions still possible.

import { ulid } from '../../../contract/index.ts';
import { HttpProblem } from '../../../platform/http/http-problem.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import type { By } from '../../core/audit/actions.ts';
import { actorIn } from '../../core/audit/certificate.ts';
import type { openAudit } from '../../core/audit/operations.ts';
import { operatorAt, originOf } from '../../core/audit/origin.ts';
import type { Core } from '../../core/core.ts';
import { erasedRef, type Request } from '../../core/store/request.ts';
import type { TextKey } from '../../core/texts.ts';
import { code, facts, head, panel, stateOf } from '../parts.ts';
import type { Reports } from '../reports.ts';
import { type ConsolePage, onward, type Shown, type Visit } from '../section.ts';
import type { Words } from '../words.ts';
import { resultShown } from './result.ts';
import { subjectShown } from './subject.ts';

export type AuditParts = ReturnType<typeof openAudit>;

/** What the pages of requests show, and what they do. */
export interface RequestParts {
  readonly core: Core;
  readonly reports: Reports;
  readonly audit: AuditParts;
}

export const requestPages = (parts: RequestParts): readonly ConsolePage[] => {
  const page = (method: 'GET' | 'POST', path: string, action: string, answer: ConsolePage['answer']): ConsolePage => ({
    ...{ method, path: `/requests/:id${path}`, answer },
    role: method === 'GET' ? 'viewer' : 'operator',
    looked: (visit) => ({ action, subject: idOf(visit) }),
  });
  /** Performs an action and shows its outcome; refusals are shown on the request's page. */
  const action = (done: keyof typeof notices, what: (request: Request, by: By) => Promise<boolean>) =>
    page('POST', `/${done}`, done, async (visit) => {
      const by = operatorAt(visit.session.subject, originOf(visit.call));
      try {
        if (await what(await find(visit, parts), by)) return onward(`/requests/${idOf(visit)}?done=${done}`);
        return shown(visit, parts, { status: 409, text: 'console.request.over' });
      } catch (fault) {
        const text = fault instanceof HttpProblem ? refusals[fault.code] : undefined;
        if (!(fault instanceof HttpProblem) || text === undefined) throw fault;
        return shown(visit, parts, { status: fault.status, text });
      }
    });
  return [
    page('GET', '', 'request', (visit) => shown(visit, parts)),
    action('cancel', (request, by) => parts.core.endings.cancel(request, by)),
    action('resend', (request, by) => parts.core.resend(request, by).then(() => true)),
    // The trail as accounts get it with their keys.
    page('GET', '/audit', 'audit', async (visit) => {
      const trail = await parts.audit.readTrail(await find(visit, parts));
      const headers = { 'Content-Type': 'application/json', 'Content-Disposition': `attachment; filename="${trail.id}-audit.json"` };
      return { status: 200, headers, body: JSON.stringify(trail, null, 2) };
    }),
    page('GET', '/audit.pdf', 'certificate', async (visit) => {
      const request = await find(visit, parts);
      const trail = await parts.audit.readTrail(request);
      // The trail itself tells what is wrong with it.
      if (!trail.intact) return shown(visit, parts, { status: 500, text: 'console.request.damaged' });
      const { accountId: id } = request;
      // An account that is no longer in the catalogue still has its trails.
      const account = visit.accounts.find(id)?.account ?? { id, name: id };
      return (await parts.audit.certify(account, request, trail, visit.words.language)).answer;
    }),
  ];
};

/** Messages about actions, each with its check: anybody can follow an address that contains one. */
const notices = {
  cancel: { text: 'console.request.cancelled', holds: ({ state }) => state === 'cancelled' },
  resend: { text: 'console.request.resent', holds: ({ resends }) => resends > 0 },
} as const satisfies Record<string, { readonly text: TextKey; readonly holds: (request: Request) => boolean }>;

/** Why an action is refused, by the problem's code. */
const refusals: Readonly<Record<string, TextKey>> = {
  already_finished: 'console.request.over',
  cooldown: 'console.request.tooSoon',
  too_many_messages: 'console.request.tooMany',
};

const idOf = ({ call }: Visit): string => {
  const id = ulid.safeParse((call.params.id ?? '').toUpperCase());
  if (!id.success) throw new HttpProblem(404, 'not_found', 'There is no such request.');
  return id.data;
};

const find = async (visit: Visit, { core }: RequestParts): Promise<Request> => {
  const request = await core.storage.requests.get(idOf(visit));
  if (!request) throw new HttpProblem(404, 'not_found', 'There is no such request.');
  return request;
};

/** Who withdrew a request. `undefined` if its audit trail cannot be trusted. */
const whoWithdrew = async (request: Request, { audit }: RequestParts, { t }: Words): Promise<string | undefined> => {
  const { intact, entries } = await audit.readTrail(request);
  const entry = intact ? entries.findLast(({ action }) => action === 'request.cancelled') : undefined;
  return entry && actorIn(entry.actor, t);
};

const shown = async (visit: Visit, parts: RequestParts, refused?: { readonly status: number; readonly text: TextKey }): Promise<Shown> => {
  const { core } = parts;
  const { words, accounts, session } = visit;
  const { t, named, moment, number } = words;
  const request = await find(visit, parts);
  const done = Object.entries(notices).find(([what]) => what === visit.call.query.get('done'))?.[1];
  const catalogue = accounts.find(request.accountId);
  const customer = catalogue?.customers.find(({ id }) => id === request.customerRef);
  const title = named(`app.${request.app}`);
  const form = (what: keyof typeof notices, button: Html) =>
    html`<form method="post" action="/console/requests/${request.id}/${what}">${button}</form>`;
  // What cannot be undone takes a second click, even without scripts.
  const withdraw = html`<details class="ask"><summary class="danger">${t('console.request.cancel')}</summary>
    <div><p>${t('console.request.cancelSure')}</p>${form('cancel', html`<button class="danger">${t('console.request.cancelNow')}</button>`)}</div></details>`;
  const acts =
    request.state === 'pending' &&
    session.role === 'operator' &&
    html`<div class="acts">${form('resend', html`<button>${t('console.request.resend')}</button>`)}${withdraw}</div>`;
  const about = facts([
    ...subjectShown(core.taskOf, request, words),
    [
      t('console.request.customer'),
      request.customerRef === erasedRef ? t('console.request.erased') : (customer?.name ?? request.customerRef),
    ],
    [t('console.request.reference'), request.customerRef !== erasedRef && code(request.customerRef)],
    [t('console.request.phone'), request.phoneNumber && html`<bdi dir="ltr">${request.phoneNumber}</bdi>`],
    [
      t('console.request.recipients'),
      request.recipients.length > 0 && html`${request.recipients.map(({ to }) => html`<bdi class="line">${to}</bdi>`)}`,
    ],
    [t('console.account'), accounts.all.length > 1 && (catalogue?.account.name ?? request.accountId)],
    [t('console.request.session'), request.sessionRef !== erasedRef && code(request.sessionRef)],
    [t('console.request.id'), code(request.id)],
    [t('console.request.created'), moment(request.createdAt)],
    [t('console.request.expires'), request.state === 'pending' && moment(request.expiresAt)],
    [t('console.request.ended'), request.finishedAt !== undefined && moment(request.finishedAt)],
    [t('console.request.resends'), request.resends > 0 && number(request.resends)],
    [t('console.request.checks'), request.checks > 0 && number(request.checks)],
  ]);
  const links = request.state === 'success' ? core.apps[request.app].links?.(request) : undefined;
  const document = links !== undefined && 'url' in links && typeof links.url === 'string' && links.url;
  return {
    status: refused?.status ?? 200,
    title,
    body: html`<p class="back"><a href="/console/requests">${t('console.requests.title')}</a></p>
      ${head(title, stateOf(request.state, words), acts)}
      ${done?.holds(request) && html`<p class="done" role="status">${t(done.text)}</p>`}
      ${refused && html`<p class="warning" role="alert">${t(refused.text)}</p>`}
      <div class="pair even">
        <div>${panel(t('console.request.about'), about)}${request.result !== undefined && panel(t('console.request.result'), html`${resultShown(request.result, words)}${document && html`<p><a class="button" href="${document}">${t('document-signature.copy')}</a></p>`}`)}</div>
        <div>${panel(t('console.request.timeline'), timeline(request, await historyOf(request, parts, words), words))}
        ${panel(
          t('console.request.audit'),
          html`<div class="acts"><a class="button" href="/console/requests/${request.id}/audit.pdf">${t('console.request.certificate')}</a><a class="button" href="/console/requests/${request.id}/audit">${t('console.request.trail')}</a></div>`,
          t('console.request.auditLead'),
        )}</div>
      </div>`,
  };
};

const historyOf = async (request: Request, parts: RequestParts, words: Words) => ({
  events: await parts.core.storage.requests.events(request.id),
  /** The delivery of its messages, and its replacement by a newer request. */
  notes: await parts.core.storage.notes.of(request.id),
  underWay: await parts.reports.underWay(request.id),
  /** According to the audit trail. */
  withdrawnBy: request.state === 'cancelled' ? await whoWithdrew(request, parts, words) : undefined,
});

const timeline = (
  request: Request,
  { events, notes, underWay, withdrawnBy }: Awaited<ReturnType<typeof historyOf>>,
  words: Words,
): Html => {
  const { t, named, moment } = words;
  const entry = (kind: string, text: string, at: Html | false, more?: Html | string | false | undefined) =>
    html`<li class="${kind}"><strong>${text}</strong>${at}${more && html`<span class="quiet">${more}</span>`}</li>`;
  const { state, finishedAt } = request;
  const withdrawn = state === 'cancelled' && finishedAt !== undefined ? [{ type: 'cancelled', at: finishedAt, code: withdrawnBy }] : [];
  const all = [...events.map(({ type, at }) => ({ type, at, code: undefined })), ...notes, ...withdrawn].sort(
    (one, other) => one.at - other.at,
  );
  const kinds: Readonly<Record<string, string>> = {
    cancelled: 'bad',
    'delivery.delivered': 'good',
    'delivery.undelivered': 'bad',
    'delivery.failed': 'bad',
    'task.succeeded': 'good',
    'task.failed': 'bad',
    'task.timed_out': 'warn',
  };
  return html`<ol class="timeline">
    ${entry('', t('console.event.accepted'), moment(request.createdAt))}
    ${all.map(({ type, at, code }) => entry(kinds[type] ?? '', named(`console.event.${type}`), moment(at), code))}
    ${underWay.map(({ attempts, dueAt }) => entry('ahead', t('console.event.underWay'), moment(dueAt), attempts > 0 && t('console.event.attempts', { count: attempts })))}
    ${request.state === 'pending' && underWay.length === 0 && entry('ahead', t('console.event.waiting'), false)}
  </ol>`;
};
