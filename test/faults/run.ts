// Runs: so many kills, so many network faults, then the check.
import { setTimeout as pause } from 'node:timers/promises';
import type { FaultBackend } from './backends.ts';
import { check, type Violation } from './checker.ts';
import { gather, unfinished } from './evidence.ts';
import { type Point, points } from './points.ts';
import { type Chance, makeChance } from './random.ts';
import type { NetworkFault } from './tcp-proxy.ts';
import { openWorld, type World } from './world.ts';

export interface RunOptions {
  readonly backend: FaultBackend;
  readonly seed: number;
  readonly kills: number;
  /** Points to kill at; every other kill is at a random instant where `instants` says so. */
  readonly at?: readonly Point[];
  /** The share of kills at a random instant. */
  readonly instants?: number;
  /** The share of connections that meet a fault. */
  readonly badness?: number;
  /** Runs on, with kills or without, until so many network faults took effect. */
  readonly networkFaults?: number;
  readonly together?: number;
  /** When to stop at the latest, as `performance.now()` tells it. */
  readonly until?: number;
}

export interface Run {
  readonly seed: number;
  readonly kills: number;
  /** Kills at named points, by point. */
  readonly reached: ReadonlyMap<Point, number>;
  readonly networkFaults: number;
  readonly visits: number;
  readonly interactions: number;
  readonly violations: readonly Violation[];
  readonly troubles: readonly string[];
}

const kinds: readonly NetworkFault['kind'][] = ['latency', 'latency', 'slicing', 'reset', 'reset', 'truncation', 'refused', 'half-open'];

const faultOf =
  (badness: number) =>
  (chance: Chance): NetworkFault | undefined =>
    chance.happens(badness)
      ? {
          kind: chance.pick(kinds),
          direction: chance.pick(['answer', 'request']),
          after: chance.happens(0.5) ? chance.between(0, 400) : chance.between(0, 3000),
          delay: chance.between(50, 800),
        }
      : undefined;

/** One run over one world. */
export const run = async ({
  backend,
  seed,
  kills,
  at = points,
  instants = 0.3,
  badness = 0,
  networkFaults = 0,
  together = 10,
  until = Number.POSITIVE_INFINITY,
}: RunOptions): Promise<Run> => {
  const chance = makeChance(seed);
  const world = await openWorld({ backend, chance, visits: 5000, together, ...(badness > 0 && { network: faultOf(badness) }) });
  const reached = new Map<Point, number>();
  const tried = new Map<Point, number>(at.map((point) => [point, 0]));
  let killed = 0;
  const goesOn = () => performance.now() < until;
  try {
    const schedule = chance.branch('kills');
    /** The points that were tried least often so far: whichever comes first will do. */
    const rarest = (): readonly Point[] => {
      const fewest = Math.min(...tried.values());
      return at.filter((point) => tried.get(point) === fewest);
    };
    const note = (points: readonly Point[], weight: number) => {
      for (const point of points) tried.set(point, (tried.get(point) ?? 0) + weight);
    };
    let alive = await world.bots.start();
    world.open();
    for (; killed < kills && goesOn(); killed += 1) {
      const point = alive ? await killOnce(world, schedule, schedule.happens(instants) ? undefined : { rarest, note }) : undefined;
      if (point) reached.set(point, (reached.get(point) ?? 0) + 1);
      // Sometimes it dies again before it ever serves.
      alive = await world.bots.start(schedule.happens(0.15) ? { at: [schedule.pick(points)], nth: schedule.between(1, 3) } : undefined);
    }
    while (total(world) < networkFaults && goesOn()) await pause(50);
    if (await world.bots.dies(0)) await restart(world);
    world.bots.spare();
    const stories = await settle(world);
    const evidence = await gather(world.database, world.dataDir, stories);
    return {
      seed,
      kills: killed,
      reached,
      networkFaults: total(world),
      visits: stories.length,
      interactions: evidence.interactions.length,
      violations: check(evidence),
      troubles: world.troubles,
    };
  } finally {
    await world.close();
  }
};

const total = (world: World) => Object.values(world.networkFaults()).reduce((sum, count) => sum + count, 0);

/** Starts it without doom. */
const restart = async (world: World) => {
  if (!(await world.bots.start())) throw new Error('the bot died by itself');
};

/** How many points a bot lives through before it may die at one, at most. */
const life = 80;
/** How many others may pass before points are given up for now, and how long (ms) that may take. */
const patience = 150;
const longest = 20_000;
/** How often others are tried before the kill comes at whatever instant that is. */
const tries = 3;

/** What a run knows of its points. */
interface Tally {
  rarest(): readonly Point[];
  /** They were tried: in vain, for half as much. */
  note(points: readonly Point[], weight: 1 | 0.5): void;
}

/**
 * Kills the bot once, if it lives: at the first point of the rarest that it reaches, or at a random instant. Answers
 * the point.
 */
const killOnce = async (world: World, chance: Chance, tally: Tally | undefined): Promise<Point | undefined> => {
  for (let attempt = 0; tally && attempt < tries; attempt += 1) {
    const at = tally.rarest();
    const givenUp = world.bots.doom({ at, nth: chance.between(1, 3), after: chance.between(0, life), patience });
    if (await world.bots.dies(longest, givenUp)) {
      world.bots.spare();
      const point = world.bots.diedAt();
      tally.note(point ? [point] : [], 1);
      return point;
    }
    tally.note(at, 0.5);
  }
  if (!tally && (await world.bots.dies(chance.between(30, 700)))) return undefined;
  world.bots.spare();
  await world.bots.kill();
  return undefined;
};

/** Lets everything end. Should the bot still die of a doom it was given, it is started again. */
const settle = async (world: World) => {
  let over = false;
  const watch = (async () => {
    while (!over) if ((await world.bots.dies(100)) && !over) await restart(world);
  })();
  const stories = await world.settle();
  const end = performance.now() + 60_000;
  while ((await unfinished(world.database)).length > 0 && performance.now() < end) await pause(100);
  over = true;
  await watch;
  return stories;
};

/** A run in one line. */
export const describeRun = ({ seed, kills, reached, networkFaults, visits, interactions, violations }: Run) =>
  `seed ${seed}: ${kills} kills (${[...reached.values()].reduce((sum, count) => sum + count, 0)} at ${reached.size} named points), ` +
  `${networkFaults} network faults, ${visits} visits, ${interactions} interactions, ${violations.length} violations`;
