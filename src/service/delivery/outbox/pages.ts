// The outbox as a page: every message that would have been sent, newest first, as its recipient would see it.

import type { Answer } from '../../../platform/http/http-server.ts';
import { inLanguage } from '../../../platform/text/direction.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import type { Message } from '../../core/messages/message.ts';
import type { Assets } from '../../core/pages/assets.ts';
import { page } from '../../core/pages/layout.ts';
import type { TextKey, Texts } from '../../core/texts.ts';
import type { OutboxRow } from './store.ts';

/** A decrypted message of the outbox. `account`: the sending one, if there are several. */
export type OutboxItem = Message & Pick<OutboxRow, 'reached' | 'replaced' | 'state'> & { readonly account: string | undefined };

/** The whole page. `leave`: gateways are configured, so messages are also sent. */
export const outboxPage = (items: readonly OutboxItem[], texts: Texts, assets: Assets, leave: boolean): Answer => {
  const { t } = texts;
  return page({
    language: texts.language,
    title: t('outbox.title'),
    assets,
    styles: ['outbox.css'],
    scripts: ['outbox.js'],
    kind: 'outbox',
    body: html`<header><h1>${t('outbox.title')}</h1><p class="lead">${t(leave ? 'outbox.leave' : 'outbox.lead')}</p></header>
      <main>
        <div class="bar">
          <span class="live" id="status" role="status" data-live="${t('outbox.live')}" data-late="${t('outbox.stale')}">${t('outbox.live')}</span>
          ${counted(items, texts)}
        </div>
        <div id="empty" class="empty"${items.length > 0 && html` hidden`}><span class="sign" aria-hidden="true"></span><h2>${t('outbox.empty.title')}</h2><p>${t('outbox.empty.text')}</p></div>
        ${listed(items, texts)}
      </main>`,
  });
};

/** The part that the page's script polls. */
export const outboxMessages = (items: readonly OutboxItem[], texts: Texts): Html => html`${counted(items, texts)}${listed(items, texts)}`;

const counted = ({ length }: readonly OutboxItem[], { t }: Texts) =>
  html`<span id="count" aria-live="polite">${t('outbox.count', { count: length })}</span>`;

const listed = (items: readonly OutboxItem[], texts: Texts) => html`<ol id="messages">${items.map((item) => row(item, texts))}</ol>`;

const row = (item: OutboxItem, { t, time }: Texts) => {
  const state = item.replaced && item.state === 'pending' ? 'replaced' : item.state;
  const open = state === 'pending';
  return html`<li id="m-${item.id}" class="message${!open && ' over'}">
    <div class="head">
      <div class="who"><strong>${item.name}</strong><span>${item.to}</span></div>
      <div class="meta">${item.account !== undefined && html`<span class="tag">${item.account}</span>`}<span class="tag">${t(item.channel === 'sms' ? 'outbox.sms' : 'outbox.email')}</span><span class="tag">${t(`app.${item.app}`)}</span></div>
    </div>
    <div class="bubble" ${inLanguage(item.language)}>${item.subject !== undefined && html`<strong class="subject">${item.subject}</strong>`}<p>${linked(item, open)}</p></div>
    <div class="foot">
      <span class="state ${state}" data-state="${state}">${t(`outbox.${state}` as TextKey)}</span>
      ${item.reached !== undefined && html`<span class="tag" data-reached="${item.reached}">${t(`receipt.${item.reached}`)}</span>`}
      <time datetime="${new Date(item.sentAt).toISOString()}">${time(item.sentAt)}</time>
      ${item.code !== undefined && html`<span class="code"><span>${t('outbox.code')}</span> <b>${item.code}</b></span>`}
      ${item.link !== undefined && open && html`<a class="open" href="${item.link}" target="_blank" rel="noopener noreferrer" aria-label="${t('outbox.openFor', { name: item.name })}">${t('outbox.open')}</a>`}
    </div>
  </li>`;
};

/** The message's text, with its link marked up so that it can break anywhere on a narrow screen. */
const linked = ({ text, link }: OutboxItem, open: boolean) => {
  if (link === undefined) return text;
  const [before, ...after] = text.split(link);
  if (before === undefined || after.length === 0) return text;
  return [
    before,
    open
      ? html`<a class="link" href="${link}" target="_blank" rel="noopener noreferrer" tabindex="-1">${link}</a>`
      : html`<span class="link">${link}</span>`,
    after.join(link),
  ];
};
