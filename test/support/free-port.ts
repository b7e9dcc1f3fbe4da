// Ports for servers that have to know theirs before they listen.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that connections are given, of which one could be gone again by the time it is used. */
const from = 10_000;
const to = 30_000;

/** A port that is free now. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(from, to);
    const server = createServer();
    server.listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      // Somebody has it.
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
};
