// Keeps the outbox up to date without moving what is there: new messages are put in, changed ones replaced in their
// place.
const list = document.querySelector('#messages');
const status = document.querySelector('#status');
const count = document.querySelector('#count');
const empty = document.querySelector('#empty');
let etag = '';

const merge = (markup) => {
  const next = new DOMParser().parseFromString(markup, 'text/html');
  let previous = null;
  for (const item of next.querySelectorAll('#messages > li')) {
    const here = document.getElementById(item.id);
    if (!here) {
      item.classList.add('new');
      if (previous) previous.after(item);
      else list.prepend(item);
      previous = item;
    } else {
      const stateOf = (one) => one.querySelector('[data-state]').dataset.state;
      previous = here;
      if (stateOf(here) !== stateOf(item)) {
        // Its link goes with the change; whoever was on it stays at the message.
        const focused = here.contains(document.activeElement);
        here.replaceWith(item);
        item.tabIndex = -1;
        if (focused) item.focus();
        previous = item;
      }
    }
  }
  count.textContent = next.querySelector('#count').textContent;
  empty.hidden = list.children.length > 0;
};

const refresh = async () => {
  try {
    const response = await fetch('/outbox/messages', { headers: { 'If-None-Match': etag }, signal: AbortSignal.timeout(5000) });
    if (response.status === 200) {
      etag = response.headers.get('ETag') ?? '';
      merge(await response.text());
    } else if (response.status !== 304) throw new Error(String(response.status));
    delete status.dataset.stale;
    status.textContent = status.dataset.live;
  } catch {
    status.dataset.stale = 'yes';
    status.textContent = status.dataset.late;
  }
};

// One look at a time, a second apart, and none while nobody looks.
const loop = async () => {
  if (document.visibilityState === 'visible') await refresh();
  setTimeout(loop, 1000);
};
loop();
