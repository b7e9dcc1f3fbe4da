// The desk's panel as a Dashboard App of Chatwoot. The page around it says which conversation is open (chatwoot.com/hc,
// "How to use Dashboard Apps?"); everything else comes from our server.

import { openTalk } from 'desk-acts';
import { FlowRuns } from 'desk-composer';
import { Dialogs } from 'desk-dialogs';
import { Panel } from 'desk-panel';
import { html } from 'desk-parts';
import { ask } from 'desk-socket';
import { isMine, state, subscribe } from 'desk-state';
import { t } from 'desk-words';
import { useEffect, useReducer, useState } from 'preact/hooks';

const { frame } = document.body.dataset;

/** The number of the conversation that the page around us shows; `undefined`: the message is not about one. */
const conversationIn = ({ data, origin, source }) => {
  if (source !== window.parent || origin !== frame || typeof data !== 'string') return undefined;
  try {
    const said = JSON.parse(data);
    return said.event === 'appContext' ? said.data?.conversation?.id : undefined;
  } catch {
    return undefined;
  }
};

export const Framed = () => {
  const [, draw] = useReducer((count) => count + 1, 0);
  const [place, setPlace] = useState(/** @type {string | undefined} */ (undefined));
  const [unknown, setUnknown] = useState(false);
  const isOpen = state.connection === 'open';
  useEffect(() => subscribe(draw), []);
  useEffect(() => {
    const hear = (event) => {
      const id = conversationIn(event);
      if (id !== undefined) setPlace(String(id));
    };
    addEventListener('message', hear);
    window.parent.postMessage('chatwoot-dashboard-app:fetch-info', frame);
    return () => removeEventListener('message', hear);
  }, []);
  useEffect(() => {
    if (!isOpen || place === undefined) return;
    let gone = false;
    ask({ type: 'find', place }).then(({ value }) => {
      if (gone) return;
      setUnknown(value === undefined);
      openTalk(value);
    });
    return () => {
      gone = true;
    };
  }, [place, isOpen]);

  const row = state.rows.get(state.open);
  return html`${place !== undefined && unknown && html`<p class="notice" role="status">${t('panelUnknown')}</p>`}
    ${row && !isMine(row) && html`<p class="notice" role="status">${t('panelNotYours')}</p>`}
    <${Panel} />
    <${FlowRuns} />
    <${Dialogs} />
    ${state.notice && html`<p class="toast" aria-hidden="true">${state.notice}</p>`}
    <div class="hidden" aria-live="polite" id="announcements">${state.said}</div>`;
};
