// Comparing secrets.
import { timingSafeEqual } from 'node:crypto';
import { sha256 } from './sealing.ts';

/** Whether two digests are the same, in constant time. */
export const sameBytes = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

/** Whether an `Authorization` header carries this bearer token, in constant time. */
export const makeBearerCheck = (token: string) => {
  const expected = sha256(token);
  return (authorization = ''): boolean => sameBytes(sha256(/^Bearer +(\S.*)$/i.exec(authorization)?.[1] ?? ''), expected);
};
