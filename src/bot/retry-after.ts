// The Retry-After header as milliseconds.
import type { Clock } from '../platform/clock.ts';

const longest = 5 * 60_000;

/**
 * How long a `Retry-After` asks to wait (RFC 9110, 10.2.3: seconds or a date), in milliseconds, five minutes at most. `undefined` when there is
 * none or it says neither.
 */
export const retryAfterMs = (value: string | string[] | undefined, clock: Clock): number | undefined => {
  const text = (Array.isArray(value) ? value[0] : value)?.trim();
  if (text === undefined) return undefined;
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(/[A-Za-z]/.test(text) ? text : '') - clock.now();
  return Number.isNaN(wait) ? undefined : Math.min(longest, Math.max(0, wait));
};
