// Random bytes, fetched in advance: each call for them takes some microseconds, whatever their number.
import { randomFillSync } from 'node:crypto';

/** Bytes fetched at a time. */
const stock = 4096;

const bytes = Buffer.alloc(stock);
let next = stock;

/** Bytes from the system's source, never the same twice. What is given out is erased here. @param size - up to 256 */
export const randomBytes = (size: number): Buffer => {
  if (next + size > stock) {
    randomFillSync(bytes);
    next = 0;
  }
  const taken = Buffer.from(bytes.subarray(next, next + size));
  bytes.fill(0, next, next + size);
  next += size;
  return taken;
};
