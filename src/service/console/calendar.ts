// Days and hours in a time zone: when each begins, including those when clocks change.

/** All offsets from UTC in use are multiples of this (ms), so every local hour and day begins at one. */
const quarter = 15 * 60_000;
const hour = 4 * quarter;

/** A period: from one instant until before another. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

export const makeCalendar = (timeZone: string) => {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const minutes = new Intl.DateTimeFormat('en', { timeZone, minute: 'numeric' });
  const dayOf = (at: number) => parts.format(at);

  /** The first quarter of an hour of a day, given any instant of that day. */
  const beginning = (at: number) => {
    const day = dayOf(at);
    let start = Math.floor(at / quarter) * quarter;
    while (dayOf(start - quarter) === day) start -= quarter;
    return start;
  };
  const after = (start: number) => {
    // No day has less than 22 hours, so the search for midnight starts there.
    let next = start + 22 * hour;
    while (dayOf(next) === dayOf(start)) next += quarter;
    return next;
  };

  // Noon in UTC is on the same day nearly everywhere; an error of one day is corrected.
  const startOf = (day: string) => {
    const noon = Date.parse(`${day}T12:00:00Z`);
    return beginning([noon, noon - 12 * hour, noon + 12 * hour].find((at) => dayOf(at) === day) ?? noon);
  };

  return {
    /** The day of an instant, `2026-11-20`. */
    dayOf,
    /** When a day such as `2026-11-20` begins. */
    startOf,
    /** When a day is over. */
    dayEnd: (day: string): number => after(startOf(day)),
    /** A number of days up to an instant, the oldest first; the last one ends with its day. */
    days: (at: number, count: number): Span[] => {
      const days: Span[] = [];
      for (let from = beginning(at); days.length < count; from = beginning(from - quarter)) days.unshift({ from, until: after(from) });
      return days;
    },
    /** Likewise for hours. */
    hours: (at: number, count: number): Span[] => {
      const begun = Math.floor(at / quarter) * quarter;
      const last = begun - Number(minutes.format(begun)) * 60_000;
      return Array.from({ length: count }, (_, index) => {
        const from = last - (count - 1 - index) * hour;
        return { from, until: from + hour };
      });
    },
  };
};
