// From the moment that the service has a result until the message is posted, while many others wait. Against passing
// events on as they are.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Bench } from '../line.ts';
import { median, percentile } from '../numbers.ts';
import { patiently } from '../patiently.ts';
import { type BenchChannel, openBenchChannel } from '../peers/channel.ts';
import { type BenchService, openBenchService, tokenOf } from '../peers/service.ts';
import { makeWaiting, settingsOf } from '../peers/waiting.ts';
import { asManyAsFit } from '../room.ts';
import { openSide, type Side } from '../side.ts';

const seconds = 10;
/** After a start, what is under way comes to its end in this time (ms). */
const settling = 5000;

interface Pace {
  readonly perSecond: number;
  /** The first ones warm up: a turn costs twice as much until it is compiled. */
  readonly uncounted: number;
}

const usual: Pace = { perSecond: 200, uncounted: 600 };

/** Waits until what is under way after a start has come to its end. */
export const settle = () => pause(settling);

interface Finished {
  /** How long (ms) each took to be posted. */
  readonly took: number[];
  /** CPU time (µs) of one. */
  readonly cpu: number;
}

/** Ends requests one after the other, evenly. */
export const finish = async (
  side: Pick<Side, 'cpu'>,
  requests: readonly string[],
  service: BenchService,
  channel: BenchChannel,
  { perSecond, uncounted }: Pace = usual,
): Promise<Finished> => {
  const begun = new Map<string, number>();
  const took: number[] = [];
  channel.hear((_path, body) => {
    const id = /"(?:requestId|request":\{"id)":"(\w+)"/.exec(body)?.[1];
    const at = id === undefined ? undefined : begun.get(id);
    if (id === undefined || at === undefined) return;
    begun.delete(id);
    took.push(performance.now() - at);
  });
  const start = performance.now();
  let cpu = 0;
  for (const [index, id] of requests.entries()) {
    const wait = start + (index * 1000) / perSecond - performance.now();
    if (wait > 0) await pause(wait);
    if (index === uncounted) cpu = await side.cpu();
    begun.set(id, performance.now());
    if (!service.finish(id)) throw new Error('a request was not followed');
  }
  await patiently(20, () => took.length === requests.length, `${requests.length} outcomes`, 60_000);
  channel.hear(undefined);
  return { took: took.slice(uncounted), cpu: ((await side.cpu()) - cpu) / (requests.length - uncounted) };
};

/** Resolves when so many are watched. */
export const followed = (service: BenchService, count: number) =>
  patiently(20, () => service.followed >= count, `${count} to be watched`, 120_000);

export const outcomes: Bench = async ({ rounds, waiting, say }) => {
  const count = asManyAsFit(waiting, say);
  const many = Math.min(usual.perSecond * seconds, Math.floor(count / 2));
  const channel = await openBenchChannel();
  const floor: Finished[] = [];
  const ours: Finished[] = [];
  for (let round = 0; round < Math.min(rounds, 2); round += 1) {
    say(`round ${round + 1}`);
    const service = await openBenchService();
    const dataDir = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
    try {
      const ids = Array.from({ length: count }, (_, index) => `floor${index}`);
      const relay = await openSide('floors/sockets.ts', {
        url: service.access.wsUrl,
        tokens: ids.map(tokenOf),
        postTo: channel.serviceUrl,
      });
      await relay.ask('connectMore', count);
      await followed(service, count);
      floor.push(await finish(relay, ids.slice(0, many), service, channel));
      await relay.close();

      const requests = await makeWaiting({ dataDir }, count, service, channel);
      const bot = await openSide('ours/bot.ts', { service: service.access, settings: settingsOf({ dataDir }) });
      await followed(service, count);
      await settle();
      ours.push(await finish(bot, requests.slice(0, many), service, channel));
      await bot.close();
    } finally {
      await service.close();
      rmSync(dataDir, { recursive: true, force: true });
    }
  }
  await channel.close();
  const at = (share: number) => (one: Finished) => percentile(one.took, share);
  const cpuOf = (sides: readonly Finished[]) => median(sides.map(({ cpu }) => cpu)) / 1000;
  const line = (name: string, share: number, most: number) => ({
    what: `a result until its message is posted, ${usual.perSecond} a second, ${count} waiting, ${name}, against passing events on`,
    unit: 'ms',
    floor: median(floor.map(at(share))),
    ours: median(ours.map(at(share))),
    reach: { most },
  });
  return [
    line('half of them', 0.5, 5),
    line('99 of 100', 0.99, 50),
    { what: 'the same, of one', unit: 'ms CPU', floor: cpuOf(floor), ours: cpuOf(ours), reach: { most: 1.2 } },
  ];
};
