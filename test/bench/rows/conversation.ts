// Whole conversations over our own Direct Line, from the greeting to the outcome: what one costs, what 200 at once
// without time to think come to, and what they leave behind in memory and in the database.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Bench } from '../line.ts';
import { inParallel } from '../load.ts';
import { median, percentile } from '../numbers.ts';
import { patiently } from '../patiently.ts';
import { type BenchService, openBenchService } from '../peers/service.ts';
import { makeWebChats } from '../peers/web-chat.ts';
import { cpuPerUnit, openSide, type Side, withSides } from '../side.ts';

const perRound = 100;
/** So many rounds before those that count: code that is run once a conversation is compiled late. */
const uncounted = 10;
const together = 4;
const atOnce = 200;
/** How long (ms) a process is left alone, after a start or a burst, before its memory is measured. */
const rest = 10_000;
const megabyte = 2 ** 20;

const talking = async (side: Side, service: BenchService) => {
  const users = makeWebChats(side);
  const ended = new Map<string, number>();
  const lags: number[] = [];
  let faults = 0;
  let numbers = 0;
  service.hear((requestId) => {
    ended.set(requestId, performance.now());
    setImmediate(() => service.finish(requestId));
  });
  /** Every conversation is of another number, since a number gets only so many messages. */
  const number = () => {
    numbers += 1;
    return `+1202555${String(numbers).padStart(4, '0')}`;
  };
  const converse = async () => {
    const chat = await users.begin();
    const outcome = Promise.withResolvers<void>();
    await chat.listen((frame) => {
      for (const [, id = ''] of frame.matchAll(/"(?:requestId|request":\{"id)":"(\w+)"/g)) {
        const at = ended.get(id);
        if (at === undefined || !ended.delete(id)) continue;
        lags.push(performance.now() - at);
        outcome.resolve();
      }
    });
    for (const text of ['payments', number(), 'yes', '1']) await chat.say(text);
    await outcome.promise;
    chat.close();
  };
  return {
    lags,
    converse: () =>
      converse().catch(() => {
        faults += 1;
      }),
    faults: () => faults,
    close: () => users.close(),
  };
};

const quiet = async (side: Side) => {
  let last = await side.cpu();
  await patiently(
    500,
    async () => {
      const now = await side.cpu();
      const used = now - last;
      last = now;
      return used < 50_000;
    },
    'it to have nothing to do',
    60_000,
  );
};

/** What the database takes, its log included, so that nothing depends on when that was last emptied. */
const kept = (dataDir: string) =>
  ['bot.db', 'bot.db-wal'].reduce((sum, name) => sum + (statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0), 0);

export const conversation: Bench = async ({ rounds, say }) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const service = await openBenchService();
  try {
    return await withSides([openSide('ours/bot.ts', { service: service.access, settings: { DATA_DIR: dataDir } })], async (one) => {
      const side = one as Side;
      await quiet(side);
      await pause(rest);
      const idle = (await side.resident()) / megabyte;
      const talk = await talking(side, service);
      const cpu: number[] = [];
      for (let round = 1; round <= uncounted + rounds; round += 1) {
        say(`round ${round}`);
        cpu.push(await cpuPerUnit(side, perRound, () => inParallel(perRound, together, talk.converse)));
      }
      talk.lags.length = 0;
      say(`${atOnce} at once`);
      await inParallel(atOnce, atOnce, talk.converse);
      const faults = talk.faults();
      await talk.close();
      await pause(rest);
      await quiet(side);
      const after = (await side.resident()) / megabyte;
      await side.ask('empty');
      const bytes = kept(dataDir) / (perRound * cpu.length + atOnce);
      const what = 'a whole conversation, menu to outcome';
      const many = `${atOnce} conversations at once, nobody thinking`;
      return [
        { what, unit: 'ms CPU', ours: median(cpu.slice(uncounted)) / 1000, reach: { most: 15 } },
        { what: `the same, of the first ${perRound} in a process`, unit: 'ms CPU', ours: (cpu[0] as number) / 1000 },
        { what: `${many}: lag of an outcome, half of them`, unit: 'ms', ours: percentile(talk.lags, 0.5), reach: { most: 1000 } },
        { what: `${many}: lag of an outcome, 99 of 100`, unit: 'ms', ours: percentile(talk.lags, 0.99) },
        { what: `${many}, and those before: errors`, unit: 'errors', ours: faults, reach: { most: 0 } },
        // From sources; what is installed takes less, and is measured with its start.
        { what: 'memory of the process, idle', unit: 'MB', ours: idle },
        { what: `the same after all these and ${rest / 1000} s`, unit: 'MB', ours: after, reach: { most: 450 } },
        { what: 'database of one conversation', unit: 'KB', ours: bytes / 1024, reach: { most: 30 } },
      ];
    });
  } finally {
    await service.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
};
