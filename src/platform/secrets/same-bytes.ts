// Comparing secrets.
import { timingSafeEqual } from 'node:crypto';

/** Whether two digests are the same, in constant time. */
export const sameBytes = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);
