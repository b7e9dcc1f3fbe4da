// Identifiers: ULIDs; and the names of HTTP requests.
import { createHash, randomInt } from 'node:crypto';
import { monotonicFactory, ulid } from 'ulid';

/** From the system's source, which Node asks for many bytes at a time: the library would ask 16 times for each identifier. */
const random = () => randomInt(256) / 256;

/** Makes an identifier: a ULID of the current time. */
export const newUlid = (): string => ulid(undefined, random);

/**
 * Derives the identifier (a ULID) of something that belongs to `id` and is called `name` there. The same arguments
 * always give the same identifier, so work that is repeated after a crash finds what it made the first time.
 */
export const derivedId = (id: string, name: string): string => {
  const digest = createHash('sha256').update(`${id} ${name}`).digest();
  let next = 0;
  const random = ulid(0, () => (digest[next++] as number) / 256);
  return `${id.slice(0, 10)}${random.slice(10)}`;
};

/** Makes identifiers for given instants (epoch ms). Each sorts after all those made before. */
export const makeOrderedNewId = (): ((now: number) => string) => monotonicFactory(random);

/**
 * Names a request for X-Request-Id and the log: by the caller's own identifier if it is harmless, else by a new ULID.
 */
export const nameRequest = (given: string | string[] | undefined): string =>
  typeof given === 'string' && /^[A-Za-z0-9-]{8,64}$/.test(given) ? given : newUlid();
