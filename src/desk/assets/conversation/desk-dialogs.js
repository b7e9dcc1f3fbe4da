// The dialogs that confirm ending or transferring a conversation, and the list of shortcuts.

import { act, take } from 'desk-acts';
import { html, Modal } from 'desk-parts';
import { Start } from 'desk-start';
import { focusOn, openDialog, say, state } from 'desk-state';
import { t } from 'desk-words';
import { useState } from 'preact/hooks';

const codes = ['solved', 'follow-up', 'no-answer', 'other-team', 'misuse'];
const close = () => openDialog(undefined);

const Finish = ({ id }) => {
  const [code, setCode] = useState('solved');
  const finish = async (event) => {
    event.preventDefault();
    if (!(await act(id, { kind: 'finish', wrapUp: code }))) return;
    close();
    say(t('saidFinished'));
    focusOn('.queue-head button, .queue .row');
  };
  return html`<${Modal} title=${t('finish')} close=${close}><form onSubmit=${finish}>
    <fieldset><legend>${t('finishAs')}</legend>${codes.map((one) => html`<label class="choice"><input type="radio" name="code" value=${one} checked=${one === code} onChange=${() => setCode(one)} /><span>${t(`wrapUp.${one}`)}</span></label>`)}</fieldset>
    <div class="acts"><button type="button" onClick=${close}>${t('cancel')}</button><button type="submit" class="primary">${t('finish')}</button></div>
  </form><//>`;
};

const Transfer = ({ id }) => {
  const others = state.colleagues.filter((one) => one.id !== state.me?.id);
  const [to, setTo] = useState((others.find(({ away }) => !away) ?? others[0])?.id);
  const [note, setNote] = useState('');
  const give = async (event) => {
    event.preventDefault();
    if (!(await act(id, { kind: 'transfer', to, ...(note.trim() !== '' && { note }) }))) return;
    close();
    focusOn('.queue-head button, .queue .row');
  };
  return html`<${Modal} title=${t('transfer')} close=${close}><form onSubmit=${give}>
    ${
      others.length === 0
        ? html`<p>${t('nobodyElse')}</p>`
        : html`<fieldset><legend>${t('transferTo')}</legend>${others.map((one) => html`<label class="choice"><input type="radio" name="to" value=${one.id} checked=${one.id === to} onChange=${() => setTo(one.id)} /><span>${one.name}${one.away && html`<small>${t('away')}</small>`}</span></label>`)}</fieldset>
          <label class="field">${t('transferNote')}<textarea rows="2" maxlength="500" value=${note} onInput=${(event) => setNote(event.currentTarget.value)}></textarea></label>`
    }
    <div class="acts"><button type="button" onClick=${close}>${t('cancel')}</button><button type="submit" class="primary" disabled=${to === undefined}>${t('transfer')}</button></div>
  </form><//>`;
};

/**
 * Asks before the chat goes back to the bot: a single click could send away a customer whom a colleague was about to
 * take.
 */
const Leave = ({ id, how, text }) => {
  const leave = async (event) => {
    event.preventDefault();
    if (!(await act(id, { kind: how }))) return;
    close();
    focusOn('.queue-head button, .queue .row');
  };
  return html`<${Modal} title=${t(how)} close=${close}><form onSubmit=${leave}>
    <p>${t(text)}</p>
    <div class="acts"><button type="button" onClick=${close}>${t('cancel')}</button><button type="submit" class="primary">${t(how)}</button></div>
  </form><//>`;
};

/** Asks before a conversation is taken from a colleague, who may be writing in it. */
const TakeOver = ({ id }) => {
  const { agent } = state.rows.get(id) ?? {};
  const takeIt = (event) => {
    event.preventDefault();
    close();
    void take(id);
  };
  return html`<${Modal} title=${t('takeOver')} close=${close}><form onSubmit=${takeIt}>
    <p>${t('takeOverText', { agent: agent?.name ?? '' })}</p>
    <div class="acts"><button type="button" onClick=${close}>${t('cancel')}</button><button type="submit" class="primary">${t('takeOver')}</button></div>
  </form><//>`;
};

/** Global shortcuts, with Alt held down: none of them types a character. */
export const keys = [
  ['N', 'next'],
  ['T', 'take'],
  ['↑ ↓', 'up'],
  ['L', 'list'],
  ['W', 'write'],
  ['S', 'start'],
  ['V', 'verify'],
  ['G', 'transfer'],
  ['B', 'return'],
  ['E', 'finish'],
  ['K', 'help'],
];

/** Those that are called what their button says. */
const names = { start: 'start', verify: 'verifyNow', transfer: 'transfer', return: 'return', finish: 'finish' };

const Keys = () =>
  html`<${Modal} title=${t('keys')} close=${close}><dl class="keys">${keys.map(
    ([key, name]) =>
      html`<dt><kbd>Alt</kbd> ${key.split(' ').map((one) => html`<kbd>${one}</kbd> `)}</dt><dd>${t(names[name] ?? `key.${name}`)}</dd>`,
  )}<dt><kbd>/</kbd></dt><dd>${t('key.canned')}</dd><dt><kbd>Shift</kbd> <kbd>Enter</kbd></dt><dd>${t('key.line')}</dd></dl><//>`;

export const Dialogs = () => {
  const { dialog, open } = state;
  if (dialog === 'keys') return html`<${Keys} />`;
  if (open === undefined) return undefined;
  if (dialog === 'take') return html`<${TakeOver} id=${open} />`;
  if (dialog === 'finish') return html`<${Finish} id=${open} />`;
  if (dialog === 'transfer') return html`<${Transfer} id=${open} />`;
  if (dialog === 'decline') return html`<${Leave} id=${open} how="decline" text="declineText" />`;
  if (dialog === 'return') return html`<${Leave} id=${open} how="return" text="returnText" />`;
  if (dialog === 'start' || dialog === 'verify') return html`<${Start} key=${dialog} only=${dialog} />`;
  return undefined;
};
