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
addEventListener('pageshow', () => {
  if (form) delete form.dataset.sent;
});

document.querySelector('#summary')?.focus();
