// Small components: icons, badges, running times, dialogs.

import { now } from 'desk-state';
import { clockOf, countdown, lengthOf, named, t, timeOf } from 'desk-words';
import htm from 'htm';
import { h } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

export const html = htm.bind(h);

const shapes = {
  verified: 'M12 2 20 5v6c0 5-3.4 8.6-8 10.5C7.4 19.6 4 16 4 11V5Z m-4 9.6 3 3 5.5-6',
  expired: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18 M12 7v5l3.2 2',
  none: 'M12 2 20 5v6c0 5-3.4 8.6-8 10.5C7.4 19.6 4 16 4 11V5Z M9.6 9.2a2.5 2.5 0 1 1 3.3 2.7c-.6.2-.9.6-.9 1.3 M12 16.4v.1',
  failed: 'M12 3 22 20H2Z M12 9v5 M12 16.8v.1',
  check: 'm4 12.5 5 5L20 6.5',
  dot: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8',
  cross: 'M6 6l12 12M18 6 6 18',
  send: 'M3 11.5 21 4l-6 17-4-7Z M11 14l4-4',
  bell: 'M5 17c1.4-1.2 1.8-2.8 1.8-6a5.2 5.2 0 0 1 10.4 0c0 3.2.4 4.8 1.8 6Z M10 20h4',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8 M4.5 20.5c.6-4 3.6-6 7.5-6s6.900 2 7.500 6',
  bot: 'M5 9h14v10H5Z M12 9V5 M9 13v1.500 M15 13v1.500 M12 4.800v.1',
  file: 'M6 3h8l4 4v14H6Z M14 3v4h4',
  back: 'M10 5 3 12l7 7 M3 12h18',
  swap: 'M4 8h14l-4-4 M20 16H6l4 4',
  flag: 'M5 21V4h13l-3 4.500 3 4.500H5',
  play: 'M7 4v16l13-8Z',
  text: 'M4 6h16M4 12h16M4 18h10',
  fold: 'm6 9 6 6 6-6',
};

export const Icon = ({ name }) =>
  html`<svg class=${`icon ${name}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d=${shapes[name]}></path></svg>`;

/** The current time, updated every `every` milliseconds, and at the instant `end` if that is to come. */
export const useNow = (every, end) => {
  const [at, set] = useState(now());
  useEffect(() => {
    const timer = setInterval(() => set(now()), every);
    return () => clearInterval(timer);
  }, [every]);
  useEffect(() => {
    const left = end - now();
    if (!(left > 0)) return;
    const timer = setTimeout(() => set(now()), left + 1);
    return () => clearTimeout(timer);
  }, [end]);
  return Math.max(at, now());
};

/** A badge at an instant: a verification may have ended since it was reported. */
export const badgeAt = (badge, at) => (badge.state === 'verified' && at >= badge.until ? { ...badge, state: 'expired' } : badge);

const badgeText = (badge, at, ticking) => {
  if (badge.state === 'failed') return badge.tries === 1 ? t('badge.failedOnce') : t('badge.failed', { count: badge.tries });
  if (badge.state === 'verified' && ticking) return t('badge.verifiedLeft', { time: countdown(badge.until - at) });
  return t(`badge.${badge.state}`);
};

/** A conversation's badge: always an icon and words. `ticking`: updated every second. */
export const Badge = ({ badge, ticking = false }) => {
  const at = useNow(ticking ? 1_000 : 10_000, badge.until);
  const current = badgeAt(badge, at);
  return html`<span class=${`badge ${current.state}`}><${Icon} name=${current.state} />${badgeText(current, at, ticking)}</span>`;
};

export const badgeDetail = (badge) => {
  if (badge.state === 'verified') return t('badge.by', { method: named('app', badge.method), time: timeOf(badge.at) });
  if (badge.state === 'expired') return t('badge.was', { method: named('app', badge.method), time: timeOf(badge.until) });
  return t(badge.state === 'failed' ? 'badge.failedText' : 'badge.noneText');
};

/**
 * How long something has lasted, in one unit; without words if there is no text. `late`: the time (ms) it should take
 * at most.
 */
export const Since = ({ at, text, late = Number.POSITIVE_INFINITY }) => {
  const ms = useNow(5_000) - at;
  const time = lengthOf(ms, 1);
  return html`<span class=${ms > late ? 'since late' : 'since'}>${text ? t(text, { time }) : time}</span>`;
};

/** `bare`: the day is already shown above. */
export const Time = ({ at, bare = false }) =>
  html`<time datetime=${new Date(at).toISOString()} title=${timeOf(at)}>${(bare ? clockOf : timeOf)(at)}</time>`;

/** A modal dialog. */
export const Modal = ({ title, close, children }) => {
  const dialog = useRef(undefined);
  // At once: the next keystroke is meant for the dialog.
  useLayoutEffect(() => {
    const { current } = dialog;
    const opener = document.activeElement;
    current.showModal();
    // The first field or choice, rather than the button that closes the dialog.
    const first = ['input:checked', 'input, .acts .primary'].map((one) => current.querySelector(one)).find(Boolean);
    first?.focus();
    return () => {
      // The browser gives the focus back only to what had it when the dialog is closed, not removed (WCAG 2.4.3).
      current.close();
      const back = opener?.isConnected && opener !== document.body ? opener : document.querySelector('#write, #talk');
      if (document.activeElement === document.body) back?.focus();
    };
  }, []);
  return html`<dialog ref=${dialog} aria-labelledby="dialog-title" onClose=${({ currentTarget }) => currentTarget.isConnected && close()}>
    <div class="dialog-head"><h2 id="dialog-title">${title}</h2><button type="button" class="quiet round" aria-label=${t('close')} onClick=${close}><${Icon} name="cross" /></button></div>
    ${children}
  </dialog>`;
};
