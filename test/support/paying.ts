// A customer with a payment request, at a service with a test gateway.
import { makeLog } from '../../src/platform/log.ts';
import { signWebhook } from '../../src/platform/secrets/webhook-signature.ts';
import type { ServiceOptions } from '../../src/service/index.ts';
import { type ConnectorServer, connectorSecret, openConnector } from './connector-server.ts';
import { hiddenFields } from './device.ts';
import { type Reply, startTestService as startOnSqlite, type TestService } from './running-service.ts';
import { sendBody } from './sends.ts';
import { makeTestTime, type TestTime } from './test-time.ts';

export interface Paying {
  readonly service: TestService;
  readonly connector: ConnectorServer;
  readonly time: TestTime;
  readonly log: string[];
  /** Sends a payment request. */
  send(ending?: '0102' | '0110'): Promise<{ requestId: string; link: string; wsToken: string }>;
  /** Presses the button of the device page. */
  press(link: string, fields?: Record<string, string>): Promise<Reply>;
  /** The only checkout of a request at the gateway, with its return address. */
  checkoutOf(requestId: string): { id: string; back: string };
  /** Posts the gateway's webhook. */
  notify(checkoutId: string, eventId?: string, raw?: Buffer): Promise<Reply>;
  state(requestId: string): Promise<string>;
  events(requestId: string): Promise<string[]>;
  advance(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

export const startPaying = async (options: Partial<ServiceOptions> = {}, startTestService = startOnSqlite): Promise<Paying> => {
  const connector = await openConnector();
  const time = makeTestTime();
  const log: string[] = [];
  const service = await startTestService({
    clock: time.clock,
    alarm: time.alarm,
    gateway: { name: 'http', url: connector.url, secret: connectorSecret },
    log: makeLog('info', { write: (line) => void log.push(line) }),
    ...options,
  });
  const record = async (id: string) => (await service.call('GET', `/requests/${id}`)).json;
  let webhooks = 0;
  return {
    service,
    connector,
    time,
    log,
    send: async (ending) => {
      const { json } = await service.call('POST', '/payments/send', { body: sendBody('payments', ending) });
      return { requestId: json.requestId, wsToken: json.wsToken, link: (await service.outbox())[0]?.link ?? '' };
    },
    press: async (link, fields = {}) => {
      const hidden = hiddenFields((await service.open('GET', link)).text);
      return service.open('POST', link, { body: new URLSearchParams({ ...hidden, decision: 'accept', ...fields }) });
    },
    checkoutOf: (requestId) => {
      const [found] = [...connector.checkouts].filter(([, { reference }]) => reference === requestId).slice(-1);
      if (!found) throw new TypeError('no checkout');
      return { id: found[0], back: new URL(found[1].asked.returnUrl ?? '').pathname };
    },
    notify: (checkoutId, eventId = `evt_${++webhooks}`, raw = Buffer.from(JSON.stringify({ checkoutId }))) => {
      const headers = signWebhook(connectorSecret, eventId, raw, time.clock.now());
      return service.open('POST', '/webhooks/http', { body: raw, headers: { 'content-type': 'application/json', ...headers } });
    },
    state: async (id) => (await record(id)).state,
    events: async (id) => (await record(id)).events.map(({ type }: { type: string }) => type),
    advance: (milliseconds) => time.advance(milliseconds, () => service.running.settled()),
    close: async () => {
      await service.close();
      await connector.close();
    },
  };
};
