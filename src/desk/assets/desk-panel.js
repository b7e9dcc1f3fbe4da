// The panel beside a conversation: who the customer is, as far as that is proved, and what was sent to them.
import { act } from 'desk-acts';
import { Badge, badgeAt, badgeDetail, html, Icon, Time, useNow } from 'desk-parts';
import { focusOn, isMine, openDialog, state, talkOf } from 'desk-state';
import { countdown, money, named, t } from 'desk-words';

const steps = ['sent', 'opened', 'started'];
/** The agent is reminded this long (ms) before the verification ends. */
const soon = 3 * 60_000;

/** The agent who sent it, by name if they did it in this conversation. */
const sender = (id, { events }) => events.findLast(({ by }) => by === id)?.agent ?? (id.includes('@') ? id : t('role.agent'));

/** The button goes with the request: whoever pressed it, and has not gone elsewhere since, goes on from the one above. */
const cancel = async (talk, id, { currentTarget }) => {
  if (!(await act(talk.id, { kind: 'cancel', id }))) return;
  if ([currentTarget, document.body].includes(document.activeElement)) focusOn('#start');
};

const Entry = ({ entry, talk, own }) => {
  const { compare, price } = entry;
  const over = entry.status !== undefined;
  const kind = { success: 'good', failure: 'bad', timeout: 'bad', refused: 'bad' }[entry.status] ?? (over ? 'quiet' : 'ahead');
  return html`<li class=${kind}>
    <p><strong>${named('app', entry.app)}</strong>${entry.subject && html` <bdi class="subject">${entry.subject}</bdi>`}${price && html` <span class="price">${money(price)}</span>`}</p>
    ${entry.whom && html`<p class="whom">${t('sentTo', { whom: entry.whom })}</p>`}
    <p class="status">${named('status', entry.status ?? 'waiting')} · <${Time} at=${entry.endedAt ?? entry.at} /></p>
    ${
      !over &&
      html`<ol class="steps">${steps.map((step) => html`<li class=${entry.steps[step] ? 'done' : ''}><${Icon} name=${entry.steps[step] ? 'check' : 'dot'} />${t(`step.${step}`)}${entry.steps[step] && html` <${Time} at=${entry.steps[step]} />`}</li>`)}</ol>`
    }
    ${!over && compare && html`<p class="compare">${t('compare')} <strong>${compare}</strong></p>`}
    ${entry.agent && html`<p class="by">${t('by', { agent: sender(entry.agent, talk) })}</p>`}
    ${!over && own && entry.agent === (state.me.email ?? state.me.id) && html`<button type="button" class="link" onClick=${(event) => cancel(talk, entry.id, event)}>${t('cancelRequest')}</button>`}
  </li>`;
};

const Verified = ({ badge, own, over }) => {
  const at = useNow(1_000);
  const current = badgeAt(badge, at);
  const left = current.state === 'verified' ? current.until - at : undefined;
  return html`<section class=${`verification ${current.state}`}>
    <p><${Badge} badge=${badge} ticking=${true} /></p>
    <p>${over ? t('badge.over') : badgeDetail(current)}</p>
    ${current.state === 'verified' && html`<p class="covers">${t('badge.covers')}</p>`}
    ${left !== undefined && left < soon && html`<p class="soon" role="status">${t('verifySoon', { time: countdown(left) })}</p>`}
    ${own && html`<button type="button" id="verify" onClick=${() => openDialog('verify')}><${Icon} name="verified" />${t(current.state === 'none' ? 'verifyNow' : 'verifyAgain')}</button>`}
  </section>`;
};

export const Panel = () => {
  const talk = state.open === undefined ? undefined : talkOf(state.open);
  const panel = talk?.panel;
  if (!panel) return undefined;
  const { badge, customer, timeline } = panel;
  const row = state.rows.get(talk.id);
  const own = isMine(row);
  return html`<aside class="panel" aria-label=${t('panel')}>
    <h2>${t('panel')}</h2>
    ${
      customer
        ? html`<dl class="facts"><dt class="hidden">${t('customer')}</dt><dd class="name"><bdi>${customer.name}</bdi></dd>
            <dt>${t('phone')}</dt><dd><bdi dir="ltr">${customer.phone}</bdi></dd>
            ${customer.ref && html`<dt>${t('reference')}</dt><dd><code>${customer.ref}</code></dd>`}</dl>
          ${!customer.ref && html`<p class="masked">${t('masked')}</p>`}`
        : html`${badge.phone && html`<dl class="facts"><dt>${t('phone')}</dt><dd><bdi dir="ltr">${badge.phone}</bdi></dd></dl>`}<p class="empty">${t('noCustomer')}</p>`
    }
    <${Verified} badge=${badge} own=${own} over=${talk.over && !row} />
    ${own && html`<button type="button" class="primary wide" id="start" onClick=${() => openDialog('start')}><${Icon} name="play" />${t('start')}</button>`}
    <h3>${t('timeline')}</h3>
    ${timeline.length === 0 ? html`<p class="empty">${t('noTimeline')}</p>` : html`<ol class="timeline">${timeline.map((entry) => html`<${Entry} key=${entry.id} entry=${entry} talk=${talk} own=${own} />`)}</ol>`}
  </aside>`;
};
