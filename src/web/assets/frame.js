// The chat page inside another site's page (embed.js): the messages that it sends to that page and receives from it.

/** Outcomes that were sent already, by any tab: a reloaded page and another tab show the whole history again. */
const toldKey = 'countersign.told';
const readTold = () => JSON.parse(localStorage.getItem(toldKey) ?? '[]');
/** For this page alone, if the browser stores nothing. */
const toldHere = new Set();

/** Whether this one is to be sent, which is so once. */
const isFirst = (key) => {
  if (toldHere.has(key)) return false;
  toldHere.add(key);
  try {
    const told = readTold();
    if (told.includes(key)) return false;
    localStorage.setItem(toldKey, JSON.stringify([...told, key].slice(-100)));
  } catch {
    // It may be sent again after a reload.
  }
  return true;
};

/**
 * `origin` is the page's, as checked by the server: nothing is sent to any other, and without one nothing is sent.
 * `onShown` is called with whether the customer can see the chat, and whether it takes the focus.
 */
export const makeFrame = (origin, { onShown, hasDraft }) => {
  if (!origin) return { ready: () => {}, close: () => {}, unread: () => {}, heard: () => {} };
  let unread = 0;
  const tell = (message) => parent.postMessage({ countersign: message }, origin);
  addEventListener('message', (event) => {
    if (event.origin !== origin || event.source !== parent) return;
    const { shown, focus } = event.data?.countersign ?? {};
    if (typeof shown === 'boolean') onShown(shown, focus === true);
  });
  // Escape first leaves what is open here: a card (Web Chat), a dialog, the menu, a draft.
  addEventListener('keydown', ({ key, target, defaultPrevented }) => {
    if (key !== 'Escape' || defaultPrevented || hasDraft()) return;
    if (target.closest('.webchat__basic-transcript__activity') || document.querySelector('dialog[open], :popover-open')) return;
    tell({ close: true });
  });
  return {
    ready: () => tell({ ready: true }),
    close: () => tell({ close: true }),
    unread: (count) => {
      if (count !== unread) tell({ unread: count });
      unread = count;
    },
    /** Call it with every message of the chat, including old ones. */
    heard: ({ channelData }) => {
      const { app, requestId, status } = channelData?.interaction ?? {};
      if (requestId !== undefined && isFirst(`${requestId} ${status}`)) tell({ outcome: { app, requestId, status } });
    },
  };
};
