// Texts, times and numbers for a user of the console: in their language, and in their browser's time zone.

import { html } from '../../platform/text/html.ts';
import { iso } from '../../platform/time/clock.ts';
import type { TextKey, Texts } from '../core/texts.ts';
import { makeCalendar } from './calendar.ts';

export type Words = ReturnType<typeof consoleWords>;

/** Formats are expensive to make, so routes cache the returned value. */
export const consoleWords = (texts: Texts, timeZone: string) => {
  const { language } = texts;
  const full = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium', timeZone });
  const days = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone });
  const hours = new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit', timeZone });
  const percents = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 });
  return {
    ...texts,
    calendar: makeCalendar(timeZone),
    /** An instant, in readable and machine-readable form. */
    moment: (at: number) => html`<time datetime="${iso(at)}">${full.format(at)}</time>`,
    /** The label of the day or the hour that begins at an instant. */
    dayAt: (at: number) => days.format(at),
    hourAt: (at: number) => hours.format(at),
    /** A share (0 to 1) as a percentage. */
    percent: (share: number) => percents.format(share),
    /** A text whose key is computed; all its possible values are in the locale files. */
    named: (key: string) => texts.t(key as TextKey),
  };
};
