// The names of HTTP requests, told in X-Request-Id and in the log.
import { makeNewId } from './new-id.ts';

/** Names a request: by the caller's own identifier when it is a harmless one, else by a new ULID. */
export type NameRequest = (given: string | string[] | undefined) => string;

export const makeNameRequest = (newId = makeNewId()): NameRequest => {
  return (given) => (typeof given === 'string' && /^[A-Za-z0-9-]{8,64}$/.test(given) ? given : newId());
};
