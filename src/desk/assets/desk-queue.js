// The list of conversations: the agent's own, those waiting, and other agents'.

import { goTo, lookAround, openTalk, peekAt, take, takeNext } from 'desk-acts';
import { listed, mine, others, soon, waiting, withBot } from 'desk-order';
import { Badge, badgeAt, html, Icon, Since, useNow } from 'desk-parts';
import { changed, flowTitle, hasDraft, isAbsent, isMine, lastSaid, now, owedSince, state, unread } from 'desk-state';
import { languageName, lengthOf, named, t } from 'desk-words';
import { useEffect, useRef } from 'preact/hooks';

/** The list is one tab stop; arrow keys move within it. */
const onKeyDown = (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const all = [...event.currentTarget.querySelectorAll('button.row')];
  const next = all[all.indexOf(document.activeElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
};

/** Whether two badges are of the same verification, so that what is known of the person belongs to both. */
const areSame = (one, other) => one?.phone === other.phone && one?.at === other.at;

/**
 * The name of the person whom the badge is about, if somebody has opened the conversation, or their masked number. If
 * neither is known, the end of the conversation's id tells rows apart.
 */
export const whoIn = (row) => {
  const { badge, customer } = state.talks.get(row.id)?.panel ?? {};
  // A panel that nobody looks at any more still has the full name of one whose verification has ended since.
  const isTold = areSame(badge, row.badge) && (!customer?.ref || badgeAt(row.badge, now()).state === 'verified');
  return (isTold && customer?.name) || numberIn(row);
};

/** The same without their name, for words that stay when it is masked again. */
export const numberIn = (row) => row.badge.phone || `${t('customer')} ${row.id.slice(-3)}`;

/** Since when it has been waiting, or has been quiet. */
const restsSince = (row) => (row.state === 'requested' ? row.createdAt : (state.talks.get(row.id)?.events.at(-1)?.at ?? row.acceptedAt));

/** The last message of one of the agent's own conversations, or their draft. */
const previewOf = (talk) => {
  if (hasDraft(talk)) return html`<em>${t('draft')}</em> <bdi>${talk.draft}</bdi>`;
  const last = lastSaid(talk);
  const { text, files = [] } = last?.message ?? last ?? {};
  const words = text ?? files.map(({ name }) => name).join(', ');
  if (!last || last.type === 'message') return last && html`<bdi>${words}</bdi>`;
  return html`${last.agent === undefined || last.agent === state.me?.name ? t('you') : last.agent}: <bdi>${words}</bdi>`;
};

/** How long the customer will still wait, once little time is left. */
const Left = ({ until }) => {
  const left = until - useNow(5_000);
  return left < soon && html`<span class="since late">${t('waitLeft', { time: lengthOf(left, 1) })}</span>`;
};
const Row = ({ row, first }) => {
  const talk = state.talks.get(row.id);
  const own = isMine(row);
  const news = own ? unread(talk) : 0;
  const owed = own ? owedSince(talk) : undefined;
  const preview = own && previewOf(talk);
  const open = state.open === row.id;
  const given = own ? talk?.given : undefined;
  const line = useRef(undefined);
  // One that was just taken, opened or handed over is in sight.
  useEffect(() => {
    if (open || given) line.current.scrollIntoView({ block: 'nearest' });
  }, [open, own, given]);
  const waits = row.state === 'requested';
  const whose = waits || own ? undefined : t(isAbsent(row) ? 'withAbsent' : 'withAgent', { agent: row.agent?.name ?? '' });
  const about = [named('reason', row.reason), row.app && named('app', row.app), languageName(row.language)].filter(Boolean).join(' · ');
  const reason = row.reason !== 'asked' && `${named('reason', row.reason)}: `;
  const words = preview || (waits && row.said ? html`${reason}<bdi>${row.said}</bdi>` : undefined);
  return html`<li ref=${line}>
    <button type="button" class=${`row ${row.state}`} aria-current=${open ? 'true' : undefined} tabindex=${open || first ? 0 : -1} data-id=${row.id}
      onClick=${() => (own ? goTo(row.id) : openTalk(row.id))} onDblClick=${() => row.state === 'requested' && take(row.id)}>
      <span class="row-top"><strong><bdi>${whoIn(row)}</bdi></strong><${Badge} badge=${row.badge} /><span class=${`when ${owed === undefined ? '' : 'owed'}`}>${news > 0 && html`<span class="news">${t('unread', { count: news })}</span>`}<${Since} at=${owed ?? restsSince(row)} late=${owed === undefined ? undefined : soon} /></span></span>
      <span class="row-mid">${given && html`<span class="news">${t('givenBy', { agent: given })}</span>`}${whose && html`<span class=${`since ${isAbsent(row) ? 'late' : ''}`}>${whose}</span>`}${waits && row.dueAt && html`<${Left} until=${row.dueAt} />`}<span class="words">${words || about}</span>${words && html`<span class="since">${languageName(row.language)}</span>`}${waits && html`<span class="hidden">${row.said && about} <${Since} at=${row.createdAt} text="waitingFor" /></span>`}</span>
    </button>
  </li>`;
};

const Group = ({ title, rows, empty, first }) => html`<section aria-label=${title}>
  <h2>${title} <span class="count">${rows.length}</span></h2>
  ${rows.length === 0 ? html`<p class="empty">${empty}</p>` : html`<ul>${rows.map((row) => html`<${Row} key=${row.id} row=${row} first=${row.id === first} />`)}</ul>`}
</section>`;

/** The name of a chat that is with the bot: its masked number, or its channel and the end of its id. */
export const runningName = ({ badge, channel, id }) => badge.phone ?? `${named('channel', channel)} ${id.slice(-3)}`;

/** What the chat is about. */
export const runningTopic = ({ app, flow }) => (flow ? flowTitle(flow) : app && named('app', app));

const Running = ({ row }) => html`<li>
  <button type="button" class="row running" aria-current=${state.peek === row.id ? 'true' : undefined} tabindex=${state.peek === row.id ? 0 : -1} data-running=${row.id} onClick=${() => peekAt(row.id)}>
    <span class="row-top"><strong><bdi>${runningName(row)}</bdi></strong><${Badge} badge=${row.badge} /><span class="when"><${Since} at=${row.since} /></span></span>
    <span class="row-mid"><span class="words">${[named('waitsFor', row.waitsFor), runningTopic(row), languageName(row.language)].filter(Boolean).join(' · ')}</span></span>
  </button>
</li>`;

/** Loaded only when opened, because every look is recorded. */
const Around = () => {
  const rows = withBot();
  return html`<section class="around" aria-label=${t('withBot')}>
    <h2 class="around-head"><button type="button" class="quiet wide fold" aria-expanded=${state.around} onClick=${() => lookAround(!state.around)}><${Icon} name="bot" /><span class="name">${t('withBot')}</span>${state.around && html`<span class="count">${rows.length}</span>`}<${Icon} name="fold" /></button></h2>
    ${state.around && (rows.length === 0 ? html`<p class="empty">${t('noneWithBot')}</p>` : html`<ul>${rows.map((row) => html`<${Running} key=${row.id} row=${row} />`)}</ul>`)}
  </section>`;
};

/** Which of those who wait are listed, once there is a choice. */
const Filter = () => {
  const { filter } = state;
  const languages = [...new Set(waiting().map(({ language }) => language))].sort();
  if (languages.length < 2 && waiting().length < 4 && filter.language === '' && !filter.verified) return undefined;
  const set = (what) => {
    state.filter = { ...filter, ...what };
    changed();
  };
  return html`<p class="filter"><select aria-label=${t('languageOf')} value=${filter.language} onChange=${({ currentTarget }) => set({ language: currentTarget.value })}>
    <option value="">${t('anyLanguage')}</option>${[...new Set([...languages, filter.language])].filter(Boolean).map((one) => html`<option value=${one}>${languageName(one)}</option>`)}</select>
    <button type="button" class="quiet" aria-pressed=${filter.verified} onClick=${() => set({ verified: !filter.verified })}><${Icon} name="verified" />${t('badge.verified')}</button></p>`;
};

export const Queue = () => {
  const groups = [
    ['mine', mine(), 'noneMine'],
    ['waiting', listed(), waiting().length > 0 ? 'noneListed' : 'nobodyWaits'],
    ['others', others(), 'noneOthers'],
  ];
  const all = groups.flatMap(([, rows]) => rows);
  const first = all.some(({ id }) => id === state.open) ? undefined : all[0]?.id;
  return html`<nav class="queue" id="queue" aria-label=${t('queue')} onKeyDown=${onKeyDown}>
    <div class="queue-head"><button type="button" class="primary wide" disabled=${listed().length === 0} onClick=${takeNext}><${Icon} name="play" />${t('acceptNext')}</button><${Filter} /></div>
    ${groups.map(([name, rows, empty]) => html`<${Group} key=${name} title=${t(name)} rows=${rows} empty=${t(empty)} first=${first} />`)}
    <${Around} />
  </nav>`;
};
