// Tells the service that a person, not a link scanner, has opened the page and begun. The form's own post says both as
// well.
const address = location.pathname.replace(/\/$/, '');
const tell = (what) => fetch(`${address}/${what}`, { method: 'POST', keepalive: true }).catch(() => {});

const seen = () => {
  if (document.visibilityState !== 'visible' || document.prerendering) return;
  document.removeEventListener('visibilitychange', seen);
  document.removeEventListener('prerenderingchange', seen);
  tell('opened');
};
document.addEventListener('visibilitychange', seen);
document.addEventListener('prerenderingchange', seen);
seen();

const form = document.querySelector('form[data-device]');
for (const kind of ['pointerdown', 'keydown', 'input']) form?.addEventListener(kind, begun);
function begun() {
  for (const kind of ['pointerdown', 'keydown', 'input']) form.removeEventListener(kind, begun);
  tell('started');
}

// The page may be the answer to a post. Loading it again should ask for it, not post once more.
history.replaceState(null, '', location.pathname);

// What was entered is kept in this tab over a reload and the way back, until the request is over. Pages that ask for a
// code do not say so, and an agreement is given anew.
const key = `countersign.draft ${location.pathname}`;
const controls = () => form.querySelectorAll('[data-draft], [name^="a."]:not([data-answer]), [name=name], [name=drawn]');
const isTicked = ({ type }) => type === 'checkbox' || type === 'radio';
const nameOf = (control) => control.dataset.draft ?? (isTicked(control) ? `${control.name}=${control.value}` : control.name);
const save = () => {
  const draft = [...controls()].map((control) => [nameOf(control), isTicked(control) ? control.checked : control.value]);
  sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(draft)));
};
const restore = () => {
  const draft = JSON.parse(sessionStorage.getItem(key) ?? '{}');
  for (const control of controls()) {
    const value = draft[nameOf(control)];
    if (value !== undefined) control[isTicked(control) ? 'checked' : 'value'] = value;
  }
};
const forget = () => sessionStorage.removeItem(key);
/** A browser may keep nothing: then what was entered goes with the page. */
const ifKept = (act) => () => {
  try {
    act();
  } catch {}
};
if (form?.hasAttribute('data-drafted')) {
  form.addEventListener('input', ifKept(save));
  form.addEventListener('rendered', ifKept(restore));
  ifKept(restore)();
}

const ask = (milliseconds) => fetch(`${address}/state`, { cache: 'no-store', signal: AbortSignal.timeout(milliseconds) });

// A post that does not arrive takes the page with it, so whether it would arrive is asked first.
const unsent = document.querySelector('[data-unsent]');
const isReachable = () =>
  ask(8000).then(
    ({ status }) => status < 500,
    () => false,
  );
/** Lets other scripts add to a post that would arrive. False: one has said why it cannot be sent. */
const prepare = async (submitter) => {
  if (!(await isReachable())) throw new Error('unreachable');
  const waiting = [];
  form.dispatchEvent(new CustomEvent('sending', { detail: { submitter, waitUntil: (work) => waiting.push(work) } }));
  return (await Promise.all(waiting)).every(Boolean);
};
const say = (what) => {
  unsent.textContent = what === undefined ? '' : unsent.dataset[what];
  if (what !== undefined) unsent.scrollIntoView({ block: 'nearest' });
};

/** Shows at once which button was pressed; undone by what it returns. */
const showBusy = (button) => {
  const words = button?.textContent;
  if (!button) return () => {};
  button.setAttribute('aria-busy', 'true');
  button.textContent = form.dataset.busy;
  return () => {
    button.removeAttribute('aria-busy');
    button.textContent = words;
  };
};
let notBusy = () => {};
form?.addEventListener('submit', async (event) => {
  if (form.dataset.sent === 'checked') {
    form.dataset.sent = 'yes';
    return;
  }
  event.preventDefault();
  // A second press would only be told that the link is used.
  if (form.dataset.sent) return;
  form.dataset.sent = 'asking';
  say();
  const { submitter } = event;
  notBusy();
  notBusy = showBusy(submitter);
  const ready = await prepare(submitter).catch(() => undefined);
  if (ready) {
    form.dataset.sent = 'checked';
    form.requestSubmit(submitter);
    return;
  }
  delete form.dataset.sent;
  notBusy();
  // What other scripts have added for this post does not serve the next one.
  form.dispatchEvent(new Event('unsent'));
  if (ready === undefined) say(navigator.onLine ? 'unreachable' : 'offline');
});
addEventListener('online', () => unsent && say());
addEventListener('pageshow', ({ persisted }) => {
  notBusy();
  if (form) delete form.dataset.sent;
  if (persisted) look();
});

// A request may end elsewhere while this page is open. Asked for while somebody looks at it, more slowly once it has
// been open for a while or nobody answers.
let failures = 0;
let looking = false;
let next;

const pace = () => Math.min(30_000, (performance.now() < 300_000 ? 3000 : 10_000) * 2 ** failures);

async function look() {
  clearTimeout(next);
  if (!form?.isConnected || looking || document.visibilityState !== 'visible') return;
  looking = true;
  try {
    // While an answer is on its way, the page that follows says what has become of it.
    if (!form.dataset.sent) {
      const response = await ask(5000);
      if (!response.ok) throw new Error(`status ${response.status}`);
      const { open, again, ...notice } = await response.json();
      failures = 0;
      // Answered in this browser: the link shows how it ended. Not a reload, which would post again what was posted.
      if (again) location.replace(location.pathname);
      else if (!open && !form.dataset.sent) sayOver(notice);
    }
  } catch {
    failures = Math.min(failures + 1, 4);
  }
  looking = false;
  if (form.isConnected) next = setTimeout(look, pace());
}

/** Puts what has become of the request in the place of the form, where a screen reader is told. */
const sayOver = ({ title, paragraphs }) => {
  const main = document.querySelector('main');
  const told = main.querySelector('[data-over]');
  const element = (name, text) => Object.assign(document.createElement(name), { textContent: text });
  const sign = Object.assign(element('span', ''), { className: 'sign gone', ariaHidden: 'true' });
  main.replaceChildren(told);
  ifKept(forget)();
  told.className = 'notice';
  told.append(sign, element('h1', title), ...paragraphs.map((text) => element('p', text)));
  document.title = [title, ...document.title.split(' · ').slice(1)].join(' · ');
  // What had the focus is gone.
  main.tabIndex = -1;
  main.focus();
};

document.addEventListener('visibilitychange', look);
look();

document.querySelector('#summary')?.focus();
