// The pages behind a link: the question, the end, and one page for links that no longer open anything.

import { compareCode } from '../../../contract/index.ts';
import type { FieldError } from '../../../platform/http/http-problem.ts';
import type { Answer } from '../../../platform/http/http-server.ts';
import type { Look } from '../../../platform/pages/look.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { iso } from '../../../platform/time/clock.ts';
import type { PageButton, PageParts, TaskOf } from '../app.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { ServiceContext } from '../context.ts';
import type { Request } from '../store/request.ts';
import type { TextKey, Texts } from '../texts.ts';
import type { AssetName, Assets } from './assets.ts';
import { brandOf, footOf } from './brand.ts';
import { errorSummary } from './fields.ts';
import { page } from './layout.ts';

export type DevicePages = ReturnType<typeof makeDevicePages>;

/**
 * A download, and below it until when it can be had here. The page's script writes the instant in the device's own
 * time.
 */
export const download = (url: string, label: string, until: number, { t, instant }: Texts): Html => {
  const [before, after] = t('done.until', { until: '\0' }).split('\0');
  const at = html`<time datetime="${iso(until)}" data-until>${instant(until)}</time>`;
  return html`<div class="actions single"><a class="button" href="${url}">${label}</a></div>
    <p class="note until">${before}${at}${after}</p>`;
};

/** How a request ended, for those who still have its page open. */
export type Over = 'answered' | 'done' | 'expired' | 'replaced' | 'withdrawn';

/** The texts for a request that has ended, or for none. */
export const goneWords = ({ t }: Texts, over?: Over): Pick<Notice, 'paragraphs' | 'title'> => ({
  title: t(over === 'done' || over === 'replaced' ? `gone.${over}.title` : 'gone.title'),
  // A newer message is the way on; nobody needs another one.
  paragraphs: over === 'replaced' ? [t('gone.replaced')] : [t(over ? `gone.${over}` : 'gone.text'), t('gone.next')],
});

export interface Notice {
  readonly kind: 'declined' | 'done' | 'gone';
  readonly title: string;
  /** With whom, and about what. */
  readonly about?: string;
  readonly paragraphs: readonly string[];
  /** The advice. */
  readonly actions?: Html | undefined;
  readonly status?: number;
  readonly scripts?: readonly AssetName[];
}

export type PagesOf = ReturnType<typeof makePagesOf>;

export const makePagesOf = ({ accounts, assets, looks }: Pick<ServiceContext, 'accounts' | 'assets' | 'looks'>, taskOf: TaskOf) => {
  const [first, ...others] = accounts.all;
  const pages = (catalogue: Catalogue | undefined, look: Look) => makeDevicePages(catalogue, look, assets, taskOf);
  const pagesOf = (catalogue: Catalogue) => pages(catalogue, looks.of(catalogue.account.id));
  const strangers = others.length === 0 && first ? pagesOf(first) : pages(undefined, looks.service);
  const own = new Map(accounts.all.map((catalogue) => [catalogue.account.id, pagesOf(catalogue)]));
  /** The pages of an account, in its name. If the account is unknown: in the only account's name, or in none. */
  return (accountId: string | undefined) => own.get(accountId ?? '') ?? strangers;
};

const makeDevicePages = (catalogue: Catalogue | undefined, look: Look, assets: Assets, taskOf: TaskOf) => {
  const name = look.name ?? catalogue?.account.name;
  const frame = (body: Html, texts: Texts) =>
    html`${name !== undefined && html`<header class="brand">${brandOf(name, look)}</header>`}<main class="card">${body}</main>${footOf(look, texts)}`;
  const titled = (title: string) => (name === undefined ? title : `${title} · ${name}`);

  const plain = (
    title: string,
    body: Html,
    texts: Texts,
    { status = 200, head, scripts = [] }: { readonly status?: number; readonly head?: Html; readonly scripts?: readonly AssetName[] } = {},
  ): Answer =>
    page({ status, language: texts.language, title: titled(title), assets, look, kind: 'device', head, scripts, body: frame(body, texts) });

  const notice = ({ kind, title, about, paragraphs, actions, status = 200, scripts = [] }: Notice, texts: Texts): Answer =>
    plain(
      title,
      html`<div class="notice"><span class="sign ${kind}" aria-hidden="true"></span><h1>${title}</h1>${about && html`<p class="about">${about}</p>`}${paragraphs.map((text) => html`<p>${text}</p>`)}</div>${actions}`,
      texts,
      { status, scripts },
    );

  const show = (request: Pick<Request, 'app' | 'id' | 'input'>, parts: PageParts, errors: readonly FieldError[], texts: Texts): Answer => {
    const { t } = texts;
    const { id } = request;
    const accept = typeof parts.accept === 'string' ? { decision: 'accept', label: parts.accept } : parts.accept;
    return page({
      status: errors.length > 0 ? 422 : 200,
      language: texts.language,
      title: titled(parts.title),
      assets,
      look,
      // First: the other scripts expect the earlier input in the form.
      scripts: ['device.js', ...(parts.scripts ?? [])],
      kind: 'device',
      body: frame(
        html`<div aria-live="assertive" data-over></div>
          <h1>${parts.title}</h1>
          ${parts.lead && html`<p class="lead">${parts.lead}</p>`}
          <p class="compare"><span>${t('page.compare')}</span> <strong class="number">${compareCode(id)}</strong></p>
          ${errorSummary(errors, parts.labels ?? {}, texts)}
          <form method="post" autocomplete="on" novalidate data-device data-busy="${t('page.busy')}"${parts.drafted && html` data-drafted`}>
            ${parts.content}
            <p class="unsent" role="alert" data-unsent data-offline="${t('page.offline')}" data-unreachable="${t('page.unreachable')}"></p>
            <div class="actions">
              ${button(accept, html` class="primary"`)}
              ${(parts.others ?? []).map((other) => button(other, html``))}
            </div>
            ${parts.back ? button(parts.back, html` class="quiet"`) : declining(taskOf(request).ends(texts).decline, texts)}
          </form>
          ${parts.note && html`<p class="note">${parts.note}</p>`}
          ${!parts.back && html`<p class="note">${t('page.unexpected')}</p>`}
          ${parts.details && html`<details class="details"><summary>${t('page.details')}</summary><p class="note">${parts.details}</p></details>`}`,
        texts,
      ),
    });
  };

  const scripts = ['ended.js'] as const;
  return {
    /**
     * The question itself, with what was entered before and what was wrong with it; `undefined` for an app that has no
     * page.
     */
    ask: (request: Request, entered: Readonly<Record<string, string>>, errors: readonly FieldError[], texts: Texts): Answer | undefined => {
      if (!catalogue) return undefined;
      const { account, language: contentLanguage } = catalogue;
      const parts = taskOf(request).page({ requestId: request.id, texts, account, assets, entered, errors, contentLanguage });
      return parts && show(request, parts, errors, texts);
    },
    /** A page from its parts, with the two digits that the customer's chat shows too. */
    show,
    /**
     * The end: what was done, or declined. `reason`: why it failed, unless the customer declined. `keepsake`: a
     * download.
     */
    done: (
      request: Pick<Request, 'app' | 'input'>,
      status: 'failure' | 'success',
      texts: Texts,
      { reason, keepsake: actions }: { readonly reason?: TextKey | undefined; readonly keepsake?: Html | undefined } = {},
    ): Answer => {
      const { t } = texts;
      if (reason) return notice({ kind: 'declined', title: t('done.refused.title'), paragraphs: [t(reason)], scripts }, texts);
      const { done, declined, subject } = taskOf(request).ends(texts);
      const about = [catalogue?.account.name, subject].filter((part) => part !== undefined).join(' · ');
      if (status === 'failure')
        return notice({ kind: 'declined', title: t('done.failure.title'), about, paragraphs: [declined, t('done.text')], scripts }, texts);
      return notice({ kind: 'done', title: done, about, paragraphs: [t('done.text')], actions, scripts }, texts);
    },
    /** Any other message: an icon, a title and a few sentences. */
    notice,
    /** Other content in the same frame. */
    plain,
    /** A test number that only waits. */
    waits: (texts: Texts) => notice({ kind: 'gone', title: texts.t('page.waits'), paragraphs: [], status: 409 }, texts),
    /** `over`: how the request ended, if known. */
    gone: (status: 404 | 410, texts: Texts, over?: Over) => notice({ kind: 'gone', ...goneWords(texts, over), status, scripts }, texts),
  };
};

/**
 * Declining ends the request, so it takes two presses. The first opens a question, in whose place a second press on the
 * same spot only closes it again.
 */
export const declining = (question: string, { t }: Texts): Html =>
  html`<details class="decline">
    <summary><span>${t('page.decline')}</span><span>${t('page.back')}</span></summary>
    <p>${question}</p>
    <button name="decision" value="decline">${t('page.declineNow')}</button>
  </details>`;

/** A button that needs the page's script waits for it. */
const button = ({ decision, label, scripted }: PageButton, attributes: Html) =>
  html`<button${attributes} name="decision" value="${decision}"${scripted && html` data-scripted disabled`}>${label}</button>`;
