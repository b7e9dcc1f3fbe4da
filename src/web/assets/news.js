// An outcome that arrives while the customer looks elsewhere: counted in the tab's title and on the app's icon, and
// told as a notification where that was permitted. What it is about stays in the chat: screens are seen by others.

const timeOf = ({ timestamp }) => Date.parse(timestamp) || 0;

/**
 * `name` is whose chat it is; `words` answers what a notification says, in the language of the page; `counted` is told
 * how much is new.
 */
export const makeNews = (name, { words, counted }) => {
  let newest = 0;
  /** What is newer has not been seen. A tab that was never looked at cannot tell. */
  let seen = document.hidden ? Number.POSITIVE_INFINITY : undefined;
  let count = 0;
  /** Whether the page around the chat shows it. */
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

  const look = () => {
    const away = document.hidden || !shown;
    seen = away ? (seen ?? newest) : undefined;
    if (away) return;
    count = 0;
    show();
  };
  document.addEventListener('visibilitychange', look);

  return {
    look: (isShown) => {
      shown = isShown;
      look();
    },
    /** To be called with every message of the chat, old ones too. */
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
 * Shows a button that asks for permission to notify, as long as the browser would ask. Browsers want to be asked by a
 * press.
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
