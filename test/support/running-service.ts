// A reference service for one test: a folder, a port, a way to call it, and its customers' messages.
import { generateKeyPairSync } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { type Log, makeLog } from '../../src/platform/log.ts';
import { type RunningService, type ServiceOptions, startService } from '../../src/service/index.ts';
import { newDataDir } from './data-dir.ts';
import { textOfCatalogue } from './own-catalogue.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
  /** The body as JSON; `undefined` if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape they assert.
  readonly json: any;
}

export interface Sending {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** A message, from the outbox page. */
interface OutboxMessage {
  readonly id: string;
  readonly state: string;
  readonly text: string;
  readonly link: string | undefined;
  readonly code: string | undefined;
}

/** Ways to reach a running service. */
export interface ServiceCalls {
  /** Calls the interface with the account's key. `headers` are added; an empty one removes a header. */
  call(method: string, path: string, sending?: Sending): Promise<Reply>;
  /** Calls without a key, like a browser or a stranger. */
  open(method: string, address: string, sending?: Sending): Promise<Reply>;
  /** Sent messages, newest first, once all have left. */
  outbox(): Promise<OutboxMessage[]>;
}

export interface TestService extends ServiceCalls {
  readonly running: RunningService;
  readonly dataDir: string;
  /** Its Postgres, if it uses one. */
  readonly databaseUrl: string | undefined;
  /** Stops the service and starts it again on the same folder. */
  restart(): Promise<void>;
  /** Stops it and removes the folder. */
  close(): Promise<void>;
}

const silent: Log = makeLog('silent');

/** Starts one in demo mode on a free port. */
export const startTestService = async (overrides: Partial<ServiceOptions> = {}): Promise<TestService> => {
  const dataDir = await newDataDir(...(overrides.databaseUrl === undefined ? (['service.db'] as const) : []));
  const catalogueFile = overrides.demo === false ? catalogueWithKey(dataDir) : undefined;
  const start = () => startService({ catalogueFile, port: 0, host: '127.0.0.1', dataDir, demo: true, log: silent, ...overrides });
  let running = await start();

  const service: TestService = {
    get running() {
      return running;
    },
    dataDir,
    databaseUrl: overrides.databaseUrl,
    ...callsTo(() => running),
    restart: async () => {
      await running.close();
      running = await start();
    },
    close: async () => {
      await running.close();
      rmSync(dataDir, { recursive: true });
    },
  };
  return service;
};

const send = async (method: string, address: string, { body, headers = {} }: Sending = {}): Promise<Reply> => {
  const form = body instanceof URLSearchParams;
  const plain = typeof body === 'string' || Buffer.isBuffer(body);
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
  const given = { ...(body !== undefined && { 'content-type': type }), ...headers };
  const response = await request(address, {
    method: method as 'GET',
    headers: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '')),
    ...(body !== undefined && { body: form ? body.toString() : plain ? (body as string) : JSON.stringify(body) }),
  });
  const text = await response.body.text();
  return { status: response.statusCode, headers: response.headers, text, json: jsonIn(text) };
};

let withKey: string | undefined;

/**
 * The demo catalogue in the form for production: with a configured account key. It is the same one each time, so that a
 * process parses it once.
 */
const catalogueWithKey = (folder: string): string => {
  withKey ??= textOfCatalogue(({ account }) => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    account.encryptionKey = { ...publicKey.export({ format: 'jwk' }), kid: 'test' };
  });
  const file = join(folder, 'catalogue.yaml');
  writeFileSync(file, withKey);
  return file;
};

/** Calls the service that is running at the time. */
export const callsTo = (running: () => RunningService): ServiceCalls => ({
  call: (method, path, { body, headers = {} } = {}) => {
    const { baseUrl, secretKey } = running();
    return send(method, baseUrl + path, { body, headers: { authorization: `Bearer ${secretKey}`, ...headers } });
  },
  open: (method, address, sending) => send(method, new URL(address, running().baseUrl).href, sending),
  outbox: async () => {
    await running().settled();
    const { text } = await send('GET', `${running().baseUrl}/outbox/messages`);
    return text.split('<li id="m-').slice(1).map(readMessage);
  },
});

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const readMessage = (markup: string): OutboxMessage => ({
  id: markup.slice(0, 26),
  state: /data-state="([^"]+)"/.exec(markup)?.[1] ?? '',
  text: (/class="bubble"[^>]*>(.*?)<\/div>/s.exec(markup)?.[1] ?? '').replace(/<[^>]+>/g, ''),
  link: /class="link"[^>]*>([^<]+)</.exec(markup)?.[1],
  code: /<b>(\d+)<\/b>/.exec(markup)?.[1],
});
