// A load balancer as simple as can be: each request, and each websocket, goes to the next replica that takes
// connections.
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface Front {
  readonly port: number;
  /** Where to send from now on. */
  serve(ports: readonly number[]): void;
  /** How many requests each port was given. */
  readonly given: ReadonlyMap<number, number>;
  close(): Promise<void>;
}

/** In two steps: where restify is loaded, it has `writeHead` return nothing. */
const refuse = (answer: ServerResponse, status: number) => {
  answer.writeHead(status);
  return answer.end();
};

/** Listens on the port (0 chooses a free one), on loopback. */
export const startFront = async (port: number): Promise<Front> => {
  let ports: readonly number[] = [];
  let turn = 0;
  const given = new Map<number, number>();
  const open = new Set<Socket>();

  /** A connection to the next replica that takes one; `undefined` when none does. */
  const reach = async (): Promise<Socket | undefined> => {
    for (let tries = 0; tries < ports.length; tries += 1) {
      const target = ports[turn % ports.length] as number;
      turn += 1;
      const socket = connect(target, '127.0.0.1');
      try {
        await once(socket, 'connect');
      } catch {
        continue;
      }
      given.set(target, (given.get(target) ?? 0) + 1);
      open.add(socket);
      socket.on('close', () => open.delete(socket));
      socket.on('error', () => socket.destroy());
      return socket;
    }
    return undefined;
  };

  const forward = async (incoming: IncomingMessage, answer: ServerResponse) => {
    const socket = await reach();
    if (!socket) return refuse(answer, 503);
    const { headers, method, url } = incoming;
    const outgoing = request({ method, path: url, headers, createConnection: () => socket }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(answer);
      answered.on('error', () => answer.destroy());
    });
    outgoing.on('error', () => (answer.headersSent ? answer.destroy() : refuse(answer, 502)));
    incoming.on('error', () => outgoing.destroy());
    return incoming.pipe(outgoing);
  };

  const upgrade = async ({ headers, method, rawHeaders, url }: IncomingMessage, client: Socket, head: Buffer) => {
    client.on('error', () => client.destroy());
    const socket = await reach();
    if (!socket || headers.upgrade === undefined) return client.destroy();
    const lines = rawHeaders.flatMap((value, index) => (index % 2 === 0 ? [`${value}: ${rawHeaders[index + 1]}`] : []));
    socket.write(`${method} ${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    socket.write(head);
    socket.on('close', () => client.destroy());
    client.on('close', () => socket.destroy());
    return socket.pipe(client).pipe(socket);
  };

  const server = createServer((incoming, answer) => void forward(incoming, answer));
  server.on('upgrade', (incoming, client, head) => void upgrade(incoming, client as Socket, head));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    serve: (next) => {
      ports = next;
    },
    given,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
};
