// Plays the story on the real pages, as hands would: it types into them and presses their buttons, and nothing else.
import { story } from './story.js';

const pace = Number(new URLSearchParams(location.search).get('pace') ?? 1);
const element = (id) => document.getElementById(id);
const frames = { chat: element('chat'), desk: element('desk'), phone: element('phone') };

/** Somebody has taken over: the story ends here. */
class TakenOver extends Error {}
let taken = false;
const heed = () => {
  if (taken) throw new TakenOver();
};

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms / pace));
const read = async (ms) => {
  await pause(ms);
  heed();
};

/** The first value of `probe` that is there, for as long as a slow machine may need. */
const until = async (probe, what) => {
  const end = performance.now() + 60_000;
  for (;;) {
    heed();
    const found = await probe();
    if (found) return found;
    if (performance.now() > end) throw new Error(`It waited in vain for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
};

const show = (side, path) => {
  frames[side].src = path;
};

/** What a selector finds in a frame, once it is there and can be seen. */
const find = (side, selector, words) =>
  until(
    () => {
      const all = [...(frames[side].contentDocument?.querySelectorAll(selector) ?? [])];
      return all.findLast((one) => one.checkVisibility() && (!words || words.test(one.textContent)));
    },
    `${selector} ${words ?? ''}`,
  );

const speaks = (side) => {
  for (const one of document.querySelectorAll('section')) one.classList.toggle('speaks', one.id === `${side}-side`);
};

/** Types as somebody does who knows what to say. */
const type = async (side, selector, text) => {
  speaks(side);
  const box = await find(side, selector);
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(box), 'value');
  for (let length = 1; length <= text.length; length += 1) {
    set.call(box, text.slice(0, length));
    box.dispatchEvent(new box.ownerDocument.defaultView.Event('input', { bubbles: true }));
    await read(Math.max(12, Math.min(45, 1400 / text.length)));
  }
  return box;
};

const press = async (side, selector, words) => {
  speaks(side);
  const target = await find(side, selector, words);
  await read(700);
  target.click();
};

const submit = (box) => box.form.requestSubmit();

const said = () => frames.chat.contentDocument.querySelectorAll('.webchat__basic-transcript__activity').length;

const hands = {
  read,
  find,
  press,
  type,
  /** Whether the link was used before; then the desk is shown. */
  isSignedIn: async () => {
    const first = await find('desk', 'h1');
    if (first.ownerDocument.querySelector('form')) return false;
    show('desk', '/desk');
    return true;
  },
  customer: {
    /** Writes, and waits for an answer where one comes. */
    writes: async (text, answered = true) => {
      const box = await type('chat', '[data-id="webchat-sendbox-input"]', text);
      await read(300);
      const before = said();
      submit(box);
      await until(() => said() >= before + (answered ? 2 : 1), 'an answer in the chat');
      await read(1200);
    },
  },
  agent: {
    writes: async (text) => {
      const box = await type('desk', '#write', text);
      await read(300);
      submit(box);
      await find('chat', '.webchat__bubble__content', new RegExp(text.slice(0, 20)));
      await read(1500);
    },
  },
  /** Another customer, whose chat is not shown. */
  stranger: {
    writes: async (...texts) => {
      const post = (path, token, body) =>
        fetch(path, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
          body: JSON.stringify(body),
        }).then((answer) => answer.json());
      const { token, userId } = await post('/chat/token', undefined, {});
      const { conversationId } = await post('/v3/directline/conversations', token, {});
      for (const text of texts)
        await post(`/v3/directline/conversations/${conversationId}/activities`, token, {
          ...{ type: 'message', from: { id: userId }, locale: 'en', text },
        });
    },
  },
  phone: {
    opens: (path) => {
      element('phone-side').hidden = false;
      show('phone', path);
    },
    closes: () => {
      element('phone-side').hidden = true;
    },
  },
  caption: async (text) => {
    heed();
    element('caption').textContent = text;
    await read(1600);
  },
};

const end = (text) => {
  element('caption').textContent = text;
  element('hint').hidden = true;
  document.querySelector('header .again').hidden = false;
  document.body.dataset.over = 'yes';
};

/** The desk needs this width (CSS pixels) for its three columns. */
const deskWidth = 1160;
const fit = () => {
  const { clientHeight, clientWidth } = frames.desk.parentElement;
  const scale = Math.min(1, clientWidth / deskWidth);
  Object.assign(frames.desk.style, {
    width: `${clientWidth / scale}px`,
    height: `${clientHeight / scale}px`,
    transform: `scale(${scale})`,
  });
};
new ResizeObserver(fit).observe(frames.desk.parentElement);

const takeOver = (event) => {
  // What the story does itself is not trusted by the browser, and nobody's hand.
  if (!event.isTrusted || taken || document.body.dataset.over) return;
  taken = true;
  speaks(undefined);
  end('It is yours now: write on either side, and the other one hears you.');
};
for (const frame of Object.values(frames)) {
  frame.addEventListener('load', () => {
    for (const kind of ['keydown', 'pointerdown']) frame.contentDocument?.addEventListener(kind, takeOver, true);
  });
}
for (const again of document.querySelectorAll('.again')) again.addEventListener('click', () => location.reload());
element('go-on').addEventListener('click', () => {
  element('end').hidden = true;
});

// A customer who has never been here, and an agent who may have stayed.
localStorage.clear();
sessionStorage.clear();
show('chat', '/');
show('desk', document.body.dataset.signIn);
try {
  await story(hands);
  speaks(undefined);
  end('That was all. Go on with your own hands, on either side.');
  element('end').hidden = false;
  element('go-on').focus();
} catch (fault) {
  if (!(fault instanceof TakenOver)) {
    end(`The story cannot go on. ${fault.message}`);
    throw fault;
  }
}
