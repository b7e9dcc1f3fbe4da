// The pages around a payment: before the gateway, and after it.

import { html } from '../../platform/text/html.ts';
import { type DevicePages, declining } from '../core/pages/device-pages.ts';
import type { Texts } from '../core/texts.ts';

export const makeCheckoutPages = ({ notice, plain }: DevicePages) => ({
  /** Takes the customer to the gateway. A redirect would not: a form's policy stops it at the first other site. */
  onward: (url: string, texts: Texts) =>
    plain(
      texts.t('payments.onward'),
      html`<div class="notice"><h1>${texts.t('payments.onward')}</h1><p>${texts.t('payments.onwardText')}</p></div>
        <div class="actions single"><a class="button primary" href="${url}">${texts.t('payments.continue')}</a></div>`,
      texts,
      { head: html`<meta http-equiv="refresh" content="0;url=${url}">` },
    ),
  /** Not paid yet: pay after all at `url`, or decline. */
  unpaid: (url: string, texts: Texts) =>
    notice(
      {
        kind: 'declined',
        title: texts.t('payments.unpaid.title'),
        paragraphs: [texts.t('payments.unpaid.text')],
        actions: html`<form method="post" class="actions single">
          <a class="button primary" href="${url}">${texts.t('payments.continue')}</a>
          ${declining(texts.t('payments.decline'), texts)}
        </form>`,
      },
      texts,
    ),
  processing: (texts: Texts) => notice({ kind: 'declined', ...said('processing', texts) }, texts),
  doubtful: (texts: Texts) => notice({ kind: 'gone', ...said('doubtful', texts) }, texts),
  /** The gateway does not answer. Trying again reloads this page. */
  unavailable: (texts: Texts) =>
    notice(
      {
        kind: 'gone',
        ...said('unavailable', texts),
        status: 503,
        actions: html`<div class="actions single"><a class="button primary" href="">${texts.t('payments.again')}</a></div>`,
      },
      texts,
    ),
});

const said = (what: 'doubtful' | 'processing' | 'unavailable', { t }: Texts) => ({
  title: t(`payments.${what}.title`),
  paragraphs: [t(`payments.${what}.text`)],
});
