// The stage: one page with the chat, the desk and a phone in frames, and behind it the bot and the service as they are.
// Both refuse to be framed by others, so that everything comes from one origin here, and says so to the browser.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';

export interface StageOptions {
  readonly port: number;
  readonly bot: number;
  readonly service: number;
  /** The path that signs somebody in at the desk, once. */
  readonly signIn: string;
}

/** What the service answers; everything else is the bot's. */
const ofService = /^\/(r|checkout|sandbox|receipts|documents|outbox)(\/|$|\?)/;

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};
const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');

export const startStage = async ({ port, bot, service, signIn }: StageOptions): Promise<{ close(): Promise<void> }> => {
  const sockets = new Set<Socket>();

  const own = (name: string, answer: ServerResponse) => {
    const content = read(name).replaceAll('{sign-in}', signIn);
    answer.setHeader('Content-Type', types[name.split('.').at(-1) ?? ''] ?? '');
    answer.setHeader('Cache-Control', 'no-store');
    answer.end(content);
  };

  /** Passes a request on. A file that the one does not have is the other's. */
  const pass = (incoming: IncomingMessage, answer: ServerResponse, to: number, or?: number) => {
    const { headers, method, url } = incoming;
    // The captions are English, and so is what they speak of.
    const asked = { ...headers, 'accept-language': 'en' };
    const outgoing = request({ host: '127.0.0.1', port: to, method, path: url, headers: asked }, (answered) => {
      if (or !== undefined && answered.statusCode === 404) {
        answered.resume();
        return pass(incoming, answer, or);
      }
      answer.writeHead(answered.statusCode ?? 502, framed(answered.headers));
      return answered.pipe(answer);
    });
    outgoing.on('error', () => answer.destroy());
    incoming.pipe(outgoing);
  };

  const server = createServer((incoming, answer) => {
    const path = incoming.url ?? '';
    const file = /^\/demo\/([a-z]+\.(?:css|js))$/.exec(path)?.[1];
    if (path === '/demo' || path.startsWith('/demo?')) return own('stage.html', answer);
    if (file !== undefined) return own(file, answer);
    if (path.startsWith('/assets/')) return pass(incoming, answer, bot, service);
    return pass(incoming, answer, ofService.test(path) ? service : bot);
  });
  server.on('upgrade', ({ method, rawHeaders, url }: IncomingMessage, client: Socket, head: Buffer) => {
    const socket = connect(bot, '127.0.0.1');
    for (const end of [socket, client]) {
      sockets.add(end);
      end.on('error', () => end.destroy());
      end.on('close', () => sockets.delete(end));
    }
    const lines = rawHeaders.flatMap((value, index) => (index % 2 === 0 ? [`${value}: ${rawHeaders[index + 1]}`] : []));
    socket.write(`${method} ${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    socket.write(head);
    socket.on('close', () => client.destroy());
    client.on('close', () => socket.destroy());
    socket.pipe(client).pipe(socket);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
};

/** The same headers, with this stage allowed to show the page in a frame. */
const framed = ({ 'x-frame-options': _, ...headers }: IncomingMessage['headers']) => {
  const policy = headers['content-security-policy'];
  return policy === undefined
    ? headers
    : { ...headers, 'content-security-policy': String(policy).replace("frame-ancestors 'none'", "frame-ancestors 'self'") };
};
