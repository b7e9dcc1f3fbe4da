// The conversation for the customer to print or save: who said what and when, without codes, card numbers, form
// contents and addresses of documents.

/** @typedef {{ at: string, from: 'customer' | 'bot' | 'agent', name?: string, text: string, ended?: string }} Line */

/** Replaces an answer that is left out; the server uses the same. */
const hidden = '••••••';

/** A customer's message counts once it has arrived. */
const isSaid = ({ type, channelData }) => type === 'message' && (channelData?.state ?? 'sent') === 'sent';

/** The addresses that a card's buttons open. */
const addressesOf = (attachments) =>
  attachments.flatMap(({ content }) =>
    (content?.actions ?? []).flatMap(({ type, url }) => (type === 'Action.OpenUrl' && url ? [url] : [])),
  );

/**
 * The text of an outcome's card, without the addresses of its documents: they open for whoever has them, and a record
 * is passed on.
 */
const outcomeOf = (text, attachments) => {
  const addresses = addressesOf(attachments);
  const lines = text.split('\n').filter((line) => !addresses.some((address) => line.includes(address)));
  return lines.join('\n');
};

/** An outcome has all the text of its card; other cards, which can be answered, have one line. */
const wordsOf = ({ text, summary, channelData, attachments = [] }) =>
  (channelData?.interaction && channelData['webchat:fallback-text'] && outcomeOf(channelData['webchat:fallback-text'], attachments)) ||
  summary ||
  text ||
  attachments.map(({ name }) => name ?? '').join(', ');

/**
 * The lines of a conversation, oldest first.
 * @returns {Line[]}
 */
export const linesOf = (activities) => {
  const answered = new Set(activities.filter(({ channelData }) => channelData?.answersSecret).map(({ replyToId }) => replyToId));
  return activities.filter(isSaid).flatMap((activity) => {
    const { id, from, timestamp, localTimestamp, channelData } = activity;
    const own = from?.role === 'user';
    const text = own && answered.has(id) ? hidden : wordsOf(activity)?.trim();
    if (!text) return [];
    const agent = channelData?.agent;
    return [
      {
        at: timestamp ?? localTimestamp,
        from: own ? 'customer' : agent ? 'agent' : 'bot',
        ...(agent?.name && { name: agent.name }),
        text,
        ...(channelData?.interaction && { ended: channelData.interaction.status }),
      },
    ];
  });
};

/** Less than the server reads at once (64 KB), counting three bytes for each character. */
const most = 60_000;

/** Has the server hide secrets in the lines. Rejects if it cannot be reached. */
const withoutSecrets = async (lines, token) => {
  const shown = [];
  for (let from = 0; from < lines.length; ) {
    const said = [];
    for (let size = 0; from < lines.length && said.length < 500; from += 1) {
      const text = lines[from].text.slice(0, 5000);
      size += JSON.stringify(text).length * 3;
      if (said.length > 0 && size > most) break;
      said.push(text);
    }
    const response = await fetch('/chat/record', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ said }),
      signal: AbortSignal.timeout(10_000),
    });
    if (!response.ok) throw new Error(`record: ${response.status}`);
    shown.push(...(await response.json()).said);
  }
  return lines.map((line, index) => ({ ...line, text: shown[index] }));
};

const made = (name, text, className) => {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;
  if (className) element.className = className;
  return element;
};

/** Writes the lines into `place`. `words` are the page's texts, `name` is the operator's. */
const write = (place, lines, { name, words, locale }) => {
  const full = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'long' });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'full' });
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
  const list = made('div', undefined, 'lines');
  let last;
  for (const line of lines) {
    const at = new Date(line.at);
    const said = day.format(at);
    if (said !== last) list.append(made('h2', said));
    last = said;
    const who = line.from === 'customer' ? words.you : (line.name ?? name);
    const by = made('p', `${who} `, 'by');
    const when = made('time', time.format(at));
    when.dateTime = at.toISOString();
    by.append(when);
    const item = made('section', undefined, line.ended ? `${line.from} ended` : line.from);
    item.append(by, ...line.text.split('\n').map((part) => made('p', part)));
    list.append(item);
  }
  const saved = made('p', words.saved.replace('{time}', full.format(new Date())), 'about');
  place.replaceChildren(made('h1', name), saved, made('p', words.savedWithout, 'about'), list);
};

/** The style sheet of the print, which the file includes. */
const styleOf = async () => (await fetch(document.querySelector('link[data-record]').href)).text();

const attribute = (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/**
 * The file: a page that loads nothing and runs nothing. It is built as text, because a style element would be subject
 * to this page's own policy.
 */
const fileOf = async (place, { name, language, direction }) => {
  const head = `<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${attribute(name)}</title>
<style>${await styleOf()}</style>`;
  const page = `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
${head}
</head>
<body><article class="record">${place.innerHTML}</article></body>
</html>
`;
  return new Blob([page], { type: 'text/html;charset=utf-8' });
};

/** Sets up the dialog for printing or saving. `say` returns the current texts, `activities` the messages so far, `token` the chat's token. */
export const offerRecord = ({ dialog, place, activities, token, say }) => {
  const failed = dialog.querySelector('[role="alert"]');
  const begin = async (keep) => {
    failed.hidden = true;
    try {
      write(place, await withoutSecrets(linesOf(activities()), token()), say());
      await keep();
      dialog.close();
    } catch {
      // Offline, or the server is starting.
      failed.hidden = false;
    }
  };
  dialog.querySelector('[value="print"]').addEventListener('click', (event) => {
    event.preventDefault();
    begin(async () => window.print());
  });
  dialog.querySelector('[value="download"]').addEventListener('click', (event) => {
    event.preventDefault();
    begin(async () => {
      const link = made('a');
      link.href = URL.createObjectURL(await fileOf(place, say()));
      link.download = `chat-${new Date().toISOString().slice(0, 10)}.html`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    });
  });
  return {
    open: () => {
      failed.hidden = true;
      dialog.showModal();
    },
  };
};
