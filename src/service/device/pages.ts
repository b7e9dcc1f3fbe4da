// What a customer sees behind a link: the question, the end, and one page for every link that opens nothing any more.

import { html } from '../../platform/html.ts';
import type { FieldError } from '../../platform/http-problem.ts';
import type { Answer } from '../../platform/http-server.ts';
import type { Account } from '../accounts.ts';
import type { Task } from '../apps/app.ts';
import type { Assets } from '../pages/assets.ts';
import { errorSummary } from '../pages/fields.ts';
import { page } from '../pages/layout.ts';
import type { Texts } from '../texts.ts';

export interface DevicePages {
  /** The question itself, with what was entered before and what was wrong with it; `undefined` for an app that has no page. */
  ask(task: Task, entered: Readonly<Record<string, string>>, errors: readonly FieldError[], texts: Texts): Answer | undefined;
  done(status: 'failure' | 'success', texts: Texts): Answer;
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

  return {
    ask: (task, entered, errors, texts) => {
      const parts = task.page({ texts, account, entered, errors, contentLanguage });
      if (!parts) return undefined;
      const { t } = texts;
      return page({
        status: errors.length > 0 ? 422 : 200,
        language: texts.language,
        title: `${parts.title} · ${account.name}`,
        assets,
        scripts: ['device.js'],
        kind: 'device',
        body: frame(html`<h1>${parts.title}</h1>
          <p class="lead">${parts.lead}</p>
          ${errorSummary(errors, parts.labels ?? {}, texts)}
          <form method="post" autocomplete="on" data-device>
            ${parts.content}
            <div class="actions">
              <button class="primary" name="decision" value="accept">${parts.accept}</button>
              <button name="decision" value="decline" formnovalidate>${t('page.decline')}</button>
            </div>
          </form>
          ${parts.note && html`<p class="note">${parts.note}</p>`}
          <p class="note">${t('page.unexpected')}</p>`),
      });
    },
    done: (status, texts) =>
      notice(status === 'success' ? 'done' : 'declined', texts.t(`done.${status}.title`), [texts.t(`done.${status}.text`)], texts),
    waits: (texts) => notice('gone', texts.t('page.waits'), [], texts, 409),
    gone: (status, texts) => notice('gone', texts.t('gone.title'), [texts.t('gone.text'), texts.t('gone.next')], texts, status),
  };
};
