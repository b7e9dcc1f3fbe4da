// Replicas on one Postgres: how soon another watches what a dead one watched, and how little they ask of the database
// meanwhile.
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Bench, Effort } from '../line.ts';
import { median } from '../numbers.ts';
import { patiently } from '../patiently.ts';
import { type Ground, withGround } from '../peers/replicas.ts';
import { makeWaiting } from '../peers/waiting.ts';
import { asManyAsFit } from '../room.ts';
import type { Side } from '../side.ts';

const patience = 60_000;

const taken = 2000;

/**
 * How long (ms) after the first bot is struck the second one holds everything, and how long until it watches all of it.
 */
const takeOver = async ({ database, service, bot }: Ground, strike: (victim: Side) => void): Promise<[held: number, watched: number]> => {
  const victim = await bot();
  await patiently(20, () => service.followed === taken, 'the first to watch', patience);
  const heir = await bot();
  const before = (await database.query('select distinct owner from interaction where told = 0')).rows.map(({ owner }) => owner);
  const alone = victim.process;
  const followedBefore = service.connects;
  const began = performance.now();
  strike(victim);
  let held: number | undefined;
  await patiently(
    5,
    async () => {
      if (held === undefined) {
        const { rows } = await database.query('select 1 from interaction where told = 0 and owner = any($1) limit 1', [before]);
        if (rows.length === 0) held = performance.now() - began;
      }
      return held !== undefined && service.connects - followedBefore >= taken;
    },
    'the second to take over',
    patience,
  );
  const watched = performance.now() - began;
  alone.kill('SIGKILL');
  await heir.close();
  return [held as number, watched];
};

export const takeover: Bench = ({ rounds, say }) =>
  withGround(async (ground) => {
    await makeWaiting(ground.place, taken, ground.service, ground.channel);
    const strikes = { SIGKILL: 'killed', SIGSTOP: 'stalled' } as const;
    const found: Record<keyof typeof strikes, [number, number][]> = { SIGKILL: [], SIGSTOP: [] };
    for (let round = 0; round < rounds; round += 1) {
      for (const signal of ['SIGKILL', 'SIGSTOP'] as const) {
        say(`a replica is ${strikes[signal]}, round ${round + 1}`);
        found[signal].push(await takeOver(ground, (victim) => victim.process.kill(signal)));
      }
    }
    const held = (signal: keyof typeof strikes) => median(found[signal].map(([one]) => one));
    const watched = (signal: keyof typeof strikes) => median(found[signal].map(([, one]) => one));
    return [
      { what: `${taken} of a killed replica, until another holds them`, unit: 'ms', ours: held('SIGKILL'), reach: { most: 500 } },
      { what: 'the same, until all are watched', unit: 'ms', ours: watched('SIGKILL') },
      {
        what: `${taken} of a stalled one, whose lease alone tells it, until another holds them`,
        unit: 'ms',
        ours: held('SIGSTOP'),
        reach: { most: 4000 },
      },
      { what: 'the same, until all are watched', unit: 'ms', ours: watched('SIGSTOP') },
    ];
  });

const watchedFor = 10_000;

/** Transactions a second on a database of a process that has nothing to do. */
const idling = async (database: Client): Promise<number> => {
  // Counted by the server, which learns what a connection has done up to ten seconds after it did.
  const transactions = async () =>
    Number(
      (await database.query('select xact_commit + xact_rollback as n from pg_stat_database where datname = current_database()')).rows[0].n,
    );
  await pause(12_000);
  const [before, began] = [await transactions(), performance.now()];
  await pause(watchedFor);
  const [after, ended] = [await transactions(), performance.now()];
  // The first of our own two.
  return ((after - before - 1) * 1000) / (ended - began);
};

/** The same of a bot for which so many wait. */
const idlingBot = async ({ database, service, bot }: Ground, count: number): Promise<number> => {
  const side = await bot();
  try {
    await patiently(20, () => service.followed === count, `${count} to be watched`, patience);
    return await idling(database);
  } finally {
    await side.close();
  }
};

export const statements: Bench = ({ waiting, say }: Effort) =>
  withGround(async (ground) => {
    const count = asManyAsFit(waiting, say);
    const none = await idlingBot(ground, 0);
    await makeWaiting(ground.place, count, ground.service, ground.channel);
    const many = await idlingBot(ground, count);
    const { side, database } = await ground.referenceService();
    const ofService = await idling(database);
    await side.close();
    return [
      {
        what: `transactions while ${count} wait and nothing happens, against none waiting`,
        unit: '/s',
        floor: none,
        ours: many,
        reach: { most: 7 },
      },
      { what: 'the same of the reference service, and of both', unit: '/s', floor: ofService, ours: many + ofService, reach: { most: 7 } },
    ];
  });
