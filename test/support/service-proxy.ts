// A switchable path between bot and service: sockets refused or dropped, results unreadable, everything down.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export interface ServiceProxy {
  readonly baseUrl: string;
  readonly wsUrl: string;
  /** While `false`, new sockets are refused and open ones dropped. */
  sockets(open: boolean): void;
  /** Drops open sockets; new ones are accepted. */
  dropSockets(): void;
  /** Answers requests whose path matches with this status; `undefined` passes all on. */
  refuse(path: RegExp | undefined, status?: number): void;
  /** The headers of requests so far whose path matches, in order. */
  headers(path: RegExp): IncomingHttpHeaders[];
  /** The requests so far whose line (`GET /results/…`) matches, in order. */
  lines(line: RegExp): string[];
  /** Their number. */
  count(line: RegExp): number;
  close(): Promise<void>;
}

/** Stands between a client and the service at `port` on this machine. */
export const startServiceProxy = async (port: number): Promise<ServiceProxy> => {
  const seen: { readonly line: string; readonly headers: IncomingHttpHeaders }[] = [];
  const tunnels = new Set<Duplex>();
  let open = true;
  let refused: { path: RegExp; status: number } | undefined;

  const server = createServer((req, res) => {
    seen.push({ line: `${req.method} ${req.url}`, headers: req.headers });
    if (refused?.path.test(req.url ?? '')) {
      req.resume();
      res.writeHead(refused.status);
      res.end();
      return;
    }
    const forward = request({ port, host: '127.0.0.1', method: req.method, path: req.url, headers: req.headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    forward.on('error', () => res.destroy());
    req.pipe(forward);
  });
  const drop = () => {
    for (const tunnel of tunnels) tunnel.destroy();
  };
  server.on('upgrade', (req: IncomingMessage, client: Socket, head: Buffer) => {
    if (!open) {
      client.end('HTTP/1.1 503 Service Unavailable\r\n\r\n');
      return;
    }
    const upstream = connect(port, '127.0.0.1', () => {
      const headers = Object.entries(req.headers).map(([name, value]) => `${name}: ${value}`);
      upstream.write(`GET ${req.url} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
      upstream.write(head);
      client.pipe(upstream).pipe(client);
    });
    for (const side of [client, upstream]) {
      tunnels.add(side);
      side.on('error', () => {});
      side.on('close', () => {
        tunnels.delete(side);
        client.destroy();
        upstream.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const at = (server.address() as AddressInfo).port;
  const lines = (line: RegExp) => seen.map((one) => one.line).filter((one) => line.test(one));

  return {
    baseUrl: `http://127.0.0.1:${at}`,
    wsUrl: `ws://127.0.0.1:${at}/ws`,
    sockets: (now) => {
      open = now;
      if (!now) drop();
    },
    dropSockets: drop,
    refuse: (path, status = 503) => {
      refused = path && { path, status };
    },
    headers: (path) => seen.filter(({ line }) => path.test(line)).map(({ headers }) => headers),
    lines,
    count: (line) => lines(line).length,
    close: async () => {
      drop();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
