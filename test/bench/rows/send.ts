// A send at the reference service: on disk before it is answered, its message handed over afterwards.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ulid } from 'ulid';
import { Agent } from 'undici';
import { alternate } from '../alternate.ts';
import type { Bench } from '../line.ts';
import { inParallel } from '../load.ts';
import { median } from '../numbers.ts';
import { openSide, type Side, withSides } from '../side.ts';

const sends = 1500;
const together = 16;
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
      [openSide('floors/durable-route.ts', { dataDir }), openSide('ours/service.ts', { dataDir })],
      async (floor, ours) => {
        const cpu: Record<'floor' | 'ours', number[]> = { floor: [], ours: [] };
        const measure = (side: Side, name: keyof typeof cpu) => async () => {
          const before = await side.cpu();
          const began = performance.now();
          await work(side);
          const took = performance.now() - began;
          cpu[name].push(((await side.cpu()) - before) / sends);
          return (took * 1000) / sends;
        };
        const medians = await alternate(rounds, { floor: measure(floor as Side, 'floor'), ours: measure(ours as Side, 'ours') });
        const what = 'a send under load, its message handed over, against a route with one durable insert';
        return [
          { what, unit: 'µs', ...medians, reach: { ratio: 1.5 } },
          { what: 'the same', unit: 'µs CPU', floor: median(cpu.floor), ours: median(cpu.ours) },
        ];
      },
    );
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
};
