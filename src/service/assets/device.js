// Tells the service that a person, not a link scanner, has opened the page and begun. Only a courtesy: posting the form says both as well.
const tell = (what) =>
  fetch(`${location.pathname.replace(/\/$/, '')}/${what}`, { method: 'POST', keepalive: true }).catch(() => {
    // The form's own post makes up for it.
  });

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

// A second press would only be told that the link is used.
form?.addEventListener('submit', (event) => {
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = 'yes';
});
addEventListener('pageshow', ({ persisted }) => {
  if (form) delete form.dataset.sent;
  if (persisted) look();
});

// A request may end elsewhere while this page is open: withdrawn in the chat, answered on another device, its time up. Asked for while
// somebody looks at the page, one question at a time, more slowly once it has been open for a while or nobody answers.
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
      const response = await fetch(`${location.pathname.replace(/\/$/, '')}/state`, {
        cache: 'no-store',
        signal: AbortSignal.timeout(5000),
      });
      if (!response.ok) throw new Error(`status ${response.status}`);
      const { open, again, ...notice } = await response.json();
      failures = 0;
      // Answered in this browser: the link shows how it ended. Not a reload, which would post again what was posted.
      if (again) location.replace(location.pathname);
      else if (!open && !form.dataset.sent) sayOver(notice);
    }
  } catch {
    // Asked again, more slowly. Posting the form would say the same.
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
