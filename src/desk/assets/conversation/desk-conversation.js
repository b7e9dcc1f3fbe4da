// The conversation in the middle: the customer's name, the messages, and the message box.
import { comeIn, openTalk, takeOpen } from 'desk-acts';
import { Composer, FlowRuns, Unsent } from 'desk-composer';
import { Badge, html, Icon, Since } from 'desk-parts';
import { runningTopic, whoIn } from 'desk-queue';
import { Pending, Said } from 'desk-said';
import { isAbsent, isMine, openDialog, state, talkOf } from 'desk-state';
import { languageName, named, t } from 'desk-words';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

const Head = ({ row, talk }) => {
  const own = isMine(row);
  // Keeps the name visible after the conversation is over.
  const known = row ?? talk.row;
  const whose = row?.state === 'accepted' && !own ? t(isAbsent(row) ? 'withAbsent' : 'withAgent', { agent: row.agent.name }) : undefined;
  return html`<header class="talk-head">
    <button type="button" class="quiet round to-list" aria-label=${t('queue')} onClick=${() => openTalk(undefined)}><${Icon} name="back" /></button>
    <div class="talk-who"><div class="talk-name"><h2><bdi>${known ? whoIn(known) : t('conversation')}</bdi></h2>${row && html`<${Badge} badge=${row.badge} />`}</div>
      ${whose && html`<p class=${`since ${isAbsent(row) ? 'late' : ''}`}>${whose}</p>`}
      ${known && html`<p>${[named('reason', known.reason), known.app && named('app', known.app), languageName(known.language)].filter(Boolean).join(' · ')}</p>`}</div>
    <div class="acts">${
      own
        ? html`<button type="button" onClick=${() => openDialog('transfer')}><${Icon} name="swap" />${t('transfer')}</button>
            <button type="button" onClick=${() => openDialog('return')}><${Icon} name="back" />${t('return')}</button>
            <button type="button" class="primary" onClick=${() => openDialog('finish')}><${Icon} name="flag" />${t('finish')}</button>`
        : row &&
          html`${row.state === 'requested' && html`<button type="button" onClick=${() => openDialog('decline')}>${t('decline')}</button>`}
            <button type="button" class="primary" onClick=${takeOpen}>${t(row.state === 'requested' ? 'accept' : 'takeOver')}</button>`
    }</div>
  </header>`;
};

/** A chat that is with the bot, before an agent joins: it shows none of the messages. */
const Peek = ({ row }) => {
  const [busy, setBusy] = useState(false);
  const enter = async () => {
    setBusy(true);
    await comeIn(row.id);
    setBusy(false);
  };
  const facts = [
    ['channel', named('channel', row.channel)],
    ...(row.badge.phone ? [['phone', html`<bdi dir="ltr">${row.badge.phone}</bdi>`]] : []),
    ['languageOf', languageName(row.language)],
    ...(runningTopic(row) ? [['about', runningTopic(row)]] : []),
    ['stands', html`${named('waitsFor', row.waitsFor)} · <${Since} at=${row.since} />`],
    ['verification', html`<${Badge} badge=${row.badge} />`],
  ];
  return html`<main class="talk nothing" id="talk" tabindex="-1"><div class="peek">
    <button type="button" class="quiet round to-list" aria-label=${t('queue')} onClick=${() => openTalk(undefined)}><${Icon} name="back" /></button>
    <${Icon} name="bot" /><h2>${t('peek')}</h2>
    <dl class="facts">${facts.map(([name, value]) => html`<dt>${t(name)}</dt><dd>${value}</dd>`)}</dl>
    <p>${t('peekText')}</p>
    <button type="button" class="primary" disabled=${busy} onClick=${enter}><${Icon} name="person" />${t('come')}</button>
  </div></main>`;
};

/** This close (CSS pixels) to the end counts as at the end. */
const near = 48;

/** Keeps the last message in view, unless the agent has scrolled up; then it shows that there is more below. */
const useEnd = (id, said, own) => {
  const box = useRef(undefined);
  const stays = useRef(true);
  const [more, setMore] = useState(false);
  const toEnd = () => {
    const { current } = box;
    if (current) current.scrollTop = current.scrollHeight;
    stays.current = true;
    setMore(false);
  };
  const onScroll = () => {
    const { clientHeight, scrollHeight, scrollTop } = box.current;
    stays.current = scrollHeight - scrollTop - clientHeight < near;
    if (stays.current) setMore(false);
  };
  useLayoutEffect(toEnd, [id, own]);
  useLayoutEffect(() => {
    if (stays.current) toEnd();
    else setMore(true);
  }, [said]);
  // Keeps the end in view when the height changes, for example by a longer draft or the typing indicator.
  useEffect(() => {
    if (!box.current) return;
    const sizes = new ResizeObserver(() => stays.current && toEnd());
    sizes.observe(box.current);
    sizes.observe(box.current.firstElementChild);
    return () => sizes.disconnect();
  }, [id]);
  return { box, more, onScroll, toEnd };
};

export const Conversation = () => {
  const id = state.open;
  const talk = id === undefined ? undefined : talkOf(id);
  const { box, more, onScroll, toEnd } = useEnd(id, talk?.last, talk?.pending.length);
  const peeked = state.running.get(state.peek);
  if (!talk && peeked) return html`<${Peek} key=${peeked.id} row=${peeked} />`;
  if (!talk) {
    return html`<main class="talk nothing" id="talk" tabindex="-1"><div><${Icon} name="bot" /><h2>${t('choose')}</h2><p>${t('chooseText')}</p></div></main>`;
  }
  const row = state.rows.get(talk.id);
  const writes = performance.now() < talk.writesUntil;
  const looking = row ? (row.state === 'requested' ? 'lookingNobody' : 'lookingOn') : 'isOver';
  const foot = isMine(row)
    ? html`<${FlowRuns} /><${Composer} talk=${talk} />`
    : html`<${Unsent} talk=${talk} row=${row} /><p class="looking">${t(looking)}</p>`;
  return html`<main class="talk" id="talk" tabindex="-1" aria-label=${t('conversation')}>
    <${Head} row=${row} talk=${talk} />
    <div class="said" tabindex="0" role="region" aria-label=${t('conversation')} ref=${box} onScroll=${onScroll}>
      <ol><${Said} events=${talk.events} />${talk.pending.map((message) => html`<${Pending} key=${message.id} talk=${talk} message=${message} />`)}${writes && html`<li class="bubble customer writes"><p class="writing"><span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>${t('writes')}</p></li>`}</ol>
    </div>
    ${more && html`<p class="more"><button type="button" onClick=${toEnd}><${Icon} name="fold" />${t('newBelow')}</button></p>`}
    ${foot}
  </main>`;
};
