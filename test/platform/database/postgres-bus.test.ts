import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Bus } from '../../../src/platform/database/bus.ts';
import type { SharedDatabase } from '../../../src/platform/database/database.ts';
import { openPostgres } from '../../../src/platform/database/postgres.ts';
import { makePostgresBus } from '../../../src/platform/database/postgres-bus.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { newDatabase } from '../../support/postgres.ts';
import { until } from '../../support/until.ts';

describe('the bus between processes', () => {
  const lines: { msg: string; count?: number }[] = [];
  const log = makeLog('warn', { write: (line) => void lines.push(JSON.parse(line)) });
  let databases: SharedDatabase<unknown>[];
  let buses: [Bus, Bus];
  before(async () => {
    const url = await newDatabase();
    databases = await Promise.all([1, 2].map(() => openPostgres(url, {}, { log })));
    const [one, other] = databases.map((database, index) => makePostgresBus(database, `process-${index}`, 'test', log));
    buses = [one ?? assert.fail(), other ?? assert.fail()];
    await listening();
  });
  after(async () => {
    for (const bus of buses) await bus.close();
    for (const { close } of databases) await close();
  });

  const heardOn = (bus: Bus, topic: string) => {
    const heard: (string | undefined)[] = [];
    const stop = bus.subscribe(topic, (message) => heard.push(message));
    return { heard, stop };
  };
  /** Resolves when each hears the other. */
  const listening = async () => {
    for (const [from, to] of [buses, [buses[1], buses[0]]] as const) {
      const { heard, stop } = heardOn(to, 'hello');
      await until(() => {
        from.publish('hello', 'there');
        return heard.includes('there');
      });
      stop();
    }
  };

  it('delivers to the other process, and to this one at once, each message once', async () => {
    const [one, other] = buses;
    const [here, there] = [heardOn(one, 'news'), heardOn(other, 'news')];
    one.publish('news', 'first ü');
    assert.deepEqual(here.heard, ['first ü']);
    await until(() => there.heard.length > 0);
    one.publish('news');
    await until(() => there.heard.length > 1);
    assert.deepEqual(
      [here.heard, there.heard],
      [
        ['first ü', undefined],
        ['first ü', undefined],
      ],
    );
    here.stop();
    there.stop();
  });

  it('packs many messages into few notifications, none lost and in order', async () => {
    const [one, other] = buses;
    const { heard, stop } = heardOn(other, 'many');
    const words = Array.from({ length: 2_000 }, (_, index) => `word ${index}`);
    for (const word of words) one.publish('many', word);
    await until(() => heard.length >= words.length);
    assert.deepEqual(heard, words);
    stop();
  });

  it('drops messages that are too large for a notification, says so in the log, and continues', async () => {
    const [one, other] = buses;
    const { heard, stop } = heardOn(other, 'big');
    const largest = 'x'.repeat(3_750 - '["big",""]'.length);
    const before = lines.length;
    one.publish('big', `${largest}x`);
    one.publish('big', 'x'.repeat(10_000));
    one.publish('big', largest);
    one.publish('big', 'small');
    await until(() => heard.length > 1);
    assert.deepEqual(heard, [largest, 'small']);
    assert.deepEqual(
      lines.slice(before).map(({ count, msg }) => [msg, count]),
      [['signals to other processes were dropped: too large, or too many', 2]],
    );
    stop();
  });

  it('says in the log how many were dropped because too many were waiting', async () => {
    const [one, other] = buses;
    const { heard, stop } = heardOn(other, 'flood');
    const before = lines.length;
    for (let index = 0; index < 10_003; index += 1) one.publish('flood', `word ${index}`);
    await until(() => heard.length >= 10_000);
    assert.deepEqual([heard.length, heard.at(-1)], [10_000, 'word 9999']);
    assert.deepEqual(
      lines.slice(before).map(({ count }) => count),
      [3],
    );
    stop();
  });

  it('delivers two equal messages with another between them so that the last one comes last', async () => {
    const [one, other] = buses;
    const { heard, stop } = heardOn(other, 'state');
    for (const state of ['here', 'gone', 'here']) one.publish('state', state);
    await until(() => heard.length > 1);
    assert.deepEqual(heard, ['gone', 'here']);
    stop();
  });

  it('ignores what it cannot read', async () => {
    const [one, other] = buses;
    const { heard, stop } = heardOn(other, 'news');
    for (const nonsense of ['', 'nonsense', '[]', '["x",[[]]]', '["x",[[7]]]'])
      await sql`select pg_notify('test', ${nonsense})`.execute(databases[0]?.db ?? assert.fail());
    one.publish('news', 'sense');
    await until(() => heard.length > 0);
    assert.deepEqual(heard, ['sense']);
    stop();
  });

  it('asks all listeners to check for changes after its connection was lost', async () => {
    const [, other] = buses;
    const { heard, stop } = heardOn(other, 'anything');
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen%' and datname = current_database()`.execute(
      databases[0]?.db ?? assert.fail(),
    );
    await until(() => heard.length > 0);
    assert.deepEqual(heard, [undefined]);
    stop();
    await listening();
  });
});
