// Identifiers: ULIDs, with randomness that is fetched in advance, and the names of HTTP requests.
import { randomFillSync } from 'node:crypto';
import { monotonicFactory, type PRNG, ulid } from 'ulid';

/** Bytes fetched at a time: one call to the system for 256 identifiers. The library would make 16 for each, 35 µs against half a microsecond. */
const stock = 4096;

/** From the system's source, a byte for each number: the library takes 5 bits of it. */
const makeSource = (): PRNG => {
  const bytes = new Uint8Array(stock);
  let next = stock;
  return () => {
    if (next === stock) {
      randomFillSync(bytes);
      next = 0;
    }
    const byte = bytes[next] as number;
    // Nobody who reads the memory later learns what was given out.
    bytes[next] = 0;
    next += 1;
    return byte / 256;
  };
};

/** Makes identifiers: a ULID each, of now. */
export const makeNewId = (): (() => string) => {
  const source = makeSource();
  return () => ulid(undefined, source);
};

/** Makes identifiers of given instants (epoch ms), each of which sorts after every one made before. */
export const makeOrderedNewId = (): ((now: number) => string) => monotonicFactory(makeSource());

/** Names a request for X-Request-Id and the log: by the caller's own identifier when it is a harmless one, else by a new ULID. */
export type NameRequest = (given: string | string[] | undefined) => string;

export const makeNameRequest = (newId = makeNewId()): NameRequest => {
  return (given) => (typeof given === 'string' && /^[A-Za-z0-9-]{8,64}$/.test(given) ? given : newId());
};
