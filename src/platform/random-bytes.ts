// Random bytes, fetched in advance: each system call takes some microseconds, however many bytes it fetches.
import { randomFillSync } from 'node:crypto';

/** Bytes fetched at a time. */
const stock = 4096;

const bytes = Buffer.alloc(stock);
let next = stock;

/** Bytes from the system's source, never the same twice. Those returned are erased here. @param size - up to 256 */
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
