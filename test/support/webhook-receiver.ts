// An account's endpoint on loopback: it stores the posts it gets, and answers as instructed.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebhookPayload } from '../../src/contract/index.ts';

export interface ReceivedWebhook {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
  readonly payload: WebhookPayload;
}

export interface WebhookReceiver {
  readonly url: string;
  readonly port: number;
  readonly received: ReceivedWebhook[];
  /** How many connections were made. */
  readonly connections: { count: number };
  /** Answers every post this way from now on; a function answers itself, or not at all. */
  answer: number | ((res: ServerResponse) => void);
  close(): Promise<void>;
}

export const openWebhookReceiver = async (): Promise<WebhookReceiver> => {
  const received: ReceivedWebhook[] = [];
  const connections = { count: 0 };
  const server = createServer((req, res) => {
    let raw = '';
    req.on('data', (chunk) => {
      raw += chunk;
    });
    req.on('end', () => {
      received.push({ path: req.url ?? '', headers: req.headers, raw, payload: JSON.parse(raw) });
      if (typeof receiver.answer === 'function') return receiver.answer(res);
      // Not chained: with restify loaded, writeHead returns nothing.
      res.statusCode = receiver.answer;
      res.end('canary');
    });
  });
  server.on('connection', () => {
    connections.count += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${port}/hooks`,
    port,
    received,
    connections,
    answer: 204,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
};
