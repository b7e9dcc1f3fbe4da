// The chat page's script: gets a token, runs Web Chat with it, and keeps the conversation across reloads, lost
// connections and restarts.
import { makeAnnouncer } from 'announcer';
import { lookAfterCards } from 'card-controls';
import { keepConnected, makeRetries } from 'connection';
import { keepFocus, offerKeyboard, sendBox, typeToSendBox } from 'focus';
import { makeFrame } from 'frame';
import { language as chosenLanguage, conversation } from 'kept';
import { hostConfig, styleOptions } from 'looks';
import { makeNews, offerNotifications } from 'news';
import { offerRecord } from 'record';
import { makeStore } from 'store';
import { keepTop } from 'top';

/** @typedef {{ token: string, conversationId?: string, userId?: string, expires_in: number }} Issued */

const { texts: textsJson, language: greetedIn, embedding, directLine: elsewhere } = document.body.dataset;
const texts = JSON.parse(textsJson);
const element = (id) => document.getElementById(id);
const host = element('webchat');
const nonce = document.querySelector('script[nonce]').nonce;
const dark = matchMedia('(prefers-color-scheme: dark)');

// ---- language ----

const chosen = chosenLanguage.read();
let language = chosen !== null && chosen in texts ? chosen : greetedIn;

/** With the browser's region, if it has one, for the format of dates and amounts. */
const locale = () => {
  for (const tag of navigator.languages) {
    try {
      const known = new Intl.Locale(tag);
      if (known.language === language && known.region) return `${language}-${known.region}`;
    } catch {
      // Chromium on Linux may pass on the system's own locale name, such as en-US@posix.
    }
  }
  return language;
};

/** The language's writing direction, as its option in the list says. */
const direction = () => element('language').querySelector(`[value="${language}"]`).dir;

const say = () => {
  const text = texts[language];
  document.documentElement.lang = language;
  document.documentElement.dir = direction();
  for (const node of document.querySelectorAll('[data-text]')) node.textContent = text[node.dataset.text];
  for (const node of document.querySelectorAll('[data-label]')) node.setAttribute('aria-label', text[node.dataset.label]);
  element('language').value = language;
};

/** Shows a notice instead of the chat (by its name in the texts), or the chat itself. */
const show = (notice) => {
  const status = element('status');
  status.hidden = notice === undefined;
  host.hidden = notice !== undefined;
  if (notice === undefined) {
    delete status.dataset.text;
    status.textContent = '';
  } else {
    status.dataset.text = notice;
    status.textContent = texts[language][notice];
  }
};

/**
 * Shows above the chat that the connection is lost, that the conversation is full, or, until the customer says
 * something, that it is not the earlier one. Web Chat shows none of these.
 */
const showLine = () => {
  const line = element('line');
  const lost = navigator.onLine ? 'reconnecting' : 'offline';
  const other = current?.full ? 'full' : current?.notRestored ? 'notRestored' : undefined;
  const notice = gap.shown ? lost : other;
  line.hidden = notice === undefined;
  if (notice === undefined) delete line.dataset.text;
  else line.dataset.text = notice;
  line.textContent = notice === undefined ? '' : texts[language][notice];
};

/** Shows whether the customer is verified in this chat, and with which number, until the verification expires. */
const chip = { until: 0, phone: undefined, timer: undefined };
const showVerified = () => {
  const left = chip.until - Date.now();
  element('verified').hidden = left <= 0;
  const time = new Intl.DateTimeFormat(locale(), { timeStyle: 'short' }).format(chip.until);
  const words = texts[language].verifiedUntil.replace('{time}', time);
  element('verified').title = chip.phone === undefined ? words : `${words} · \u2066${chip.phone}\u2069`;
  clearTimeout(chip.timer);
  if (left > 0) chip.timer = setTimeout(showVerified, left);
};

// ---- the conversation ----

/** Web Chat's script is large: the page works, and gets its token, while it loads. */
const webChat =
  window.WebChat ??
  new Promise((resolve) => {
    element('webchat-script').addEventListener('load', resolve, { once: true });
  });

/** The current connection, and what belongs to it. */
let current;
let generation = 0;

/** Messages that have not arrived yet, by id. */
const unsent = new Map();
const frame = makeFrame(embedding, {
  hasDraft: () => Boolean(current?.store.getState().sendBoxValue),
  onShown: (shown, focus) => {
    news.look(shown);
    if (focus) focusChat();
  },
});
/** Where typing goes, but without the keyboard that a touch screen would show over the chat. */
const focusChat = () => ((matchMedia('(hover: hover)').matches && sendBox(host)) || element('chat')).focus();
const announcer = makeAnnouncer({ log: element('changes'), alert: element('outcomes'), isSeen: () => news.isSeen() });
/** The operator's name. */
const name = document.title;
const news = makeNews(name, { words: () => texts[language].news, counted: frame.unread, onSeen: announcer.look });
/** Who wrote last, other than the customer. */
let answering;
const cards = lookAfterCards(host, {
  changed: () => offerKeyboard(sendBox(host), answering?.channelData?.takes),
  typing: (milliseconds) => {
    // A person takes their time, and shows when they write.
    if (!answering || answering.channelData?.agent) return;
    const { from, timestamp } = answering;
    const webChat = { styleOptions: { typingAnimationDuration: milliseconds } };
    // The answer must come after it, whatever the clock here says.
    const activity = { type: 'typing', id: `typing-${performance.now()}`, from, timestamp, channelData: { webChat } };
    current?.store.dispatch({ type: 'DIRECT_LINE/INCOMING_ACTIVITY', payload: { activity } });
  },
});
const showTop = keepTop(host);

/** Asks until it gets a token, instead of a stored one or one whose conversation has ended. */
const askForToken = async (request) => {
  for (const retries = makeRetries(); ; ) {
    try {
      const response = await fetch('/chat/token', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...request, ...(embedding && { framed: true }) }),
        signal: AbortSignal.timeout(10_000),
      });
      if (response.ok) {
        const issued = /** @type {Issued} */ (await response.json());
        // A new conversation has no history.
        announcer.begin(issued.conversationId ? Date.parse(response.headers.get('date')) : 0);
        return issued;
      }
    } catch {
      // Offline, or the server is starting: the code below shows that and tries again.
    }
    if (!current) show('unavailable');
    await retries.next();
  }
};

/**
 * Stores what a reload or another tab needs. Direct Line's client refreshes its token itself, so it is asked for the
 * latest.
 */
const keep = () => {
  if (!current) return;
  const { directLine, userId, talked } = current;
  const { token, conversationId } = directLine;
  conversation.keep({ token, conversationId, userId }, { leaving: talked });
};

/** A removal is not a message: Web Chat removes the message itself, and complains that it cannot show the removal. */
const withoutRemovals = () => (next) => (card) => (card.activity.type === 'messageDelete' ? false : next(card));

/** The first message of each minute (ms). */
const isFirstOfMinute = ({ id, timestamp }) => {
  const messages = current.store.getState().activities.filter(({ type }) => type === 'message');
  const before = messages[messages.findIndex((message) => message.id === id) - 1];
  return !(Date.parse(timestamp) - Date.parse(before?.timestamp) < 60_000);
};

/** One time for a minute is enough. An outcome always has its own, since the thumbs stand beside it. */
const withTimes =
  () =>
  (next) =>
  ({ activity, ...rest }) => {
    const hasThumbs = activity.entities?.some(({ potentialAction }) => potentialAction);
    return next({ activity, ...rest, hideTimestamp: !hasThumbs && !isFirstOfMinute(activity) });
  };

/** Web Chat takes the empty text for a missing one. */
const nothing = ' ';

/** Web Chat's own words that do not fit: hints that are not true of every card, and names that nobody here has. */
const wordsOfWebChat = () => {
  const text = texts[language];
  return {
    ACTIVITY_BOT_SAID_ALT: `${name}:`,
    ACTIVITY_YOU_SAID_ALT: `${text.you}:`,
    ACTIVITY_INTERACTIVE_FOOTNOTE_ALT: nothing,
    ACTIVITY_INTERACTIVE_REASON_INTERACTIVE_CONTENT_ALT: nothing,
    ACTIVITY_INTERACTIVE_REASON_LINK_ALT: nothing,
    ACTIVITY_NUM_ATTACHMENTS_ONE_ALT: nothing,
    // It is sent automatically once that is possible.
    ACTIVITY_STATUS_SEND_FAILED_RETRY: text.notSent,
    VOTE_LIKE_ALT: text.like,
    VOTE_DISLIKE_ALT: text.dislike,
  };
};

const render = () => {
  if (!current) return;
  const { directLine, store, key } = current;
  host.style.setProperty('--rating', JSON.stringify(texts[language].rating));
  window.WebChat.renderWebChat(
    {
      key,
      directLine,
      store,
      nonce,
      locale: locale(),
      dir: direction(),
      styleOptions: styleOptions(),
      adaptiveCardsHostConfig: hostConfig(),
      activityMiddleware: withoutRemovals,
      activityStatusMiddleware: withTimes,
      overrideLocalizedStrings: wordsOfWebChat(),
    },
    host,
  );
};

/** Web Chat reports from time to time that the customer is typing. */
const showsWriting = { type: 'WEB_CHAT/SET_SEND_TYPING_INDICATOR', payload: { sendTypingIndicator: true } };

/** Gaps shorter than this (ms) are not shown. */
const noticeable = 2000;

/** A time without a connection, which the client does not report. */
const gap = { timer: undefined, shown: false };

const down = () => {
  gap.timer ??= setTimeout(() => {
    gap.shown = true;
    showLine();
  }, noticeable);
};

const up = () => {
  if (gap.timer === undefined) return;
  clearTimeout(gap.timer);
  gap.timer = undefined;
  if (gap.shown) announcer.say(texts[language].online);
  gap.shown = false;
  showLine();
  current?.sendAgain();
};

/** Opens a conversation: this tab's, the one left in another tab, or a new one. An unsent draft stays. */
const connect = async ({ anew = false } = {}) => {
  generation += 1;
  const mine = generation;
  const held = current?.directLine.token ?? conversation.ofTab();
  const left = held === undefined && !anew ? conversation.left() : undefined;
  if (anew) conversation.forget();
  const issued = await askForToken(anew ? { ended: held } : { token: held ?? left, sameTab: held !== undefined });
  if (mine !== generation) return;
  const notRestored = !anew && (held ?? left) !== undefined && issued.conversationId === undefined;
  if (notRestored) conversation.forget();
  await webChat;
  if (mine !== generation) return;
  const draft = anew ? '' : (current?.store.getState().sendBoxValue ?? '');
  current?.directLine.end();

  const directLine = window.WebChat.createDirectLine({
    domain: `${elsewhere ?? location.origin}/v3/directline`,
    token: issued.token,
    ...(issued.conversationId && { conversationId: issued.conversationId }),
    conversationStartProperties: { locale: locale() },
  });
  keepConnected(directLine, { up: () => mine === generation && up(), down: () => mine === generation && down() });

  const lost = () => {
    if (mine === generation) connect();
  };
  if (anew) unsent.clear();
  // The chat will report the verification state again.
  chip.until = 0;
  showVerified();
  const onConnected = () => directLine.activity$.subscribe({ error: lost, complete: lost });
  const heard = (activity) => {
    announcer.heard(activity);
    if (activity.type === 'message' && activity.from?.role === 'bot') {
      answering = activity;
      cards.answered();
      if (announcer.isNew(activity)) showTop();
    }
    news.heard(activity);
    frame.heard(activity);
    if (activity.type === 'event' && activity.name === 'verification' && activity.from?.role === 'bot' && mine === generation) {
      chip.until = Date.parse(activity.value.until) || 0;
      chip.phone = activity.value.phone;
      showVerified();
    }
    // An agent in the chat sees that the customer is typing; a bot has no use for it.
    if (activity.channelData?.agent && mine === generation) store.dispatch(showsWriting);
    if (mine !== generation || current?.talked || activity.from?.role !== 'user') return;
    current.talked = true;
    current.notRestored = false;
    showLine();
    keep();
  };
  const onFull = () => {
    if (mine !== generation || !current) return;
    current.full = true;
    showLine();
  };
  const { store, sendAgain } = makeStore(directLine, { onConnected, onFull, onSend: cards.sending, heard, unsent });
  const expired = 3;
  const failed = 4;
  directLine.connectionStatus$.subscribe((status) => {
    if (mine !== generation) return;
    keep();
    if (status === expired || status === failed) lost();
  });

  current = { directLine, store, sendAgain, userId: issued.userId, key: `conversation-${mine}`, talked: false, full: false, notRestored };
  if (draft) store.dispatch({ type: 'WEB_CHAT/SET_SEND_BOX', payload: { text: draft } });
  show(undefined);
  showLine();
  render();
  keep();
  // Magnified, the page itself scrolls: to where one can write.
  scrollTo(0, document.body.scrollHeight);
  frame.ready();
};

// ---- the header ----

element('language').addEventListener('change', (event) => {
  language = event.target.value;
  chosenLanguage.write(language);
  say();
  showVerified();
  render();
});

const confirm = element('confirm');
for (const button of document.querySelectorAll('.anew'))
  button.addEventListener('click', () => {
    confirm.returnValue = 'cancel';
    confirm.showModal();
  });
confirm.addEventListener('close', async () => {
  if (confirm.returnValue !== 'confirm') return;
  await connect({ anew: true });
  sendBox(host)?.focus();
});

const menu = element('menu');
menu.addEventListener('click', ({ target }) => target.closest('button') && menu.hidePopover());
const record = offerRecord({
  dialog: element('saving'),
  place: element('record'),
  activities: () => current?.store.getState().activities ?? [],
  token: () => current?.directLine.token,
  say: () => ({ name, words: texts[language], locale: locale(), language, direction: direction() }),
});
element('save').addEventListener('click', record.open);

element('close')?.addEventListener('click', frame.close);

dark.addEventListener('change', render);
addEventListener('pagehide', keep);
addEventListener('offline', down);
addEventListener('online', showLine);

offerNotifications(element('notify'));
keepFocus(host);
typeToSendBox(host);
say();
show('connecting');
connect();
