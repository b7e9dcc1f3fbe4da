// A Direct Line on a real port with storage in memory (or a given one), and a client that behaves like Web Chat.
import type { Activity } from 'botframework-schema';
import { fetch, type RequestInit } from 'undici';
import { type ClientOptions, WebSocket } from 'ws';
import { type DirectLine, type DirectLineConnector, type DirectLineOptions, makeDirectLine } from '../../src/directline/index.ts';
import { type HttpServer, makeHttpServer } from '../../src/platform/http/http-server.ts';
import { makeLog } from '../../src/platform/log.ts';
import type { Storage } from '../../src/storage/index.ts';
import { openNewStorage } from './data-dir.ts';
import { until } from './until.ts';

export const testKey = new Uint8Array(32).fill(7);

export interface DirectLineServer {
  readonly base: string;
  readonly port: number;
  readonly server: HttpServer;
  readonly storage: Storage;
  readonly directLine: DirectLine;
  /** The bot's activities, in order. */
  readonly turns: Activity[];
  /** Stops serving, and closes the storage unless it was given. */
  close(): Promise<void>;
}

export type Bot = (activity: Activity, connector: DirectLineConnector) => Promise<unknown>;

/** Echoes a message, and greets a new conversation. */
export const echo: Bot = async (activity, connector) => {
  const conversationId = activity.conversation.id;
  if (activity.type === 'conversationUpdate') await connector.post(conversationId, { type: 'message', text: 'Hello' }, activity.id);
  if (activity.type === 'message') await connector.post(conversationId, { type: 'message', text: `Echo: ${activity.text}` }, activity.id);
};

export interface DirectLineServerOptions extends Partial<Omit<DirectLineOptions, 'server' | 'chats' | 'onActivity'>> {
  readonly bot?: Bot;
  readonly storage?: Storage;
  readonly port?: number;
  /** Adds more to the server before it listens, for example a page. */
  readonly more?: (server: HttpServer, directLine: DirectLine) => void | Promise<void>;
}

export const startDirectLine = async ({
  bot = echo,
  storage,
  port = 0,
  more,
  ...options
}: DirectLineServerOptions = {}): Promise<DirectLineServer> => {
  const log = makeLog('silent');
  const kept = storage ?? (await openNewStorage());
  const server = makeHttpServer({ name: 'bot', log });
  const turns: Activity[] = [];
  const directLine: DirectLine = makeDirectLine({
    server,
    chats: kept.chats,
    key: testKey,
    botId: 'bot',
    botName: 'Countersign',
    onActivity: async (activity) => {
      turns.push(activity);
      await bot(activity, directLine.connector);
    },
    apology: () => 'Sorry',
    log,
    ...options,
  });
  more?.(server, directLine);
  const bound = await server.listen(port, '127.0.0.1', 'PORT');
  return {
    base: `http://127.0.0.1:${bound}`,
    port: bound,
    server,
    storage: kept,
    directLine,
    turns,
    close: async () => {
      await directLine.close(1000);
      await server.close(0);
      if (!storage) await kept.close();
    },
  };
};

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of any route, checked by the test that asked
  readonly body: any;
}

/** One request to Direct Line; the body is parsed if it is JSON. */
export const call = async (
  line: DirectLineServer,
  method: string,
  path: string,
  token?: string,
  init: RequestInit = {},
): Promise<Reply> => {
  const response = await fetch(`${line.base}/v3/directline${path}`, {
    method,
    ...init,
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...(init.headers as Record<string, string>) },
  });
  const text = await response.text();
  const json = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, headers: response.headers as unknown as Headers, body: json ? JSON.parse(text) : text };
};

export const json = (body: unknown): RequestInit => ({ body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });

/** An activity from a client's view. */
// biome-ignore lint/suspicious/noExplicitAny: activities of any kind, checked by the test that asked
export type Seen = any;

export interface Chatter {
  readonly conversationId: string;
  readonly userId: string;
  readonly token: string;
  readonly streamUrl: string;
  readonly socket: WebSocket;
  /** The frames of the stream. */
  readonly sets: { readonly activities: Seen[]; readonly watermark: string }[];
  post(activity: object): Promise<Reply>;
  say(text: string, clientActivityID?: string): Promise<Reply>;
  /** Waits for an activity on the stream. */
  sees(what: string, matches: (activity: Seen) => boolean): Promise<Seen>;
}

/** Listens to a stream. */
export const listen = async (streamUrl: string, options: ClientOptions = {}) => {
  const socket = new WebSocket(streamUrl, { perMessageDeflate: false, ...options });
  const sets: Chatter['sets'] = [];
  socket.on('message', (data) => sets.push(JSON.parse(String(data))));
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('error', reject);
  });
  return { socket, sets };
};

/** Starts a conversation and listens to it. */
export const chat = async (line: DirectLineServer, request: Parameters<DirectLine['issueToken']>[0] = {}): Promise<Chatter> => {
  const issued = await line.directLine.issueToken(request);
  const { conversationId, userId } = issued;
  const begun = await call(line, 'POST', '/conversations', issued.token, json({ user: { id: 'someone-else' }, locale: 'en' }));
  const { token, streamUrl } = begun.body;
  const { socket, sets } = await listen(streamUrl);
  const post = (activity: object) => call(line, 'POST', `/conversations/${conversationId}/activities`, token, json(activity));
  return {
    conversationId,
    userId,
    token,
    streamUrl,
    socket,
    sets,
    post,
    say: (text, clientActivityID) => post({ type: 'message', text, ...(clientActivityID && { channelData: { clientActivityID } }) }),
    sees: (what, matches) => until(() => sets.flatMap(({ activities }) => activities).find(matches), what),
  };
};
