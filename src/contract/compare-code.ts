// Two digits that tell a customer that a message and a chat belong together.
import { createHash } from 'node:crypto';

/**
 * The digits of a request, from 10 to 99: 10 and the rest by 90 of the first four bytes of the SHA-256 of its identifier in upper case. Both sides
 * compute them, so nothing has to travel that a service might refuse (docs/decisions/0008).
 */
export const compareCode = (requestId: string): string =>
  String(10 + (createHash('sha256').update(requestId.toUpperCase()).digest().readUInt32BE(0) % 90));
