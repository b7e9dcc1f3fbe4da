// The conversation in the middle: what was said and what happened, and the box to write in.
import { Badge, html, Icon, Since, Time } from 'desk-parts';
import { runningTopic, whoIn } from 'desk-queue';
import { act, changed, comeIn, discard, flowIn, flowTitle, isMine, openDialog, state, take, talkOf, typing, write } from 'desk-state';
import { cannedIn, has, languageName, named, t } from 'desk-words';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Those of one side that follow each other within a minute stand together, under one name. */
const Bubble = ({
  from,
  name,
  at,
  text,
  files = [],
  verified,
  note,
  follows = false,
}) => html`<li class=${`bubble ${from} ${follows ? 'follows' : ''}`}>
  <p class=${follows ? 'by hidden' : 'by'}><span>${name}</span>${at && html`<${Time} at=${at} />`}${verified && html`<span class="then"><${Icon} name="verified" />${t('verifiedThen')}</span>`}</p>
  ${text && html`<p class="text" dir="auto">${text}</p>`}
  ${files.map(({ name: file, url }) => html`<p class="text"><a href=${url} target="_blank" rel="noopener noreferrer"><${Icon} name="file" />${file}</a></p>`)}
  ${note}
</li>`;

const Note = ({ at, text, kind = '' }) => html`<li class=${`happening ${kind}`}><span>${text}</span> <${Time} at=${at} /></li>`;

const endingOf = ({ by, ending, wrapUp }) => {
  if (ending === 'finished' && wrapUp) return t('event.finishedAs', { code: named('wrapUp', wrapUp) });
  if (ending === 'returned' && by === 'customer') return t('event.returnedBy');
  return has(`event.${ending}`) ? t(`event.${ending}`) : ending;
};

const kinds = { success: 'good', failure: 'bad', timeout: 'bad' };

/** What was said without anybody of the desk: words of the customer and the bot, each with its own time. */
const linesOf = (lines) =>
  lines.map(({ from, text, at, verified }) => ({
    ...{ from: from === 'customer' ? 'customer' : 'bot', name: t(from === 'agent' ? 'you' : from), text, at },
    verified: verified && from === 'customer',
  }));

/** What is shown of an event: bubbles and notes. */
const itemsOf = (event) => {
  const { at } = event;
  const note = (text, kind) => [{ text, kind, at }];
  switch (event.type) {
    case 'requested':
      return [
        ...(event.lines.length > 0 ? [{ divider: t('before') }] : []),
        ...linesOf(event.lines),
        ...note(
          event.flow ? t('flowAsks', { flow: flowTitle(event.flow.name), reason: event.flow.reason }) : named('reason', event.reason),
        ),
        ...(event.note ? [{ from: 'customer', name: t('left'), at, text: event.note }] : []),
      ];
    case 'waited':
      return linesOf(event.lines);
    case 'message':
      return [{ from: 'customer', name: t('customer'), at, ...event.message, verified: event.verified }];
    case 'said':
      return [{ from: 'agent', name: event.agent, at, ...event.message }];
    case 'joined':
      return note(t('event.joined', { agent: event.agent }));
    case 'started':
      return note(t('event.started', { agent: event.agent, app: event.flow ? flowTitle(event.flow) : named('app', event.app) }));
    case 'bot':
      return event.lines.map((text) => ({ from: 'bot', name: t('bot'), at, text }));
    case 'flow':
      return note(t('event.outcome', { app: flowTitle(event.flow), status: named('status', event.status) }), kinds[event.status]);
    case 'outcome':
      return note(t('event.outcome', { app: named('app', event.app), status: named('status', event.status) }), kinds[event.status]);
    case 'ended':
      return note(endingOf(event));
    default:
      return [];
  }
};

const together = 60_000;

const Said = ({ events }) => {
  const items = events.flatMap((event) => itemsOf(event).map((item, index) => ({ ...item, key: `${event.number}.${index}` })));
  return items.map((item, index) => {
    const before = items[index - 1];
    const follows =
      before?.from !== undefined &&
      before.from === item.from &&
      before.name === item.name &&
      !before.verified === !item.verified &&
      item.at - before.at < together;
    if (item.divider) return html`<li key=${item.key} class="divider">${item.divider}</li>`;
    return item.from ? html`<${Bubble} ...${item} follows=${follows} />` : html`<${Note} ...${item} />`;
  });
};

const Pending = ({ talk, message }) =>
  html`<${Bubble} from="agent" name=${t('you')} text=${message.text} note=${
    message.state === 'refused'
      ? html`<p class="refused">${t('refusedMessage')} <button type="button" class="link" onClick=${() => discard(talk.id, message.id)}>${t('close')}</button></p>`
      : html`<p class="pending">${message.state === 'sent' ? '' : t(state.connection === 'open' ? 'sending' : 'notSent')}</p>`
  } />`;

const Composer = ({ talk }) => {
  const box = useRef(undefined);
  const [picking, setPicking] = useState(false);
  const grow = () => {
    const { current } = box;
    if (!current) return;
    current.style.height = 'auto';
    current.style.height = `${Math.min(current.scrollHeight + 2, 180)}px`;
  };
  useLayoutEffect(grow, [talk.draft, talk.id]);
  const send = () => {
    const text = talk.draft.trim();
    if (text === '') return;
    write(talk.id, text);
    box.current.focus();
  };
  const put = (text) => {
    talk.draft = text;
    setPicking(false);
    changed();
    box.current.focus();
  };
  const onKeyDown = (event) => {
    if (event.isComposing) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      send();
    } else if (event.key === '/' && talk.draft === '') {
      event.preventDefault();
      setPicking(true);
    } else if (event.key === 'Escape' && picking) setPicking(false);
  };
  useEffect(() => {
    if (picking) document.querySelector('.canned button')?.focus();
  }, [picking]);
  const onListKey = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') {
      setPicking(false);
      box.current.focus();
    }
    if (!step) return;
    const all = [...event.currentTarget.querySelectorAll('button')];
    event.preventDefault();
    all[(all.indexOf(document.activeElement) + step + all.length) % all.length].focus();
  };
  return html`<form class="composer" onSubmit=${(event) => {
    event.preventDefault();
    send();
  }}>
    ${picking && html`<ul class="canned" aria-label=${t('canned')} onKeyDown=${onListKey}>${cannedIn(state.rows.get(talk.id)?.language ?? '', state.me?.name ?? '').map((text) => html`<li><button type="button" dir="auto" onClick=${() => put(text)}>${text}</button></li>`)}</ul>`}
    <button type="button" class="quiet round" aria-label=${t('canned')} title=${`${t('canned')} ( / )`} aria-expanded=${picking} onClick=${() => setPicking(!picking)}><${Icon} name="text" /></button>
    <textarea id="write" ref=${box} rows="1" maxlength="4000" aria-label=${t('write')} placeholder=${t('write')} value=${talk.draft} onKeyDown=${onKeyDown}
      onInput=${(event) => {
        talk.draft = event.currentTarget.value;
        if (talk.draft.trim() !== '') typing(talk.id);
        grow();
      }}></textarea>
    <button type="submit" class="primary"><${Icon} name="send" />${t('send')}</button>
  </form>`;
};

const Head = ({ row, talk }) => {
  const own = isMine(row);
  // Who it was stays in sight when it is over.
  const known = row ?? talk.row;
  return html`<header class="talk-head">
    <div class="talk-who"><h2><bdi>${known ? whoIn(known) : t('conversation')}</bdi></h2>
      ${known && html`<p>${[named('reason', known.reason), known.app && named('app', known.app), languageName(known.language)].filter(Boolean).join(' · ')}</p>`}</div>
    <div class="acts">${
      own
        ? html`<button type="button" onClick=${() => openDialog('transfer')}><${Icon} name="swap" />${t('transfer')}</button>
            <button type="button" onClick=${() => openDialog('return')}><${Icon} name="back" />${t('return')}</button>
            <button type="button" class="primary" onClick=${() => openDialog('finish')}><${Icon} name="flag" />${t('finish')}</button>`
        : row &&
          html`${row.state === 'requested' && html`<button type="button" onClick=${() => act(talk.id, { kind: 'decline' })}>${t('decline')}</button>`}
            <button type="button" class="primary" onClick=${() => take(talk.id)}>${t(row.state === 'requested' ? 'accept' : 'takeOver')}</button>`
    }</div>
  </header>`;
};

/** A chat of the bot's, before anybody comes into it: nothing of what was said. */
const Peek = ({ row }) => {
  const [busy, setBusy] = useState(false);
  const enter = async () => {
    setBusy(true);
    await comeIn(row.id);
    setBusy(false);
  };
  const facts = [
    ['channel', named('channel', row.channel)],
    ...(row.phone ? [['phone', html`<bdi dir="ltr">${row.phone}</bdi>`]] : []),
    ['languageOf', languageName(row.language)],
    ...(runningTopic(row) ? [['about', runningTopic(row)]] : []),
    ['stands', html`${named('waitsFor', row.waitsFor)} · <${Since} at=${row.since} />`],
    ['verification', html`<${Badge} badge=${row.badge} />`],
  ];
  return html`<main class="talk nothing" id="talk" tabindex="-1"><div class="peek">
    <${Icon} name="bot" /><h2>${t('peek')}</h2>
    <dl class="facts">${facts.map(([name, value]) => html`<dt>${t(name)}</dt><dd>${value}</dd>`)}</dl>
    <p>${t('peekText')}</p>
    <button type="button" class="primary" disabled=${busy} onClick=${enter}><${Icon} name="person" />${t('come')}</button>
  </div></main>`;
};

export const Conversation = () => {
  const end = useRef(undefined);
  const id = state.open;
  const talk = id === undefined ? undefined : talkOf(id);
  const writes = talk !== undefined && performance.now() < talk.writesUntil;
  const length = talk ? talk.events.length + talk.pending.length + (writes ? 1 : 0) : 0;
  const toEnd = () => end.current?.scrollIntoView({ block: 'end' });
  useLayoutEffect(toEnd, [id, length]);
  // A tablet that is turned goes on to show what was said last.
  useEffect(() => {
    addEventListener('resize', toEnd);
    return () => removeEventListener('resize', toEnd);
  }, []);
  const peeked = state.running.get(state.peek);
  if (!talk && peeked) return html`<${Peek} key=${peeked.id} row=${peeked} />`;
  if (!talk) {
    return html`<main class="talk nothing" id="talk" tabindex="-1"><div><${Icon} name="bot" /><h2>${t('choose')}</h2><p>${t('chooseText')}</p></div></main>`;
  }
  const row = state.rows.get(talk.id);
  const flow = isMine(row) ? flowIn(talk) : undefined;
  const foot = isMine(row)
    ? html`${flow && html`<p class="runs"><${Icon} name="bot" /><span class="name">${t('flowRuns', { flow: flowTitle(flow) })}</span><button type="button" onClick=${() => act(talk.id, { kind: 'stop' })}>${t('stop')}</button></p>`}<${Composer} talk=${talk} />`
    : html`<p class="looking">${t(row ? 'lookingOn' : 'isOver')}</p>`;
  return html`<main class="talk" id="talk" tabindex="-1" aria-label=${t('conversation')}>
    <${Head} row=${row} talk=${talk} />
    <div class="said" tabindex="0" role="region" aria-label=${t('conversation')}>
      <ol><${Said} events=${talk.events} />${talk.pending.map((message) => html`<${Pending} key=${message.id} talk=${talk} message=${message} />`)}${writes && html`<li class="bubble customer writes"><p class="writing"><span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>${t('writes')}</p></li>`}<li class="end" ref=${end} aria-hidden="true"></li></ol>
    </div>
    ${foot}
  </main>`;
};
