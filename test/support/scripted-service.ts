// A whole service under a script's control, sockets included: well behaved in every phase that the script leaves alone.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ulid } from 'ulid';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ResultStatus } from '../../src/contract/index.ts';
import { type Behaviour, json, refuse, type Seen, startMisbehavingService } from './misbehaving-service.ts';
import { samples } from './service-samples.ts';

/** The purpose of a request. */
export type Phase = 'bootstrap' | 'send' | 'check' | 'results' | 'record' | 'resend' | 'cancel';

/** Behaviour of a socket once it is open and its token has arrived. */
export type SocketScript = (socket: WebSocket, requestId: string) => void;

/** Words that must never appear in a log. */
export const canaries = {
  name: 'Quirina Canarywood',
  email: 'quirina@canary.example',
  phoneNumber: '+12025550147',
  customerRef: 'cust-canary-0147',
  code: '314159',
  wsToken: 'ws-canary-token',
  secretKey: 'sk_canary_8812',
} as const;

export interface ScriptedService {
  readonly baseUrl: string;
  readonly wsUrl: string;
  /** Answers a phase this way from now on; `undefined`: correctly. */
  misbehave(phase: Phase, behaviour: Behaviour | undefined): void;
  /** Behaviour of sockets from now on; `undefined`: they report the ending. */
  script(socket: SocketScript | undefined): void;
  /** Answers upgrades this way from now on; `undefined`: they are accepted. */
  upgrade(answer: ((tcp: Duplex, req: IncomingMessage) => void) | undefined): void;
  /** Drops open sockets. */
  dropSockets(): void;
  /** Behaves correctly again, in every phase. */
  recover(): Promise<void>;
  /** Stops listening altogether, or listens again. */
  listen(on: boolean): Promise<void>;
  /** Ends a request: its result can be read, and its socket reports it. */
  finish(requestId: string, status?: ResultStatus): void;
  /** The identifiers that it returned, oldest first. */
  readonly given: readonly string[];
  /** The requests of a phase, oldest first. */
  calls(phase: Phase): Seen[];
  close(): Promise<void>;
}

const phases: readonly (readonly [Phase, RegExp])[] = [
  ['bootstrap', /\/bootstrap$/],
  ['send', /\/send$/],
  ['check', /\/check$/],
  ['results', /^\/results\//],
  ['record', /^\/requests\/[^/]+$/],
  ['resend', /\/resend$/],
  ['cancel', /\/cancel$/],
];
const phaseOf = ({ url }: Seen) => phases.find(([, path]) => path.test(url))?.[0];

const customers = [{ id: canaries.customerRef, name: canaries.name, email: canaries.email, isEnrolled: true }];
const fields: Readonly<Record<string, object>> = {
  payments: {
    product: 'Invoice',
    quantity: 1,
    amount: 12.5,
    currency: 'EUR',
    gateway: 'sandbox',
    productId: 'p-1',
    transactionId: 'tx-0147',
  },
  passkeys: { action: 'authentication' },
  'document-signature': { title: 'Lease' },
  'e-form': { data: [], zeroKnowledge: false },
};

interface Kept {
  readonly app: string;
  status: ResultStatus | undefined;
}

export const startScriptedService = async (): Promise<ScriptedService> => {
  const service = await startMisbehavingService();
  const sockets = new WebSocketServer({ noServer: true });
  const kept = new Map<string, Kept>();
  const open = new Map<string, Set<WebSocket>>();
  const bad = new Map<Phase, Behaviour>();
  let onSocket: SocketScript | undefined;
  let onUpgrade: ((tcp: Duplex, req: IncomingMessage) => void) | undefined;

  const timestamp = () => new Date().toISOString();
  const tell = (socket: WebSocket, requestId: string) => {
    const { app, status } = kept.get(requestId) ?? {};
    const type = status && { success: 'task.succeeded', failure: 'task.failed', timeout: 'task.timed_out' }[status];
    if (type) socket.send(JSON.stringify({ id: ulid(), type, timestamp: timestamp(), payload: { app, request: { id: requestId } } }));
  };
  const record = (id: string, state: string) => ({
    id,
    app: kept.get(id)?.app,
    state,
    customerRef: canaries.customerRef,
    sessionRef: 'session-0001',
    createdAt: timestamp(),
    expiresAt: timestamp(),
    events: [],
  });
  const good: Record<Phase, (seen: Seen, id: string) => Behaviour> = {
    bootstrap: ({ url }) =>
      json(200, { ...samples[url.split('/')[1] as keyof typeof samples].bootstrapped, customers, authentication: null }),
    send: ({ url }) => {
      const id = ulid();
      kept.set(id, { app: url.split('/')[1] as string, status: undefined });
      return json(200, { requestId: id, wsToken: `${canaries.wsToken}-${id}`, success: true, message: 'Sent.' });
    },
    check: ({ body }) => {
      const { code, requestId } = JSON.parse(body);
      const codeMatch = code === canaries.code;
      if (codeMatch) (kept.get(requestId) as Kept).status = 'success';
      return json(200, { codeMatch });
    },
    results: (_seen, id) => {
      const { app = '', status } = kept.get(id) ?? {};
      if (!status) return refuse(404, 'not_found');
      const common = { accountId: 'account-1', customerRef: canaries.customerRef, sessionRef: 'session-0001' };
      return json(200, { ...common, id, app, status, timestamp: timestamp(), phoneNumber: canaries.phoneNumber, ...fields[app] });
    },
    // An extension that it lacks by default.
    record: () => refuse(404, 'not_found'),
    resend: (_seen, id) => json(200, record(id, 'pending')),
    cancel: (_seen, id) => json(200, record(id, 'cancelled')),
  };
  const log: { phase: Phase; seen: Seen }[] = [];
  const behave: Behaviour = (res: ServerResponse, seen: Seen) => {
    const phase = phaseOf(seen);
    if (!phase) return refuse(404, 'not_found')(res, seen);
    log.push({ phase, seen });
    const behaviour = bad.get(phase) ?? good[phase](seen, seen.url.split('/')[2] ?? '');
    return behaviour(res, seen);
  };
  service.script(behave);

  service.server.on('upgrade', (req: IncomingMessage, tcp: Duplex, head: Buffer) => {
    tcp.on('error', () => tcp.destroy());
    if (onUpgrade) return onUpgrade(tcp, req);
    sockets.handleUpgrade(req, tcp, head, (socket) => {
      socket.on('error', () => {});
      socket.once('message', (data) => {
        const requestId = String(data).slice(`CONNECT ${canaries.wsToken}-`.length);
        const peers = open.get(requestId) ?? new Set();
        open.set(requestId, peers.add(socket));
        socket.on('close', () => peers.delete(socket));
        if (onSocket) onSocket(socket, requestId);
        else tell(socket, requestId);
      });
    });
  });
  const dropSockets = () => {
    for (const socket of sockets.clients) socket.terminate();
  };

  return {
    baseUrl: service.baseUrl,
    wsUrl: `${service.baseUrl.replace('http', 'ws')}/ws`,
    misbehave: (phase, behaviour) => {
      if (behaviour) bad.set(phase, behaviour);
      else bad.delete(phase);
    },
    script: (socket) => {
      onSocket = socket;
    },
    upgrade: (answer) => {
      onUpgrade = answer;
    },
    dropSockets,
    recover: async () => {
      bad.clear();
      onSocket = undefined;
      onUpgrade = undefined;
      if (!service.server.listening) await service.listen(true);
    },
    listen: async (on) => {
      dropSockets();
      await service.listen(on);
    },
    finish: (requestId, status = 'success') => {
      (kept.get(requestId) as Kept).status = status;
      if (!onSocket) for (const socket of open.get(requestId) ?? []) tell(socket, requestId);
    },
    get given() {
      return [...kept.keys()];
    },
    calls: (phase) => log.filter((call) => call.phase === phase).map(({ seen }) => seen),
    close: async () => {
      dropSockets();
      await service.close();
    },
  };
};
