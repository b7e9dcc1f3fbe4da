// The pages behind a link: the question, the end, and one page for links that no longer open anything.

import { compareCode } from '../../../contract/index.ts';
import { type Html, html } from '../../../platform/html.ts';
import type { FieldError } from '../../../platform/http-problem.ts';
import type { Answer } from '../../../platform/http-server.ts';
import type { Look } from '../../../platform/look.ts';
import type { PageButton, PageParts } from '../apps/app.ts';
import type { Accounts } from '../catalogue/accounts.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { taskOf } from '../lifecycle/endings.ts';
import type { AssetName, Assets } from '../pages/assets.ts';
import { brandOf, footOf } from '../pages/brand.ts';
import { errorSummary } from '../pages/fields.ts';
import { page } from '../pages/layout.ts';
import type { Looks } from '../pages/looks.ts';
import type { Request } from '../store/request.ts';
import type { TextKey, Texts } from '../texts.ts';

export interface DevicePages {
  /**
   * The question itself, with what was entered before and what was wrong with it; `undefined` for an app that has no
   * page.
   */
  ask(request: Request, entered: Readonly<Record<string, string>>, errors: readonly FieldError[], texts: Texts): Answer | undefined;
  /** A page from its parts, with the two digits that the customer's chat shows too. */
  show(request: Pick<Request, 'id'>, parts: PageParts, errors: readonly FieldError[], texts: Texts): Answer;
  /**
   * The end. `reason`: why it failed, unless the customer declined. `next`: what is left to do. `keepsake`: a download.
   */
  done(
    status: 'failure' | 'success',
    texts: Texts,
    more?: { readonly reason?: TextKey | undefined; readonly next?: TextKey | undefined; readonly keepsake?: Html | undefined },
  ): Answer;
  /** Any other message: an icon, a title and a few sentences. */
  notice(notice: Notice, texts: Texts): Answer;
  /** Other content in the same frame. */
  plain(
    title: string,
    body: Html,
    texts: Texts,
    options?: { readonly status?: number; readonly head?: Html; readonly scripts?: readonly AssetName[] },
  ): Answer;
  /** A test number that only waits. */
  waits(texts: Texts): Answer;
  /** `over`: how the request ended, if known. */
  gone(status: 404 | 410, texts: Texts, over?: Over): Answer;
}

/** The download after a success, if there is one. */
export type Keepsake = (request: Pick<Request, 'app' | 'id'>, texts: Texts) => Html | undefined;

/** How a request ended, for those who still have its page open. */
export type Over = 'answered' | 'done' | 'expired' | 'replaced' | 'withdrawn';

/** The texts for a request that has ended, or for none. */
export const goneWords = ({ t }: Texts, over?: Over): Pick<Notice, 'paragraphs' | 'title'> => ({
  title: t(over === 'done' || over === 'replaced' ? `gone.${over}.title` : 'gone.title'),
  paragraphs: [t(over ? `gone.${over}` : 'gone.text'), t('gone.next')],
});

export interface Notice {
  readonly kind: 'declined' | 'done' | 'gone';
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** The advice. */
  readonly actions?: Html | undefined;
  readonly status?: number;
  readonly scripts?: readonly AssetName[];
}

/** The pages of an account, in its name. If the account is unknown: in the only account's name, or in none. */
export type PagesOf = (accountId: string | undefined) => DevicePages;

interface PagesOptions {
  readonly accounts: Accounts;
  readonly assets: Assets;
  readonly looks: Looks;
}

export const makePagesOf = ({ accounts, assets, looks }: PagesOptions): PagesOf => {
  const [first, ...others] = accounts.all;
  const pagesOf = (catalogue: Catalogue) => makeDevicePages(catalogue, looks.of(catalogue.account.id), assets);
  const strangers = others.length === 0 && first ? pagesOf(first) : makeDevicePages(undefined, looks.service, assets);
  const own = new Map(accounts.all.map((catalogue) => [catalogue.account.id, pagesOf(catalogue)]));
  return (accountId) => own.get(accountId ?? '') ?? strangers;
};

const makeDevicePages = (catalogue: Catalogue | undefined, look: Look, assets: Assets): DevicePages => {
  const name = look.name ?? catalogue?.account.name;
  const frame = (body: Html, texts: Texts) =>
    html`${name !== undefined && html`<header class="brand">${brandOf(name, look)}</header>`}<main class="card">${body}</main>${footOf(look, texts)}`;
  const titled = (title: string) => (name === undefined ? title : `${title} · ${name}`);

  const plain: DevicePages['plain'] = (title, body, texts, { status = 200, head, scripts = [] } = {}) =>
    page({ status, language: texts.language, title: titled(title), assets, look, kind: 'device', head, scripts, body: frame(body, texts) });

  const notice: DevicePages['notice'] = ({ kind, title, paragraphs, actions, status = 200, scripts = [] }, texts) =>
    plain(
      title,
      html`<div class="notice"><span class="sign ${kind}" aria-hidden="true"></span><h1>${title}</h1>${paragraphs.map((text) => html`<p>${text}</p>`)}</div>${actions}`,
      texts,
      { status, scripts },
    );

  const show = ({ id }: Pick<Request, 'id'>, parts: PageParts, errors: readonly FieldError[], texts: Texts) => {
    const { t } = texts;
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
          <p class="lead">${parts.lead}</p>
          <p class="compare"><span>${t('page.compare')}</span> <strong class="number">${compareCode(id)}</strong></p>
          ${errorSummary(errors, parts.labels ?? {}, texts)}
          <form method="post" autocomplete="on" data-device${parts.drafted && html` data-drafted`}>
            ${parts.content}
            <p class="unsent" role="alert" data-unsent data-offline="${t('page.offline')}" data-unreachable="${t('page.unreachable')}"></p>
            <div class="actions" data-busy="${t('page.busy')}">
              ${button(accept, html` class="primary"`)}
              ${(parts.others ?? []).map((other) => button(other, html` formnovalidate`))}
              <button name="decision" value="decline" formnovalidate>${t('page.decline')}</button>
            </div>
          </form>
          ${parts.note && html`<p class="note">${parts.note}</p>`}
          <p class="note">${t('page.unexpected')}</p>`,
        texts,
      ),
    });
  };

  const scripts = ['ended.js'] as const;
  return {
    ask: (request, entered, errors, texts) => {
      if (!catalogue) return undefined;
      const { account, language: contentLanguage } = catalogue;
      const parts = taskOf(request).page({ requestId: request.id, texts, account, assets, entered, errors, contentLanguage });
      return parts && show(request, parts, errors, texts);
    },
    show,
    done: (status, texts, { reason, next, keepsake: actions } = {}) => {
      const { t } = texts;
      if (reason) return notice({ kind: 'declined', title: t('done.refused.title'), paragraphs: [t(reason)], scripts }, texts);
      const kind = status === 'success' ? 'done' : 'declined';
      const paragraphs = [t(next ?? `done.${status}.text`), ...(actions ? [t('done.again')] : [])];
      return notice({ kind, title: t(`done.${status}.title`), paragraphs, actions, scripts }, texts);
    },
    notice,
    plain,
    waits: (texts) => notice({ kind: 'gone', title: texts.t('page.waits'), paragraphs: [], status: 409 }, texts),
    gone: (status, texts, over) => notice({ kind: 'gone', ...goneWords(texts, over), status, scripts }, texts),
  };
};

/** A button that needs the page's script waits for it. */
const button = ({ decision, label, scripted }: PageButton, attributes: Html) =>
  html`<button${attributes} name="decision" value="${decision}"${scripted && html` data-scripted disabled`}>${label}</button>`;
