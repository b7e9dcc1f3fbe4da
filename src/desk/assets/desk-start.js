// Starting an app for the customer of a conversation: which one, for whom, and with which values.

import { act, explain, newUlid } from 'desk-acts';
import { html, Modal } from 'desk-parts';
import { ask } from 'desk-socket';
import { flowTitle, focusOn, notify, openDialog, say, state, talkOf } from 'desk-state';
import { named, t } from 'desk-words';
import { useEffect, useRef, useState } from 'preact/hooks';

const all = ['passkeys', 'one-time-passcode', 'document-signature', 'payments', 'e-form'];
const verifying = ['passkeys', 'one-time-passcode'];

const Choice = ({ name, legend, options, chosen, choose }) =>
  html`<fieldset><legend>${legend}</legend>${options.map(
    ({ id, title, detail }) =>
      html`<label class="choice"><input type="radio" name=${name} value=${id} checked=${id === chosen} onChange=${() => choose(id)} /><span>${title}${detail && html`<small>${detail}</small>`}</span></label>`,
  )}</fieldset>`;

/** The input type for each type of a flow's inputs. */
const boxes = { date: 'date', email: 'email', money: 'number', number: 'number', phone: 'tel' };
const typed = (type, text) => {
  if (type === 'number' || type === 'money') return Number(text);
  if (type === 'yes-no') return text === 'yes';
  return type === 'phone' ? text.replace(/[^\d+]/g, '') : text;
};

const Blank = ({ blank, value, fill, type = 'text' }) => {
  const { choices, label, required } = blank;
  const props = { required, value, onInput: (event) => fill(event.currentTarget.value) };
  return html`<label class="field">${label}${required && html` <small>(${t('required')})</small>`}
    ${choices ? html`<select ...${props}><option value=""></option>${choices.map((choice) => html`<option value=${choice}>${named('value', choice)}</option>`)}</select>` : html`<input ...${props} type=${boxes[type] ?? 'text'} step=${boxes[type] === 'number' ? 'any' : undefined} maxlength="2000" />`}
  </label>`;
};

/** An agent has to stay on a conversation this long (ms) before options are loaded. */
const passing = 300;

/** The number that the customer gave in the chat, if what they typed matches the one that the bot stored. */
const numberGiven = ({ events, id }) => {
  const kept = state.rows.get(id)?.badge.phone;
  if (!kept) return '';
  const typed = events
    .flatMap((event) => event.lines ?? (event.type === 'message' ? [{ from: 'customer', text: event.message.text ?? '' }] : []))
    .flatMap(({ from, text }) => (from === 'customer' && /^[+\d\s().-]{6,24}$/.test(text) ? [text.replace(/[^\d+]/g, '')] : []));
  return typed.findLast((one) => one.startsWith(kept.slice(0, 2)) && one.endsWith(kept.slice(-4))) ?? '';
};

export const Start = ({ only }) => {
  const id = state.open;
  const apps = only === 'verify' ? verifying : all;
  const { badge, customer: person } = talkOf(id).panel ?? {};
  // Whoever is verified is not verified again first.
  const [app, setApp] = useState(only === 'start' && badge?.state === 'verified' ? all[verifying.length] : apps[0]);
  const known = person !== undefined;
  const [phone, setPhone] = useState(() => (known ? '' : numberGiven(talkOf(id))));
  const [looked, setFound] = useState(undefined);
  const [trouble, setTrouble] = useState('');
  const [customer, setCustomer] = useState(undefined);
  const [chosen, setChosen] = useState(undefined);
  const [filled, setFilled] = useState({});
  const [busy, setBusy] = useState(false);
  // Whom it would go to although somebody else is verified in the chat.
  const [other, setOther] = useState(undefined);
  // The idempotency key: the same for another attempt.
  const name = useRef(newUlid());
  const asked = useRef(0);
  const later = useRef(undefined);
  const number = phone.replace(/[^\d+]/g, '');
  const flow = app.startsWith('flow ') ? app.slice(5) : undefined;
  const found = looked?.app === app ? looked : undefined;
  const asks = state.flows.find((one) => one.flow === flow)?.asks ?? [];

  const look = async (which, given) => {
    clearTimeout(later.current);
    asked.current += 1;
    const turn = asked.current;
    const answer = await ask({ type: 'options', id, app: which, ...(given && { phoneNumber: given }) });
    if (turn !== asked.current) return;
    setFound(answer.value && { ...answer.value, app: which });
    setTrouble(answer.refused && !(answer.refused === 'number_needed' && !given) ? explain(answer) : '');
    setCustomer(answer.value?.customers.length === 1 ? answer.value.customers[0].id : undefined);
    setChosen(undefined);
    setFilled({});
  };
  // Every look is recorded and queries the service, so moving past with an arrow key does not count as one.
  useEffect(() => {
    if (flow) return;
    later.current = setTimeout(() => look(app, number), asked.current === 0 ? 0 : passing);
    return () => clearTimeout(later.current);
  }, [app]);

  const choice = found?.choices.find((one) => one.id === chosen);
  const choose = (which) => {
    setChosen(which);
    const blanks = found.choices.find((one) => one.id === which)?.blanks ?? [];
    setFilled(Object.fromEntries(blanks.flatMap(({ name: blank, value }) => (value === undefined ? [] : [[blank, value]]))));
  };
  const asksAgain = !flow && found !== undefined && customer !== undefined && other === customer;
  const ready = found && customer !== undefined && (found.choices.length === 0 || chosen !== undefined);
  const close = () => openDialog(undefined);
  const chooseApp = (which) => {
    setApp(which);
    setFilled({});
  };

  const beginFlow = async () => {
    setBusy(true);
    const given = asks.flatMap(({ name: one, type }) =>
      filled[one] === undefined || filled[one] === '' ? [] : [[one, typed(type, filled[one])]],
    );
    const done = await act(id, { kind: 'flow', id: name.current, flow, ...(given.length > 0 && { inputs: Object.fromEntries(given) }) });
    setBusy(false);
    if (!done) {
      name.current = newUlid();
      return;
    }
    say(t('flowRuns', { flow: flowTitle(flow) }));
    close();
    focusOn('#write');
  };

  const send = async (event) => {
    event.preventDefault();
    if (flow) return beginFlow();
    if (!ready) return number !== '' || !known ? look(app, number) : undefined;
    setBusy(true);
    const what = {
      kind: 'start',
      id: name.current,
      app,
      forAnother: other === customer,
      ...(number !== '' && { phoneNumber: number }),
      customerRef: customer,
      ...(chosen !== undefined && { chosen }),
      ...(choice?.blanks.length > 0 && { filled: Object.fromEntries(Object.entries(filled).filter(([, value]) => value !== '')) }),
    };
    const answer = await ask({ type: 'act', id, act: what });
    setBusy(false);
    if (answer.refused === 'other_customer') return setOther(customer);
    if (answer.refused) {
      notify(explain(answer));
      name.current = newUlid();
      return;
    }
    notify(t('startSent', { app: named('app', app) }));
    close();
    focusOn('#write');
  };

  return html`<${Modal} title=${t(only === 'verify' ? 'verifyAgain' : 'start')} close=${close}>
    <form onSubmit=${send}>
      <p class="lead">${t('startFor')}</p>
      <${Choice} name="app" legend=${t('startWhat')} options=${apps.map((one) => ({ id: one, title: named('app', one) }))} chosen=${app} choose=${chooseApp} />
      ${only === 'start' && state.flows.length > 0 && html`<${Choice} name="app" legend=${t('flows')} options=${state.flows.map(({ description, flow: one, title }) => ({ id: `flow ${one}`, title, detail: description }))} chosen=${app} choose=${chooseApp} />`}
      ${flow && html`<p class="hint">${t('startFlowText')}</p>`}
      ${asks.map(({ choices, name: one, type }) => html`<${Blank} key=${`${flow} ${one}`} blank=${{ choices: type === 'yes-no' ? ['yes', 'no'] : choices, label: one.replaceAll(/[_-]/g, ' '), required: true }} type=${type} value=${filled[one] ?? ''} fill=${(value) => setFilled({ ...filled, [one]: value })} />`)}
      ${
        !flow &&
        html`<div class="find"><label class="field">${t('startNumber')}<input type="tel" inputmode="tel" autocomplete="off" placeholder=${known ? (person.phone ?? '') : ''} value=${phone} onInput=${(event) => setPhone(event.currentTarget.value)} aria-describedby="number-hint" /></label>
      <button type="button" onClick=${() => look(app, number)}>${t('find')}</button></div>
      <p id="number-hint" class="hint">${t('startNumberHint')}</p>`
      }
      ${!flow && trouble && html`<p class="trouble" role="alert">${trouble}</p>`}
      ${!flow && found && html`<${Choice} name="customer" legend=${t('startCustomer')} options=${found.customers.map(({ id: one, name: title }) => ({ id: one, title }))} chosen=${customer} choose=${setCustomer} />`}
      ${!flow && found?.choices.length > 0 && html`<${Choice} name="chosen" legend=${named('app', app)} options=${found.choices} chosen=${chosen} choose=${choose} />`}
      ${!flow && choice?.blanks.map((blank) => html`<${Blank} key=${blank.name} blank=${blank} value=${filled[blank.name] ?? ''} fill=${(value) => setFilled({ ...filled, [blank.name]: value })} />`)}
      <div class="acts">${asksAgain && html`<p class="trouble" role="alert">${t('otherCustomer', { whom: found.customers.find(({ id: one }) => one === customer)?.name ?? number })}</p>`}<button type="button" onClick=${close}>${t('cancel')}</button><button type="submit" class="primary" disabled=${busy || !(flow || ready)}>${t(flow ? 'startFlowNow' : asksAgain ? 'startAnyway' : 'startNow')}</button></div>
    </form>
  <//>`;
};
