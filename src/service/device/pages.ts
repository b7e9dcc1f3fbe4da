// What a customer sees behind a link: the question, the end, and one page for every link that opens nothing any more.

import { type Html, html } from '../../platform/html.ts';
import type { FieldError } from '../../platform/http-problem.ts';
import type { Answer } from '../../platform/http-server.ts';
import type { Account } from '../accounts.ts';
import type { PageButton, PageParts, Task } from '../apps/app.ts';
import type { Assets } from '../pages/assets.ts';
import { errorSummary } from '../pages/fields.ts';
import { page } from '../pages/layout.ts';
import type { TextKey, Texts } from '../texts.ts';

export interface DevicePages {
  /** The question itself, with what was entered before and what was wrong with it; `undefined` for an app that has no page. */
  ask(task: Task, entered: Readonly<Record<string, string>>, errors: readonly FieldError[], texts: Texts): Answer | undefined;
  /** A page from its parts. */
  show(parts: PageParts, errors: readonly FieldError[], texts: Texts): Answer;
  /** The end; `told` is why it failed, where the customer has not declined. */
  done(status: 'failure' | 'success', texts: Texts, told?: TextKey): Answer;
  /** A test number that only waits. */
  waits(texts: Texts): Answer;
  gone(status: 404 | 410, texts: Texts): Answer;
}

export interface DevicePagesOptions {
  readonly account: Account;
  readonly assets: Assets;
  readonly contentLanguage: string;
}

export const makeDevicePages = ({ account, assets, contentLanguage }: DevicePagesOptions): DevicePages => {
  const frame = (body: ReturnType<typeof html>) =>
    html`<header class="brand"><span class="mark" aria-hidden="true">${account.name.slice(0, 1)}</span>${account.name}</header><main class="card">${body}</main>`;

  const notice = (kind: 'declined' | 'done' | 'gone', title: string, paragraphs: readonly string[], texts: Texts, status = 200) =>
    page({
      status,
      language: texts.language,
      title: `${title} · ${account.name}`,
      assets,
      kind: 'device',
      body: frame(
        html`<div class="notice"><span class="sign ${kind}" aria-hidden="true"></span><h1>${title}</h1>${paragraphs.map((text) => html`<p>${text}</p>`)}</div>`,
      ),
    });

  const show = (parts: PageParts, errors: readonly FieldError[], texts: Texts) => {
    const { t } = texts;
    const accept = typeof parts.accept === 'string' ? { decision: 'accept', label: parts.accept } : parts.accept;
    return page({
      status: errors.length > 0 ? 422 : 200,
      language: texts.language,
      title: `${parts.title} · ${account.name}`,
      assets,
      scripts: [...(parts.scripts ?? []), 'device.js'],
      kind: 'device',
      body: frame(html`<h1>${parts.title}</h1>
          <p class="lead">${parts.lead}</p>
          ${errorSummary(errors, parts.labels ?? {}, texts)}
          <form method="post" autocomplete="on" data-device>
            ${parts.content}
            <div class="actions">
              ${button(accept, html` class="primary"`)}
              ${(parts.others ?? []).map((other) => button(other, html` formnovalidate`))}
              <button name="decision" value="decline" formnovalidate>${t('page.decline')}</button>
            </div>
          </form>
          ${parts.note && html`<p class="note">${parts.note}</p>`}
          <p class="note">${t('page.unexpected')}</p>`),
    });
  };

  return {
    ask: (task, entered, errors, texts) => {
      const parts = task.page({ texts, account, assets, entered, errors, contentLanguage });
      return parts && show(parts, errors, texts);
    },
    show,
    done: (status, texts, told) => {
      if (told) return notice('declined', texts.t('done.refused.title'), [texts.t(told)], texts);
      return notice(status === 'success' ? 'done' : 'declined', texts.t(`done.${status}.title`), [texts.t(`done.${status}.text`)], texts);
    },
    waits: (texts) => notice('gone', texts.t('page.waits'), [], texts, 409),
    gone: (status, texts) => notice('gone', texts.t('gone.title'), [texts.t('gone.text'), texts.t('gone.next')], texts, status),
  };
};

/** One that needs an authenticator's answer waits for the script that asks for it. */
const button = ({ decision, label, ceremony }: PageButton, attributes: Html) =>
  html`<button${attributes} name="decision" value="${decision}"${ceremony && html` data-ceremony disabled`}>${label}</button>`;
