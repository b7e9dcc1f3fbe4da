// Keeps the beginning in view of what is taller than the view: Web Chat scrolls to the end of every message.

/** Messages that came within this time (ms) belong together. */
const together = 3000;

const messageSelector = '.webchat__basic-transcript__activity';

/** Within `host`, the chat. Call the result when a message of the bot has come, but not for a restored history. */
export const keepTop = (host) => {
  let expected = 0;
  let newest;
  /** The messages that came last, with their times. */
  const came = new Map();
  const view = () => host.querySelector('.webchat__basic-transcript__scrollable');
  const hold = (held) => host.toggleAttribute('data-top', held);

  new MutationObserver(() => {
    const last = [...host.querySelectorAll(messageSelector)].at(-1);
    if (!last || last === newest) return;
    newest = last;
    if (last.querySelector('.webchat__bubble--from-user')) return;
    const now = performance.now();
    if (now - expected > together) return;
    for (const [message, at] of came) if (now - at > together || !message.isConnected) came.delete(message);
    came.set(last, now);
    if (host.hasAttribute('data-top')) view().scrollTop = view().scrollHeight;
  }).observe(host, { childList: true, subtree: true });

  const onScroll = () => {
    const scrolled = view();
    if (!scrolled || scrolled.scrollHeight - scrolled.scrollTop - scrolled.clientHeight > 2) return;
    const [first] = came.keys();
    const above = first?.isConnected ? scrolled.getBoundingClientRect().top - first.getBoundingClientRect().top : 0;
    hold(above > 0);
    if (above > 0) scrolled.scrollTop -= above;
  };
  // Scroll events do not bubble.
  host.addEventListener('scroll', onScroll, true);
  // Whoever scrolls sees what they want to see.
  const release = () => {
    came.clear();
    hold(false);
  };
  for (const kind of ['wheel', 'touchmove', 'keydown', 'pointerdown']) host.addEventListener(kind, release, { passive: true });
  return () => {
    expected = performance.now();
  };
};
