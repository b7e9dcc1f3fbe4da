// A connector on loopback, like one that an operator would write for their own payment provider (src/service/README.md:
// Documents and payments).
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ConnectorCheckout {
  status: string;
  reference: string;
  amount: string;
  currency: string;
  transactionId?: string;
  receiptUrl?: string;
  readonly asked: Readonly<Record<string, string>>;
}

export interface ConnectorServer {
  readonly url: string;
  readonly checkouts: Map<string, ConnectorCheckout>;
  /** The calls that it refused so far. */
  refused(): number;
  /** From now on all calls are refused with this status, or `never` answered. */
  refuse(status: number | 'never' | undefined): void;
  bend(change: ((checkout: ConnectorCheckout) => object) | undefined): void;
  pay(id: string): void;
  close(): Promise<void>;
}

export const connectorSecret = 'connector-secret-of-the-tests';

export const openConnector = async (): Promise<ConnectorServer> => {
  const checkouts = new Map<string, ConnectorCheckout>();
  const made = new Map<string, string>();
  let refusal: number | 'never' | undefined;
  let refused = 0;
  let bent: ((checkout: ConnectorCheckout) => object) | undefined;

  const answer = async (req: IncomingMessage): Promise<[number, object]> => {
    if (refusal !== undefined) {
      refused += 1;
      return refusal === 'never' ? new Promise(() => {}) : [refusal, {}];
    }
    if (req.headers.authorization !== `Bearer ${connectorSecret}`) return [401, {}];
    let body = '';
    for await (const chunk of req) body += chunk;
    const [, id, expire] = /^\/pay\/checkouts(?:\/([\w-]+)(\/expire)?)?$/.exec(req.url ?? '') ?? [];
    if (req.method === 'POST' && req.url === '/pay/checkouts') {
      const asked = JSON.parse(body);
      const key = String(req.headers['idempotency-key']);
      const known = made.get(key) ?? `checkout-${checkouts.size + 1}`;
      if (!checkouts.has(known)) {
        const { reference, amount, currency } = asked;
        checkouts.set(known, { status: 'open', reference, amount, currency, asked });
      }
      made.set(key, known);
      return [201, { id: known, url: `https://pay.example.com/${known}` }];
    }
    const checkout = checkouts.get(id ?? '');
    if (!checkout) return [404, {}];
    if (expire && checkout.status === 'open') checkout.status = 'closed';
    return [200, bent ? { ...checkout, ...bent(checkout) } : checkout];
  };

  const server = createServer((req, res) => {
    void answer(req).then(([status, body]) => {
      res.writeHead(status, { 'content-type': 'application/json' });
      res.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/pay`,
    checkouts,
    refused: () => refused,
    refuse: (status) => {
      refusal = status;
    },
    bend: (change) => {
      bent = change;
    },
    pay: (id) => {
      const checkout = checkouts.get(id);
      if (!checkout) throw new TypeError(`no checkout ${id}`);
      Object.assign(checkout, { status: 'paid', transactionId: `tx-${id}`, receiptUrl: `https://pay.example.com/receipts/${id}` });
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
