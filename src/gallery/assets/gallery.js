// The gallery: draws the cards as their host does, and shows the JSON of the chosen one.
import { hostConfig, styleOptions } from 'looks';
import { teamsHost } from 'teams-look';

const { renderer, theme, locale, payloads: written, width } = document.body.dataset;
const payloads = JSON.parse(written);
const nonce = document.querySelector('script[nonce]').nonce;
const element = (id) => document.getElementById(id);
const sections = () => [...document.querySelectorAll('section[data-kind]')].map((one) => /** @type {HTMLElement} */ (one));

/** The theme is chosen here, whatever the system prefers. */
const chooseTheme = () => {
  for (const sheet of document.styleSheets)
    for (const rule of sheet.cssRules)
      if (rule instanceof CSSMediaRule && rule.conditionText.includes('prefers-color-scheme'))
        rule.media.mediaText = theme === 'dark' ? 'all' : 'not all';
  document.documentElement.style.colorScheme = theme;
  document.documentElement.style.setProperty('--card-width', `${width}px`);
};

/** Emits each value to a subscriber; Web Chat needs no more of its observables. */
const once = (values) => ({
  subscribe: (observer) => {
    const next = typeof observer === 'function' ? observer : observer.next.bind(observer);
    setTimeout(() => {
      for (const value of values) next(value);
    }, 0);
    return { unsubscribe() {} };
  },
});

/** A finished chat, with one message for each card. */
const drawInWebChat = () => {
  const activities = payloads.map((content, index) => ({
    type: 'message',
    id: `card-${index}`,
    // Minutes apart, so that messages are not grouped.
    timestamp: new Date(Date.UTC(2026, 10, 20, 12, index * 10)).toISOString(),
    from: { id: 'bot', role: 'bot' },
    conversation: { id: 'gallery' },
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }],
  }));
  window.WebChat.renderWebChat(
    {
      directLine: {
        activity$: once(activities),
        connectionStatus$: once([0, 1, 2]),
        postActivity: () => once(['sent']),
        end() {},
      },
      nonce,
      locale,
      dir: element('stage').dir,
      styleOptions: { ...styleOptions(), groupTimestamp: false, hideSendBox: true, hideScrollToEndButton: true },
      adaptiveCardsHostConfig: hostConfig(),
    },
    element('webchat'),
  );
  const drawn = () => {
    const cards = document.querySelectorAll('#webchat .webchat__basic-transcript__activity');
    if (cards.length < payloads.length || document.querySelectorAll('#webchat .ac-adaptiveCard').length < payloads.length) return;
    waiting.disconnect();
    // Puts the names on the cards.
    for (const [index, { id, dataset }] of sections().entries()) {
      cards[index].setAttribute('data-name', dataset.name);
      cards[index].setAttribute('data-kind', dataset.kind);
      cards[index].id = id;
    }
    element('stage').remove();
    // As high as its content.
    for (let node = document.querySelector('#webchat [role="feed"]'); node && node.id !== 'webchat'; node = node.parentElement)
      Object.assign(/** @type {HTMLElement} */ (node).style, { height: 'auto', overflow: 'visible', position: 'static' });
    ready();
  };
  const waiting = new MutationObserver(drawn);
  waiting.observe(element('webchat'), { childList: true, subtree: true });
};

/** The only markdown on our cards keeps the words of headings from being read as markdown. */
const plainText = (text, result) => {
  const holder = document.createElement('p');
  holder.textContent = text.replace(/\\([!-/:-@[-`{-~])/g, '$1');
  result.outputHtml = holder.outerHTML;
  result.didProcess = true;
};

const drawAsTeams = () => {
  const { AdaptiveCard, HostConfig, SerializationContext, Version } = window.AdaptiveCards;
  AdaptiveCard.onProcessMarkdown = plainText;
  for (const [index, section] of sections().entries()) {
    const card = new AdaptiveCard();
    card.hostConfig = new HostConfig(teamsHost(/** @type {'light' | 'dark'} */ (theme)));
    card.onExecuteAction = () => {};
    card.parse(payloads[index], new SerializationContext(new Version(1, 5)));
    section.append(card.render());
  }
  ready();
};

const ready = () => {
  document.body.dataset.drawn = 'true';
  choose();
};

/** Shows the JSON of the card in the page's address, or else of the first. */
const choose = () => {
  const index = Math.max(0, Number(location.hash.replace('#card-', '')) || 0);
  const links = [...document.querySelectorAll('nav a')];
  for (const link of links) link.removeAttribute('aria-current');
  links[index]?.setAttribute('aria-current', 'true');
  element('chosen').textContent = links[index]?.textContent ?? '';
  element('payload').textContent = JSON.stringify(payloads[index], undefined, 2);
  if (location.hash !== '') element(`card-${index}`)?.scrollIntoView({ block: 'start' });
};

const copy = async () => {
  await navigator.clipboard.writeText(element('payload').textContent);
  element('copied').textContent = 'Copied.';
};

chooseTheme();
if (renderer === 'web-chat') drawInWebChat();
else if (renderer === 'teams') drawAsTeams();
else ready();
addEventListener('hashchange', choose);
element('copy').addEventListener('click', copy);
element('open').addEventListener('click', () => void copy());
document.querySelector('form').addEventListener('change', ({ currentTarget }) => /** @type {HTMLFormElement} */ (currentTarget).submit());
