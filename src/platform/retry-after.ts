// Reading Retry-After (RFC 9110, section 10.2.3): a number of seconds, or a date.

/** The longest wait that is believed, in milliseconds. */
export const longestRetryAfter = 5 * 60_000;

/**
 * How long to wait, in milliseconds, between 0 and {@link longestRetryAfter}; `undefined` for an absent or unreadable value.
 * A date is measured from the answer's own `Date` where it has one, since the two clocks may be minutes apart.
 */
export const retryAfter = (value: string | undefined, date: string | undefined, now: number): number | undefined => {
  if (value === undefined) return undefined;
  const wait = /^\d+$/.test(value) ? Number(value) * 1000 : instant(value) - (instant(date) || now);
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), longestRetryAfter);
};

/** Date.parse takes nearly anything for a date ("-5", "1.5"): only what looks like an HTTP date may reach it. */
const instant = (value: string | undefined) =>
  value !== undefined && /^[A-Z][a-z]{2}[\w ,:-]{15,40} GMT$/.test(value) ? Date.parse(value) : Number.NaN;
