// Keeps the page up to date: replaces only the parts that have changed.
const connection = document.querySelector('#connection');
let etag = '';
let run = '';

/** The chat in the frame; its page stores the conversation for the whole tab. */
const conversation = () => {
  try {
    return JSON.parse(sessionStorage.getItem('countersign.conversation') ?? 'null')?.conversationId ?? '';
  } catch {
    return '';
  }
};

/** Scrolls the current step into view. */
const show = (smooth) => {
  const canvas = document.querySelector('.canvas');
  const lit = canvas?.querySelector('.now, .box.end.passed');
  if (!lit) return;
  const [frame, box] = [canvas.getBoundingClientRect(), lit.getBoundingClientRect()];
  canvas.scrollBy({
    left: box.left + box.width / 2 - frame.left - frame.width / 2,
    top: box.top + box.height / 2 - frame.top - frame.height / 2,
    behavior: smooth && !matchMedia('(prefers-reduced-motion: reduce)').matches ? 'smooth' : 'auto',
  });
};

/** The parts as last received: only those that differ are replaced. */
const sent = new Map();

const put = (part) => {
  const markup = part.outerHTML;
  if (sent.get(part.id) === markup) return;
  sent.set(part.id, markup);
  const here = document.getElementById(part.id);
  if (part.id !== 'diagram') {
    const focused = here.contains(document.activeElement);
    here.replaceWith(part);
    if (!focused) return;
    // If the focused button is replaced, the focus moves to its replacement.
    const again = part.matches('select') ? part : (part.querySelector('button:enabled') ?? part);
    if (again === part && !part.matches('select')) part.tabIndex = -1;
    again.focus();
    return;
  }
  const [canvas, next] = [here.querySelector('.canvas'), part.querySelector('.canvas')];
  if (!canvas || !next) {
    here.replaceWith(part);
    return;
  }
  here.querySelector('.standing').replaceWith(part.querySelector('.standing'));
  canvas.replaceChildren(...next.childNodes);
  show(true);
};

let looking;
const look = async () => {
  const query = new URLSearchParams({ conversation: conversation(), flow: document.querySelector('#flow').value, run });
  try {
    const response = await fetch(`/designer/view?${query}`, { headers: { 'If-None-Match': etag }, signal: AbortSignal.timeout(5000) });
    if (response.status === 200) {
      etag = response.headers.get('ETag') ?? '';
      const next = new DOMParser().parseFromString(await response.text(), 'text/html');
      run = next.body.dataset.run;
      for (const part of next.querySelectorAll('[data-part]')) put(part);
    } else if (response.status !== 304) throw new Error(String(response.status));
    connection.hidden = true;
  } catch {
    connection.hidden = false;
  }
};

/** One request at a time. */
const refresh = () => {
  looking ??= look().finally(() => {
    looking = undefined;
  });
  return looking;
};

const post = async (path, body) => {
  await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }).catch(() => {});
  await looking;
  await refresh();
};

addEventListener('click', ({ target }) => {
  const button = target.closest?.('button');
  if (!button) return;
  const { end, interaction, advance } = button.dataset;
  if (end) post('/designer/end', { interaction, outcome: end });
  else if (advance) post('/designer/advance', { ms: Number(advance) });
});
addEventListener('change', ({ target }) => {
  if (target.closest?.('#flow')) refresh();
});

const loop = async () => {
  if (document.visibilityState === 'visible') await refresh();
  setTimeout(loop, 400);
};
for (const part of document.querySelectorAll('[data-part]')) sent.set(part.id, part.outerHTML);
show(false);
loop();
