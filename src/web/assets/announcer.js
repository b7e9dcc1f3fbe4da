// What a screen reader says: every new message once, an outcome first and by itself, and nothing of the history. Web
// Chat's own live region is hidden (chat.css): it reads a restored history again, and puts a hint before each message.

/** How long (ms) an outcome is left alone before anything else is said. */
const alone = 3000;
/** A reader that comes back to the page needs as long (ms) to notice what changes there. */
const settling = 500;
/** Messages that arrive within this time (ms) are said as one: readers may change the order of several. */
const together = 150;

const linesOf = ({ speak, text, attachments = [], channelData }) => {
  const words = speak || text || attachments.map(({ name }) => name ?? '').join(', ');
  const lines = words.split('\n').filter((line) => line.trim() !== '');
  const agent = channelData?.agent?.name;
  return agent && lines.length > 0 ? [`${agent}: ${lines[0]}`, ...lines.slice(1)] : lines;
};

/** Lines as one text, with a pause after each. */
const asText = (lines) => lines.reduce((said, line) => `${said}${/[.!?:;…。！？؟]$/.test(said) ? ' ' : '. '}${line}`);

/** Whether the field with the focus has just said it, as its error. */
const isRead = (line) => {
  const error = document.activeElement?.getAttribute('aria-errormessage');
  return error && document.getElementById(error)?.textContent.includes(line);
};

const canBeAnswered = ({ attachments = [] }) => JSON.stringify(attachments).includes('"Action.');

/**
 * `log` is a polite live region, `alert` an assertive one. `isSeen` says whether the customer can see the chat: what
 * arrives meanwhile is said when `look` is called and they can.
 */
export const makeAnnouncer = ({ log, alert, isSeen }) => {
  /** The lines of each message, by its id. */
  const known = new Map();
  let since = Number.POSITIVE_INFINITY;
  let next = [];
  let outcomes = [];
  let timer;
  let aloneUntil = 0;

  const put = (region, text) => {
    const said = document.createElement('p');
    said.textContent = text;
    region.append(said);
    setTimeout(() => said.remove(), 10_000);
  };
  const flush = () => {
    if (!isSeen()) return;
    if (outcomes.length > 0) {
      put(alert, asText(outcomes));
      outcomes = [];
      aloneUntil = performance.now() + alone;
      // Of what follows, such as a menu, the beginning is enough.
      next = next.slice(-1).map(([first]) => [first]);
    } else {
      const lines = next.flat().filter((line) => !isRead(line));
      if (lines.length > 0) put(log, asText(lines));
      next = [];
    }
    if (next.length > 0) plan();
  };
  const plan = () => {
    clearTimeout(timer);
    timer = setTimeout(flush, Math.max(outcomes.length > 0 ? 0 : together, aloneUntil - performance.now()));
  };

  return {
    /** The history ends here: what is older is not said. */
    begin: (at) => {
      since = Math.min(since, at);
    },
    isNew: ({ timestamp }) => !(Date.parse(timestamp) < since),
    /** Call it with every message of the chat, including old ones. */
    heard: (activity) => {
      const { id, type, from, timestamp, channelData } = activity;
      if (type !== 'message' || from?.role !== 'bot') return;
      const lines = linesOf(activity);
      const before = known.get(id);
      known.set(id, lines);
      if (!before && Date.parse(timestamp) < since) return;
      // A card that changes was read before; one that is over is followed by its outcome.
      const added = before ? lines.filter((line) => canBeAnswered(activity) && !before.includes(line)) : lines;
      if (added.length === 0) return;
      if (channelData?.interaction && !before) outcomes.push(...added);
      else if (performance.now() < aloneUntil) next = before ? next : [[added[0]]];
      else next.push(added);
      if (outcomes.length > 0) aloneUntil = 0;
      plan();
    },
    say: (text) => {
      next.push([text]);
      plan();
    },
    look: () => {
      aloneUntil = performance.now() + settling;
      plan();
    },
  };
};
