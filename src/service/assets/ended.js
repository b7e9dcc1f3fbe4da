// A page that says how it ended is the answer to a post. From here on it is a page like any other: loading it again, or
// coming back to it, asks the service how the request ended, where the browser would ask whether to post once more.
history.replaceState(null, '', location.pathname);
try {
  sessionStorage.removeItem(`countersign.draft ${location.pathname}`);
} catch {
  // A browser that keeps nothing.
}

// The service knows the instant, and only this device its own day and time.
const until = document.querySelector('time[data-until]');
if (until) {
  const at = new Date(until.dateTime);
  const { lang } = document.documentElement;
  const midnight = (date) => new Date(date).setHours(0, 0, 0, 0);
  const days = Math.round((midnight(at) - midnight(Date.now())) / 86_400_000);
  const day = new Intl.RelativeTimeFormat(lang, { numeric: 'auto' }).format(days, 'day');
  until.textContent = `${day} ${at.toLocaleTimeString(lang, { timeStyle: 'short' })}`;
}
