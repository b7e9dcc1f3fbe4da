// Websockets and nothing else: as many as one likes, each with its token sent, and each event perhaps posted on as it
// is.
import { Agent } from 'undici';
import { WebSocket } from 'ws';
import type { Opened } from '../side-process.ts';

interface Sockets {
  readonly url: string;
  readonly tokens: readonly string[];
  /** The origin of where every event is posted to. */
  readonly postTo?: string;
}

/** How many handshakes run at a time. */
const together = 200;

export const open = async ({ url, tokens, postTo }: Sockets): Promise<Opened> => {
  const sockets = new Set<WebSocket>();
  const agent = new Agent();
  const pass = async (event: string, origin: string) => {
    const headers = { 'content-type': 'application/json' };
    const { body } = await agent.request({ origin, path: '/', method: 'POST', headers, body: event });
    await body.text();
  };
  const connect = (token: string) =>
    new Promise<void>((resolve, reject) => {
      const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: 64 * 1024 });
      sockets.add(socket);
      socket.once('error', reject);
      socket.once('open', () => {
        socket.off('error', reject);
        socket.on('error', () => {});
        if (postTo !== undefined) socket.on('message', (data) => void pass(String(data), postTo));
        socket.send(`CONNECT ${token}`, () => resolve());
      });
    });
  let next = 0;
  /** Connects so many more. */
  const connectMore = async (count: number) => {
    const end = next + count;
    const lane = async () => {
      while (next < end) {
        next += 1;
        await connect(tokens[next - 1] as string);
      }
    };
    await Promise.all(Array.from({ length: together }, lane));
  };
  return {
    orders: { connectMore },
    close: async () => {
      for (const socket of sockets) socket.terminate();
      await agent.close();
    },
  };
};
