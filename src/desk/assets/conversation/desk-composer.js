// The message box, and the quick answers above it.
import { act, copy, typing, write } from 'desk-acts';
import { keepSoon } from 'desk-kept';
import { html, Icon } from 'desk-parts';
import { changed, flowIn, flowTitle, hasDraft, isMine, state, talkOf } from 'desk-state';
import { cannedIn, number, t } from 'desk-words';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** The flow that the agent runs in the open conversation, and the button that stops it. */
export const FlowRuns = () => {
  const flow = isMine(state.rows.get(state.open)) ? flowIn(talkOf(state.open)) : undefined;
  if (!flow) return undefined;
  return html`<p class="runs"><${Icon} name="bot" /><span class="name">${t('flowRuns', { flow: flowTitle(flow) })}</span><button type="button" onClick=${() => act(state.open, { kind: 'stop' })}>${t('stop')}</button></p>`;
};

/** What an agent was writing when a colleague took the conversation, or when it ended. */
export const Unsent = ({ row, talk }) => {
  if (!hasDraft(talk)) return undefined;
  const discard = () => {
    talk.draft = '';
    keepSoon();
    changed();
  };
  return html`<div class="unsent"><p id="unsent">${t('unsent')}${row?.agent && ` ${t('hasIt', { agent: row.agent.name })}`}</p>
    <textarea readonly rows="3" dir="auto" aria-labelledby="unsent" value=${talk.draft}></textarea>
    <p class="acts"><button type="button" onClick=${() => copy(talk.draft)}>${t('copy')}</button><button type="button" onClick=${discard}>${t('discard')}</button></p></div>`;
};

/** The longest message that the server takes. */
const longest = 4_000;

export const Composer = ({ talk }) => {
  const box = useRef(undefined);
  const [picking, setPicking] = useState(false);
  const grow = () => {
    const { current } = box;
    if (!current) return;
    current.style.height = 'auto';
    current.style.height = `${Math.min(current.scrollHeight + 2, 180)}px`;
  };
  useLayoutEffect(grow, [talk.draft, talk.id]);
  useEffect(() => setPicking(false), [talk.id]);
  const send = () => {
    const text = talk.draft.trim();
    if (text === '' || text.length > longest) return;
    write(talk.id, text);
    box.current.focus();
  };
  const over = talk.draft.trim().length - longest;
  const put = (text) => {
    // Added to the existing draft.
    talk.draft = hasDraft(talk) ? `${talk.draft.trimEnd()} ${text}` : text;
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
  return html`${over > 0 && html`<p class="over" id="over" role="status">${t('tooLong', { max: number(longest), over: number(over) })}</p>`}<form class="composer" onSubmit=${(
    event,
  ) => {
    event.preventDefault();
    send();
  }}>
    ${picking && html`<ul class="canned" aria-label=${t('canned')} onKeyDown=${onListKey}>${cannedIn(state.rows.get(talk.id)?.language ?? '', state.me?.name ?? '').map((text) => html`<li><button type="button" dir="auto" onClick=${() => put(text)}>${text}</button></li>`)}</ul>`}
    <button type="button" class="quiet round" aria-label=${t('canned')} title=${`${t('canned')} ( / )`} aria-expanded=${picking} onClick=${() => setPicking(!picking)}><${Icon} name="text" /></button>
    <textarea id="write" ref=${box} rows="1" aria-invalid=${over > 0} aria-describedby=${over > 0 ? 'over' : undefined} aria-label=${t('write')} placeholder=${t('write')} value=${talk.draft} onKeyDown=${onKeyDown}
      onInput=${(event) => {
        talk.draft = event.currentTarget.value;
        keepSoon();
        if (talk.draft.trim() !== '') typing(talk.id);
        if (over > 0 || talk.draft.length > longest) changed();
        grow();
      }}></textarea>
    <button type="submit" class="primary" disabled=${over > 0}><${Icon} name="send" />${t('send')}</button>
  </form>`;
};
