// The name of one HTTP request, told in X-Request-Id and in the log.
import { ulid } from 'ulid';

/** The caller's own identifier when it is a harmless one, else a new ULID. */
export const newRequestId = (given: string | string[] | undefined) =>
  typeof given === 'string' && /^[A-Za-z0-9-]{8,64}$/.test(given) ? given : ulid();
