// Reading first, then signing: the button works once the document's end was on screen, and a signature can be drawn.
// Without this script the whole document stands above the button, and the name is the signature.
const form = document.querySelector('form[data-device]');
const text = document.querySelector('.document');
const notice = document.querySelector('#unread');
const sign = form.querySelector('button.primary');
const drawn = form.elements.drawn;

/* The end of the document */

let read = false;
const nowRead = () => {
  read = true;
  sign.removeAttribute('aria-disabled');
  sign.removeAttribute('aria-describedby');
  notice.hidden = true;
  reached.disconnect();
};
// The end is in view when most of its line is, within the document's own frame.
const reached = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && nowRead(), {
  root: text,
  threshold: 0.6,
});

// What fits on a screen needs no frame of its own: whoever gets to the button has passed all of it.
if (text.offsetHeight < innerHeight * 0.75) {
  read = true;
} else {
  text.classList.add('paged');
  text.tabIndex = 0;
  sign.setAttribute('aria-disabled', 'true');
  sign.setAttribute('aria-describedby', 'unread');
  notice.textContent = text.dataset.unread;
  notice.hidden = false;
  reached.observe(document.querySelector('#document-end'));
}

// Before any other listener, which would take the form for sent.
const whileUnread = (event) => {
  if (read || event.submitter?.value === 'decline') return;
  event.preventDefault();
  event.stopImmediatePropagation();
  text.focus();
  text.scrollIntoView({ block: 'center' });
  // Said again, and so read out again.
  notice.textContent = '';
  notice.textContent = text.dataset.unread;
};
form.addEventListener('submit', whileUnread, true);

/* The signature */

const canvas = document.querySelector('#pad');
document.querySelector('.signing').hidden = false;
/** The ink suits the page's colours; only the strokes are posted. */
const ink = () => getComputedStyle(canvas).color;
const pad = new globalThis.SignaturePad(canvas, { penColor: ink(), minWidth: 0.8, maxWidth: 2.4, minDistance: 3 });

/** As much as the service takes, in characters; a longer drawing is thinned out. */
const longest = 20000;
const strokes = () => pad.toData().map(({ points }) => points.map(({ x, y }) => [x, y]));
const write = (lines) => {
  const { clientWidth: width, clientHeight: height } = canvas;
  const whole = (value, most) => Math.min(Math.max(Math.round(value), 0), most);
  const written = lines.map((points) => points.map(([x, y]) => `${whole(x, width)}.${whole(y, height)}`).join('-'));
  return [`${width}.${height}`, ...written.filter((line) => line !== '')].join('_');
};
const changed = () => drawn.dispatchEvent(new Event('input', { bubbles: true }));
const keep = () => {
  let lines = strokes().slice(0, 200);
  while (write(lines).length > longest)
    lines = lines.map((points) => points.filter((_, index) => index % 2 === 0 || index === points.length - 1));
  drawn.value = pad.isEmpty() ? '' : write(lines);
  changed();
};

/** Shows what was posted before, at the size that the field has now. */
const show = (posted) => {
  const [size, ...lines] = posted.split('_').map((line) => line.split('-').map((point) => point.split('.').map(Number)));
  const [[width, height]] = [size[0]];
  const scale = Math.min(canvas.clientWidth / width, canvas.clientHeight / height);
  pad.fromData(
    lines.map((points) => ({
      penColor: ink(),
      minWidth: 0.8,
      maxWidth: 2.4,
      points: points.map(([x, y], index) => ({ x: x * scale, y: y * scale, pressure: 0.5, time: index * 16 })),
    })),
  );
};

/** A canvas has as many dots as it is told to, and forgets what is on it when that changes. */
const resize = () => {
  const ratio = Math.max(devicePixelRatio || 1, 1);
  if (canvas.width === Math.round(canvas.clientWidth * ratio)) return;
  canvas.width = Math.round(canvas.clientWidth * ratio);
  canvas.height = Math.round(canvas.clientHeight * ratio);
  canvas.getContext('2d').scale(ratio, ratio);
  pad.clear();
  if (drawn.value !== '') show(drawn.value);
};
resize();
new ResizeObserver(resize).observe(canvas);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  pad.penColor = ink();
  pad.clear();
  if (drawn.value !== '') show(drawn.value);
});
pad.addEventListener('endStroke', keep);
document.querySelector('#pad-clear').addEventListener('click', () => {
  pad.clear();
  drawn.value = '';
  changed();
});
