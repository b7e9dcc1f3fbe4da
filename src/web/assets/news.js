// An outcome that arrives while the customer is not looking: counted in the tab's title and on the app's icon, and
// shown as a notification if permitted. Its subject stays in the chat, because others may see the screen.

const timeOf = ({ timestamp }) => Date.parse(timestamp) || 0;

/**
 * `name` is the operator's; `words` returns a notification's texts in the page's language; `counted` is called with the
 * number of new outcomes, and `onSeen` when the customer looks at the chat again.
 */
export const makeNews = (name, { words, counted, onSeen }) => {
  let newest = 0;
  /** Outcomes later than this have not been seen. A tab that was never looked at cannot know. */
  let seen = document.hidden ? Number.POSITIVE_INFINITY : undefined;
  let count = 0;
  /** Whether the surrounding page shows the chat. */
  let shown = true;

  const show = () => {
    document.title = count > 0 ? `(${count}) ${name}` : name;
    if (count > 0) navigator.setAppBadge?.(count).catch(() => {});
    else navigator.clearAppBadge?.().catch(() => {});
    counted(count);
  };
  const notify = () => {
    if (globalThis.Notification?.permission !== 'granted') return;
    const notification = new Notification(name, { body: words(), tag: 'countersign' });
    notification.addEventListener('click', () => {
      window.focus();
      notification.close();
    });
  };

  const isSeen = () => !document.hidden && shown;
  const look = () => {
    const away = !isSeen();
    seen = away ? (seen ?? newest) : undefined;
    if (away) return;
    count = 0;
    show();
    onSeen();
  };
  document.addEventListener('visibilitychange', look);

  return {
    isSeen,
    look: (isShown) => {
      shown = isShown;
      look();
    },
    /** Call it with every message of the chat, including old ones. */
    heard: (activity) => {
      const isNews = seen !== undefined && timeOf(activity) > seen && activity.channelData?.interaction;
      newest = Math.max(newest, timeOf(activity));
      if (!isNews) return;
      count += 1;
      show();
      notify();
    },
  };
};

/**
 * Shows a button that asks for permission to notify, while the browser would still ask. Browsers require a press for
 * that.
 */
export const offerNotifications = (button) => {
  const update = () => {
    button.hidden = globalThis.Notification?.permission !== 'default';
  };
  button.addEventListener('click', async () => {
    await Notification.requestPermission();
    update();
  });
  update();
};
