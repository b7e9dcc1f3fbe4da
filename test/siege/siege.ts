// A siege: hostile requests by the thousand, each repeatable by seed and number, with honest ones in between that must
// not notice.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { openSide } from '../bench/side.ts';
import { type Chance, makeChance } from '../faults/random.ts';
import { faultOf } from './answers.ts';
import type { Attack, Kind } from './attack.ts';
import { attacksOnBot } from './attacks-on-bot.ts';
import { attacksOnService } from './attacks-on-service.ts';
import { attacksOnWire, openSlowClient, type WireEnd, type WireTarget } from './attacks-on-wire.ts';
import { type Honest, makeHonest } from './honest.ts';
import { differences, storedIn } from './stored.ts';
import type { Target } from './target.ts';

export interface SiegeOptions {
  readonly requests: number;
  readonly seed: number;
  /** Ends it early, milliseconds. The honest customer's link lives for 30 minutes, so no siege lasts longer than 25. */
  readonly mostMs?: number;
  /** GivenRequest now and then how many were sent. */
  readonly onProgress?: (sent: number) => void;
}

export interface SiegeReport {
  readonly sent: number;
  readonly seconds: number;
  readonly byKind: Readonly<Record<string, number>>;
  readonly byEnd: Readonly<Record<string, number>>;
  readonly honest: { readonly rounds: number; readonly slowestMs: number };
  /**
   * Of clients that never finish their head: how many there were, how many were let go, and after how many milliseconds
   * the last.
   */
  readonly slow: { readonly opened: number; readonly dropped: number; readonly afterMs: number };
  /** What lives in memory, and what the system has given, bytes; before is after the first tenth. */
  readonly memory: {
    readonly liveBefore: number;
    readonly liveAfter: number;
    readonly residentBefore: number;
    readonly residentAfter: number;
  };
  readonly violations: readonly string[];
}

/** Attacks at a time. */
const together = 48;
const honestEvery = 400;
const slowClients = 20;
const answerMs = 15_000;
/** What may live in memory afterwards that did not before, bytes. */
const mostGrowth = 16 * 1024 * 1024;
/** Violations that are told; more say nothing new. */
const told = 20;
const longest = 25 * 60_000;

type Wire = (typeof attacksOnWire)[string];
const kinds: readonly (readonly [string, number, Kind | Wire])[] = [
  ...Object.entries({ ...attacksOnService, ...attacksOnBot }).map(([name, [often, kind]]) => [name, often, kind] as const),
  ...Object.entries(attacksOnWire).map(([name, wire]) => [name, wire[0], wire] as const),
];
const sums = kinds.map((_, index) => kinds.slice(0, index + 1).reduce((sum, [, often]) => sum + often, 0));
const upTo = (index: number) => sums[index] ?? 0;
const total = upTo(kinds.length - 1);

const pickKind = (chance: Chance) => {
  const drawn = chance.next() * total;
  return kinds.find((_, index) => drawn < upTo(index)) ?? kinds[0];
};

export const besiege = async ({ requests, seed, mostMs = longest, onProgress }: SiegeOptions): Promise<SiegeReport> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-siege-'));
  const side = await openSide('../siege/target.ts', { dataDir });
  const target = side.told as unknown as Target;
  const pools = { bot: poolTo(target.botUrl), service: poolTo(target.serviceUrl) };
  const slow = Array.from({ length: slowClients }, (_, index) => openSlowClient(portOf(index % 2 ? target.botUrl : target.serviceUrl)));
  const began = performance.now();
  try {
    const honest = await makeHonest(side, target);
    const wire: WireTarget = { botPort: portOf(target.botUrl), servicePort: portOf(target.serviceUrl), streamPath: honest.streamPath };
    const violations: string[] = [];
    const byKind: Record<string, number> = {};
    const byEnd: Record<string, number> = {};
    const chance = makeChance(seed);
    const count = (of: Record<string, number>, name: string) => {
      of[name] = (of[name] ?? 0) + 1;
    };
    const blame = (violation: string) => {
      if (violations.length < told) violations.push(violation);
    };

    const strike = async (number: number) => {
      const own = chance.branch(number);
      const [name, , how] = pickKind(own) as (typeof kinds)[number];
      count(byKind, name);
      if (typeof how !== 'function') {
        const end = await how[1](own, wire);
        count(byEnd, nameOf(end));
        if (!how[2](end)) blame(`${number}, ${name}: ended with ${nameOf(end)}`);
        return;
      }
      const attack = how(own, honest.known());
      const end = await sendTo(pools[attack.at], attack);
      count(byEnd, typeof end === 'string' ? end : String(end.status));
      const fault = typeof end === 'string' ? (end === 'cut' && attack.cut ? undefined : `was ${end}`) : faultOf(attack, end);
      if (fault) blame(`${number}, ${name}: ${attack.method} ${attack.path.slice(0, 80)} ${fault}`);
    };

    let rounds = 0;
    let slowestMs = 0;
    const askHonestly = async (asker: Honest) => {
      const asked = performance.now();
      await asker.ask().catch((fault) => blame(`an honest call: ${fault}`));
      slowestMs = Math.max(slowestMs, performance.now() - asked);
      rounds += 1;
    };

    let next = 0;
    const until = async (last: number) => {
      const work = async () => {
        while (next < last && violations.length < told && side.process.connected && performance.now() - began < mostMs) {
          next += 1;
          const number = next;
          await strike(number);
          if (number % honestEvery === 0) await askHonestly(honest);
          if (number % 10_000 === 0) onProgress?.(number);
        }
      };
      await Promise.all(Array.from({ length: together }, work));
    };

    await askHonestly(honest);
    // What is made once, when it is first needed, is there after the first tenth.
    await until(Math.ceil(requests / 10));
    const [before, stored] = [await side.memory(), storedIn(dataDir)];
    await until(requests);
    await askHonestly(honest);
    const after = await side.memory();
    for (const difference of differences(stored, storedIn(dataDir))) blame(difference);
    for (const complaint of (await side.ask('complaints')) as string[]) blame(`in the log: ${complaint.trim().slice(0, 300)}`);
    const growth = after.live - before.live;
    if (growth > mostGrowth) blame(`memory grew by ${Math.round(growth / 1024)} KB`);

    const drops = slow.flatMap(({ droppedAt }) => droppedAt() ?? []);
    return {
      sent: next,
      seconds: (performance.now() - began) / 1000,
      byKind,
      byEnd,
      honest: { rounds, slowestMs },
      slow: { opened: slow.length, dropped: drops.length, afterMs: Math.max(0, ...drops.map((at) => at - began)) },
      memory: { liveBefore: before.live, liveAfter: after.live, residentBefore: before.resident, residentAfter: after.resident },
      violations,
    };
  } finally {
    for (const client of slow) client.close();
    await Promise.all(Object.values(pools).map((pool) => pool.destroy()));
    await side.close();
    rmSync(dataDir, { recursive: true });
  }
};

const poolTo = (url: string) => new Pool(url, { connections: together, headersTimeout: answerMs, bodyTimeout: answerMs });
const portOf = (url: string) => Number(new URL(url).port);
const nameOf = (end: WireEnd) => (typeof end === 'string' ? end : 'status' in end ? String(end.status) : `socket ${end.code}`);

/**
 * Sends a request and reads all of its answer. `cut`: the connection was closed before there was one; `unanswered`:
 * nothing came in time.
 */
const sendTo = async (pool: Pool, { method, path, headers, body }: Attack) => {
  try {
    const answer = await pool.request({
      method: method as 'GET',
      path,
      ...(headers && { headers }),
      ...(body !== undefined && { body }),
    });
    return { status: answer.statusCode, type: String(answer.headers['content-type'] ?? ''), text: await answer.body.text() };
  } catch (fault) {
    const { code = '' } = fault as { code?: string };
    if (/TIMEOUT/.test(code)) return 'unanswered';
    if (/^(?:UND_ERR_SOCKET|ECONNRESET|EPIPE)$/.test(code)) return 'cut';
    throw fault;
  }
};
