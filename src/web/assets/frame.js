// The chat page inside another site's page (embed.js): the messages that it sends to that page and receives from it.

/** Outcomes that this tab has already sent; a reloaded page shows the whole history again. */
const toldKey = 'countersign.told';
const readTold = () => {
  try {
    return new Set(JSON.parse(sessionStorage.getItem(toldKey) ?? '[]'));
  } catch {
    return new Set();
  }
};

/**
 * `origin` is the page's, as checked by the server: nothing is sent to any other, and without one nothing is sent.
 * `onShown` is called with whether the customer can see the chat.
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
    /** Call it with every message of the chat, including old ones. */
    heard: ({ channelData }) => {
      const { app, requestId, status } = channelData?.interaction ?? {};
      const key = `${requestId} ${status}`;
      if (requestId === undefined || told.has(key)) return;
      told.add(key);
      try {
        sessionStorage.setItem(toldKey, JSON.stringify([...told].slice(-100)));
      } catch {
        // If the browser stores nothing, it may be sent again after a reload.
      }
      tell({ outcome: { app, requestId, status } });
    },
  };
};
