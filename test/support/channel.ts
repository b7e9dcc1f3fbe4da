// A channel's connector service on loopback that stores its requests and misbehaves on command.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown> | undefined;
}

export interface Channel {
  readonly serviceUrl: string;
  readonly received: Received[];
  /**
   * Answers for the next requests, one each; after them every request is accepted. As with Teams, text beside a card
   * becomes two messages, and gets no id.
   */
  readonly next: ((req: IncomingMessage, res: ServerResponse) => void)[];
  close(): Promise<void>;
}

/** An answer with nothing but a status. */
export const answering =
  (status: number, headers: Record<string, string> = {}, body = '') =>
  (_req: IncomingMessage, res: ServerResponse) => {
    // Not chained: restify replaces writeHead for every server of the process with one that returns nothing.
    res.writeHead(status, headers);
    res.end(body);
  };

export const openChannel = async (): Promise<Channel> => {
  const received: Received[] = [];
  const next: Channel['next'] = [];
  const server: Server = createServer(async (req, res) => {
    let text = '';
    for await (const chunk of req) text += chunk;
    received.push({
      method: req.method ?? '',
      path: req.url ?? '',
      headers: req.headers,
      body: text === '' ? undefined : JSON.parse(text),
    });
    const { body } = received.at(-1) as Received;
    const taken =
      body?.text && body.attachments
        ? answering(202)
        : answering(
            req.method === 'POST' ? 201 : 200,
            { 'content-type': 'application/json' },
            JSON.stringify({ id: `a${received.length}` }),
          );
    const answer = next.shift() ?? taken;
    answer(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    serviceUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    next,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
