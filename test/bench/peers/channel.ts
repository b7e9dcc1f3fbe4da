// A channel's connector on loopback that takes everything and keeps nothing.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface BenchChannel {
  readonly serviceUrl: string;
  /** Hears of every post from now on, with its path and body. */
  hear(listener: ((path: string, body: string) => void) | undefined): void;
  readonly posts: number;
  close(): Promise<void>;
}

/** Opens it. Whoever drives a bench has it, so that the sides pay for their own part only. */
export const openBenchChannel = async (): Promise<BenchChannel> => {
  let posts = 0;
  let listener: ((path: string, body: string) => void) | undefined;
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      posts += 1;
      listener?.(req.url ?? '', Buffer.concat(chunks).toString());
      res.writeHead(200, { 'content-type': 'application/json' });
      res.end(`{"id":"a${posts}"}`);
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    serviceUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hear: (next) => {
      listener = next;
    },
    get posts() {
      return posts;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
