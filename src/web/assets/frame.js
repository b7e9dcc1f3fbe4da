// The chat page inside somebody else's page (embed.js): what it tells that page, and what it hears from it.

/** Outcomes that this tab has told; a page that is opened anew shows the whole history again. */
const toldKey = 'countersign.told';
const readTold = () => {
  try {
    return new Set(JSON.parse(sessionStorage.getItem(toldKey) ?? '[]'));
  } catch {
    return new Set();
  }
};

/**
 * `origin` is the page's, as the server has checked it: nothing is told to any other. Without one, nothing is told.
 * `onShown` hears whether the customer can see the chat.
 */
export const makeFrame = (origin, { onShown }) => {
  if (!origin) return { ready: () => {}, close: () => {}, unread: () => {}, heard: () => {} };
  const told = readTold();
  const tell = (message) => parent.postMessage({ countersign: message }, origin);
  addEventListener('message', (event) => {
    if (event.origin !== origin || event.source !== parent) return;
    const shown = event.data?.countersign?.shown;
    if (typeof shown === 'boolean') onShown(shown);
  });
  return {
    ready: () => tell({ ready: true }),
    close: () => tell({ close: true }),
    unread: (count) => tell({ unread: count }),
    /** To be called with every message of the chat, old ones too. */
    heard: ({ channelData }) => {
      const { app, requestId, status } = channelData?.interaction ?? {};
      const key = `${requestId} ${status}`;
      if (requestId === undefined || told.has(key)) return;
      told.add(key);
      try {
        sessionStorage.setItem(toldKey, JSON.stringify([...told].slice(-100)));
      } catch {
        // A browser that keeps nothing may tell it again after a reload.
      }
      tell({ outcome: { app, requestId, status } });
    },
  };
};
