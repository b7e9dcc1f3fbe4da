// A local service that follows a script, for behaviour that no correct service has.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it arrived. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The caller's port: the same for requests on the same connection. */
  readonly connection: number | undefined;
}

/** The answer to one request, once it is read to its end. */
export type Behaviour = (res: ServerResponse, seen: Seen) => void;

export interface MisbehavingService {
  readonly baseUrl: string;
  readonly port: number;
  /** For websocket upgrades. */
  readonly server: Server;
  /** The requests so far, oldest first. */
  readonly requests: Seen[];
  /** Answers from now on: one behaviour per request, the last one for all further requests. */
  script(...behaviours: [Behaviour, ...Behaviour[]]): void;
  /** Resets every connection as soon as it is made, until switched off. */
  resetConnections(on: boolean): void;
  /** Stops listening, or listens again at the same port. */
  listen(on: boolean): Promise<void>;
  close(): Promise<void>;
}

export const startMisbehavingService = async (): Promise<MisbehavingService> => {
  const requests: Seen[] = [];
  let behaviours: Behaviour[] = [empty(404)];
  let resetting = false;
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('error', () => res.destroy());
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const { method = '', url = '', headers } = req;
      const seen = { method, url, headers, body: Buffer.concat(chunks).toString(), connection: req.socket.remotePort };
      requests.push(seen);
      const behave = behaviours.length > 1 ? behaviours.shift() : behaviours[0];
      behave?.(res, seen);
    });
  });
  server.on('connection', (socket) => {
    if (resetting) socket.resetAndDestroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return {
    port,
    server,
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    script: (...next) => {
      requests.length = 0;
      behaviours = next;
    },
    resetConnections: (on) => {
      resetting = on;
    },
    listen: async (on) => {
      if (!on) return stop();
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    close: stop,
  };
};

type Headers = Readonly<Record<string, string>>;

/** Answers a value as JSON. */
export const json =
  (status: number, body: unknown, headers: Headers = {}): Behaviour =>
  (res) => {
    res.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    res.end(JSON.stringify(body));
  };

/** Answers a body as it is. */
export const raw =
  (status: number, body: string | Uint8Array, headers: Headers = {}): Behaviour =>
  (res) => {
    res.writeHead(status, headers);
    res.end(body);
  };

/** Answers a status and nothing else. */
export const empty = (status: number, headers: Headers = {}): Behaviour => raw(status, '', headers);

/** Answers problem+json with a code. */
export const refuse = (status: number, code: string, headers: Headers = {}): Behaviour =>
  json(
    status,
    { type: 'about:blank', title: 'No', status, detail: 'No.', code },
    { 'Content-Type': 'application/problem+json', ...headers },
  );

/** Never answers. */
export const hang: Behaviour = () => {};

/** Begins an answer and never ends it. */
export const hangInBody: Behaviour = (res) => {
  res.writeHead(200, { 'Content-Type': 'application/json' });
  res.write('{"customers":');
};

/** Reads the request, then resets the connection. */
export const reset: Behaviour = (res) => res.socket?.resetAndDestroy();

/** Promises more than it sends, and closes. */
export const half: Behaviour = (res) => {
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
  res.write('{"customers":[', () => res.socket?.end());
};

/** Answers bytes that need not be HTTP. */
export const bytes =
  (content: string): Behaviour =>
  (res) =>
    res.socket?.end(content);
