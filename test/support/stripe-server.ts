// The part of Stripe's Checkout API that the service uses, on loopback: requests are checked as Stripe would, and
// recorded.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StripeSession {
  readonly id: string;
  readonly object: 'checkout.session';
  status: 'complete' | 'expired' | 'open';
  payment_status: 'paid' | 'unpaid';
  url: string | null;
  amount_total: number;
  currency: string;
  client_reference_id: string;
  payment_intent: unknown;
  readonly asked: Readonly<Record<string, string>>;
}

export interface StripeServer {
  readonly url: string;
  readonly sessions: Map<string, StripeSession>;
  /** Answers every call with this status from now on; undefined: correctly. */
  refuse(status: number | undefined): void;
  /** Changes a session before it is returned. */
  bend(change: ((session: StripeSession) => object) | undefined): void;
  /** The customer pays. */
  pay(id: string): void;
  close(): Promise<void>;
}

const secretKey = 'sk_test_local';
/** The parameters of a session in the API. It would refuse any other. */
const parameters = new Set([
  ...['mode', 'client_reference_id', 'locale', 'success_url', 'cancel_url', 'expires_at', 'adaptive_pricing[enabled]'],
  ...['payment_intent_data[metadata][requestId]', 'line_items[0][quantity]', 'line_items[0][price_data][currency]'],
  ...['line_items[0][price_data][unit_amount]', 'line_items[0][price_data][product_data][name]'],
  ...['line_items[0][price_data][product_data][description]', 'expand[0]'],
]);

const read = async (req: IncomingMessage) => {
  let body = '';
  for await (const chunk of req) body += chunk;
  return Object.fromEntries(new URLSearchParams(body));
};

export const stripeKey = secretKey;

export const openStripe = async (): Promise<StripeServer> => {
  const sessions = new Map<string, StripeSession>();
  const made = new Map<string, { asked: string; id: string }>();
  let refusal: number | undefined;
  let bent: ((session: StripeSession) => object) | undefined;

  const make = (asked: Record<string, string>): StripeSession => {
    const id = `cs_test_${sessions.size + 1}`;
    const session: StripeSession = {
      id,
      object: 'checkout.session',
      status: 'open',
      payment_status: 'unpaid',
      url: `https://checkout.stripe.example/c/pay/${id}`,
      amount_total: Number(asked['line_items[0][price_data][unit_amount]']) * Number(asked['line_items[0][quantity]']),
      currency: asked['line_items[0][price_data][currency]'] ?? '',
      client_reference_id: asked.client_reference_id ?? '',
      payment_intent: null,
      asked,
    };
    sessions.set(id, session);
    return session;
  };
  const problem = (type: string, code: string) => ({ error: { type, code, message: code } });

  const answer = async (req: IncomingMessage): Promise<[number, object]> => {
    if (refusal !== undefined) return [refusal, problem('api_error', 'unavailable')];
    if (req.headers.authorization !== `Bearer ${secretKey}`) return [401, problem('invalid_request_error', 'api_key_invalid')];
    const { pathname } = new URL(req.url ?? '', 'http://stripe');
    const asked = await read(req);
    const unknown = Object.keys(asked).find((name) => !parameters.has(name));
    if (unknown !== undefined) return [400, problem('invalid_request_error', `parameter_unknown: ${unknown}`)];
    if (req.method === 'POST' && pathname === '/v1/checkout/sessions') {
      const end = Number(asked.expires_at) - Date.now() / 1000;
      if (end < 30 * 60 || end > 24 * 60 * 60) return [400, problem('invalid_request_error', 'parameter_invalid: expires_at')];
      const key = String(req.headers['idempotency-key']);
      const before = made.get(key);
      if (before && before.asked !== JSON.stringify(asked)) return [400, problem('idempotency_error', 'idempotency_key_in_use')];
      const session = before ? sessions.get(before.id) : make(asked);
      if (!session) return [404, problem('invalid_request_error', 'resource_missing')];
      made.set(key, { asked: JSON.stringify(asked), id: session.id });
      return [200, session];
    }
    const [, id = '', expire] = /^\/v1\/checkout\/sessions\/(\w+)(\/expire)?$/.exec(pathname) ?? [];
    const session = sessions.get(id);
    if (!session) return [404, problem('invalid_request_error', 'resource_missing')];
    if (expire) {
      if (session.status !== 'open') return [400, problem('invalid_request_error', 'checkout_session_not_open')];
      session.status = 'expired';
      session.url = null;
    }
    return [200, bent ? { ...session, ...bent(session) } : session];
  };

  const server = createServer((req, res) => {
    void answer(req).then(([status, body]) => {
      res.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_local' });
      res.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sessions,
    refuse: (status) => {
      refusal = status;
    },
    bend: (change) => {
      bent = change;
    },
    pay: (id) => {
      const session = sessions.get(id);
      if (!session) throw new TypeError(`no session ${id}`);
      session.status = 'complete';
      session.payment_status = 'paid';
      session.url = null;
      session.payment_intent = {
        id: `pi_${id}`,
        object: 'payment_intent',
        latest_charge: { id: `ch_${id}`, object: 'charge', receipt_url: `https://pay.stripe.example/receipts/${id}` },
      };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
