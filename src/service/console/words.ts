// Texts, times and numbers for a user of the console: in their language, and in their browser's time zone.

import { type Html, html } from '../../platform/text/html.ts';
import { iso } from '../../platform/time/clock.ts';
import type { TextKey, Texts } from '../core/texts.ts';
import { type Calendar, makeCalendar } from './calendar.ts';

export interface Words extends Texts {
  readonly calendar: Calendar;
  /** An instant, in readable and machine-readable form. */
  moment(at: number): Html;
  /** The label of the day or the hour that begins at an instant. */
  dayAt(at: number): string;
  hourAt(at: number): string;
  /** A share (0 to 1) as a percentage. */
  percent(share: number): string;
  /** A text whose key is computed; all its possible values are in the locale files. */
  named(key: string): string;
}

/** Formats are expensive to make, so routes cache the returned value. */
export const consoleWords = (texts: Texts, timeZone: string): Words => {
  const { language } = texts;
  const full = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium', timeZone });
  const days = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone });
  const hours = new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit', timeZone });
  const percents = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 });
  return {
    ...texts,
    calendar: makeCalendar(timeZone),
    moment: (at) => html`<time datetime="${iso(at)}">${full.format(at)}</time>`,
    dayAt: (at) => days.format(at),
    hourAt: (at) => hours.format(at),
    percent: (share) => percents.format(share),
    named: (key) => texts.t(key as TextKey),
  };
};
