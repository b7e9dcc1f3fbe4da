// A send at the reference service: on disk before it is answered, its message handed over afterwards.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ulid } from 'ulid';
import { Agent } from 'undici';
import { alternateCosts } from '../alternate.ts';
import type { Bench } from '../line.ts';
import { inParallel } from '../load.ts';
import { costPerUnit, openSide, type Side, withSides } from '../side.ts';

const sends = 1500;
const together = 16;
/**
 * What one send and the handing over of its message write: the request twice more after it was added, its key, five
 * quotas, two entries of its trail, an event, the message on its way, there and away, and in the outbox.
 */
const rows = 14;
const body = JSON.stringify({
  sessionRef: 'session-0001',
  customerRef: 'cust-0102-mei',
  phoneNumber: '+12025550102',
  productId: 'fibre-router',
});

/** Sends, and waits until nothing of it is left to do. */
const work = async ({ told, ask }: Side) => {
  const { url, secretKey } = told as { url: string; secretKey?: string };
  const { origin, pathname } = new URL(url);
  const agent = new Agent({ connections: together });
  await inParallel(sends, together, async () => {
    const { statusCode, body: answer } = await agent.request({
      origin,
      path: pathname,
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${secretKey}`, 'idempotency-key': ulid() },
      body,
    });
    const words = await answer.text();
    if (statusCode !== 200) throw new Error(`a send was answered with ${statusCode}: ${words}`);
  });
  if (secretKey !== undefined) await ask('settled');
  await agent.close();
};

export const send: Bench = async ({ rounds }) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  try {
    return await withSides(
      [openSide('floors/durable-route.ts', { dataDir, rows }), openSide('ours/service.ts', { dataDir })],
      async (floor, ours) => {
        const measure = (side: Side) => () => costPerUnit(side, sends, () => work(side));
        const { cpu, elapsed } = await alternateCosts(rounds, { floor: measure(floor as Side), ours: measure(ours as Side) });
        const what = 'a send under load, its message handed over, against a route with as many rows in a grouped commit';
        return [
          { what, unit: 'µs', ...elapsed, reach: { ratio: 1.5 } },
          { what: 'the same', unit: 'µs CPU', ...cpu },
        ];
      },
    );
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
};
