// The life of interactions with a real store, a manual clock, and a scripted service and chat.
import type sinon from 'sinon';
import { type CancelEnding, type GetEnding, type ResendEnding, type ServiceClient, TransportError } from '../../src/client/index.ts';
import { type AppId, appIds, type EventFrame, type EventType, type RequestRecord, type ResultRecord } from '../../src/contract/index.ts';
import { type Interactions, makeInteractions } from '../../src/interactions/index.ts';
import type { Interaction } from '../../src/interactions/interaction.ts';
import type { EventsRequest, InteractionsContext, Notify } from '../../src/interactions/ports.ts';
import type { Plan } from '../../src/interactions/starting/start.ts';
import { makeLimit, type Rate } from '../../src/platform/limits.ts';
import { makeLog } from '../../src/platform/log.ts';
import { openStorage, type Storage } from '../../src/storage/index.ts';
import { fakeTime } from './fake-time.ts';
import { requestId } from './service-samples.ts';

type Send = (key: string, signal: AbortSignal | undefined, returnLink: boolean) => Promise<unknown>;

export interface Socket extends EventsRequest {
  /** When it was opened, on the fake clock. */
  readonly at: number;
  closed: boolean;
  /** Sends an event, by default about this request. */
  tell(type: EventType, payload?: EventFrame['payload']): void;
}

export interface InteractionsUnderTest {
  readonly time: sinon.SinonFakeTimers;
  readonly storage: Storage;
  readonly lines: string[];
  /** The sockets that were opened, oldest first. */
  readonly sockets: Socket[];
  /** When results were read, on the fake clock. */
  readonly reads: number[];
  /** The requests they were read for. */
  readonly read: string[];
  /** Deliveries to the chat, oldest first. */
  readonly delivered: Interaction[];
  readonly progress: Interaction[];
  /** Idempotency keys of the sends, oldest first. */
  readonly sends: string[];
  /** The customers that look-ups find from now on. */
  customers: () => Promise<{ id: string; name: string }[]>;
  /** The requests for which a code was checked. */
  readonly checks: string[];
  /** Whether a code is right, from now on. */
  isRight: () => Promise<boolean>;
  /** Answers to reads of results from now on. */
  result: (signal: AbortSignal | undefined) => Promise<ResultRecord | undefined>;
  send: Send;
  /** Endings of deliveries from now on. */
  deliver: (interaction: Interaction) => Promise<unknown>;
  /** The jitter from now on. */
  random: number;
  /** Behaviour of each socket that is opened from now on. */
  onSocket: (socket: Socket) => void;
  /** The source of the jitter. */
  jitter: () => number;
  /** The service's answers to a withdrawal, and about a request's state, from now on. */
  cancel: () => Promise<CancelEnding>;
  record: () => Promise<GetEnding>;
  resend: () => Promise<ResendEnding>;
  /** How often the state was requested. */
  asked: number;
  /** How far (ms) the clock is behind the timers: Node's ring up to a millisecond early by it. */
  behind: number;
  /** Another life over the same store, as after a start of the process. */
  make(
    options?: { idempotent?: boolean } & { sendsFromOrigin?: readonly Rate[] } & Partial<Pick<InteractionsContext, 'sendsToNumber'>>,
  ): Interactions;
  open(interactions: Interactions): Promise<void>;
  /** Lets running work continue, without time passing. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** The service's record of the request. */
export const recordOf = (state: RequestRecord['state']): RequestRecord => ({
  id: requestId,
  app: 'payments',
  state,
  customerRef: 'customer-0001',
  sessionRef: 'session-0001',
  createdAt: '2026-11-20T09:00:00.000Z',
  expiresAt: '2026-11-20T09:10:00.000Z',
  events: [],
});

export const start = Date.UTC(2026, 10, 20, 9);
export const outcomeTimeout = 10 * 60_000;

export const plan: Plan<'payments'> = {
  id: '01M7W000000000000000000001',
  app: 'payments',
  conversation: 'directline/c-1',
  address: '{"conversation":{"id":"c-1"}}',
  sessionRef: 'session-0001',
  customerRef: 'customer-0001',
  phoneNumber: '+12025550147',
  request: { sessionRef: 'session-0001', customerRef: 'customer-0001', phoneNumber: '+12025550147', productId: 'p-1' },
};

export const startInteractions = async (): Promise<InteractionsUnderTest> => {
  const { time, restore } = fakeTime(start);
  const storage = await openStorage(undefined);
  const lines: string[] = [];
  const lives: Interactions[] = [];
  const clock = { now: () => Date.now() - test.behind };
  let ids = 0;
  const test: InteractionsUnderTest = {
    time,
    storage,
    lines,
    sockets: [],
    reads: [],
    read: [],
    delivered: [],
    progress: [],
    sends: [],
    customers: async () => [],
    checks: [],
    isRight: async () => false,
    result: async () => undefined,
    send: async () => ({ requestId, wsToken: 'token-0001' }),
    deliver: async () => {},
    random: 0.5,
    jitter: () => test.random,
    onSocket: () => {},
    cancel: async () => ({ kind: 'cancelled', record: recordOf('cancelled') }),
    resend: async () => ({ kind: 'resent', record: recordOf('pending') }),
    record: async () => ({ kind: 'unsupported' }),
    asked: 0,
    behind: 0,
    make: ({ idempotent = false, sendsFromOrigin = [], sendsToNumber = [] } = {}) => {
      const life = makeInteractions({
        client: client as unknown as ServiceClient,
        store: storage.interactions,
        fromOrigin: makeLimit(...sendsFromOrigin),
        sendsToNumber,
        events: (request) => {
          const socket: Socket = {
            wsToken: request.wsToken,
            requestId: request.requestId,
            onUp: () => request.onUp(),
            onEvent: (type, frame) => request.onEvent(type, frame),
            onMalformed: () => request.onMalformed?.(),
            onDown: (reason) => request.onDown(reason),
            at: clock.now(),
            closed: false,
            tell: (type, payload) =>
              request.onEvent(type, { id: 'e', type, timestamp: 'x', payload: payload ?? { app: 'payments', request: { id: requestId } } }),
          };
          test.sockets.push(socket);
          test.onSocket(socket);
          return {
            close: () => {
              socket.closed = true;
            },
          };
        },
        clock,
        newId: () => `i-${String(++ids).padStart(4, '0')}`,
        random: () => test.jitter(),
        outcomeTimeouts: Object.fromEntries(appIds.map((app) => [app, outcomeTimeout])) as Record<AppId, number>,
        idempotent,
        log: makeLog('debug', { write: (line) => void lines.push(line) }),
      });
      lives.push(life);
      return life;
    },
    open: (interactions) => interactions.open(notify),
    settle: async () => {
      for (let round = 0; round < 5; round += 1) await time.tickAsync(0);
    },
    close: async () => {
      const closing = lives.map((life) => life.close());
      await test.settle();
      await time.tickAsync(60_000);
      await Promise.all(closing);
      await storage.close();
      restore();
    },
  };
  const notify: Notify = async (interaction, kind) => {
    if (kind === 'progress') return void test.progress.push(interaction);
    test.delivered.push(interaction);
    await test.deliver(interaction);
  };
  const send = async (
    _request: unknown,
    { idempotencyKey, returnLink = false, signal }: { idempotencyKey: string; returnLink?: boolean; signal?: AbortSignal },
  ) => {
    test.sends.push(idempotencyKey);
    return test.send(idempotencyKey, signal, returnLink);
  };
  const client = {
    apps: {
      payments: { send, bootstrap: async () => ({ customers: await test.customers(), products: [] }) },
      'one-time-passcode': {
        send,
        bootstrap: async () => ({ customers: await test.customers() }),
        check: async ({ requestId: id }: { requestId: string }) => {
          test.checks.push(id);
          return { codeMatch: await test.isRight() };
        },
      },
    },
    results: {
      get: async (id: string, { signal }: { signal?: AbortSignal }) => {
        test.reads.push(clock.now());
        test.read.push(id);
        return test.result(signal);
      },
    },
    requests: {
      cancel: async () => test.cancel(),
      resend: async () => test.resend(),
      get: async () => {
        test.asked += 1;
        return test.record();
      },
    },
  };
  return test;
};

/** Never answers, until its caller gives up. */
export const hang = (signal: AbortSignal | undefined) =>
  new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(new TransportError('results.get', 'aborted', { sent: true })));
  });
