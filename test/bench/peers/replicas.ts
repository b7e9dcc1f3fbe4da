// Bots on one Postgres, beside a service and a channel.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { sharedOptions } from '../../support/each-database.ts';
import { startPostgres } from '../../support/postgres.ts';
import { openSide, type Side } from '../side.ts';
import { type BenchChannel, openBenchChannel } from './channel.ts';
import { type BenchService, openBenchService } from './service.ts';
import { type Place, settingsOf } from './waiting.ts';

export interface Ground {
  readonly place: Place;
  readonly service: BenchService;
  readonly channel: BenchChannel;
  readonly database: Client;
  /** Starts one more replica. */
  bot(): Promise<Side>;
  /** Starts a reference service on a Postgres database of its own. */
  referenceService(): Promise<{ readonly side: Side; readonly database: Client }>;
}

/** A Postgres with a database of its own, a service and a channel, for the time that `use` takes. */
export const withGround = async <Result>(use: (ground: Ground) => Promise<Result>): Promise<Result> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const [postgres, service, channel] = [await startPostgres(), await openBenchService({ multiplex: true }), await openBenchChannel()];
  const place = { dataDir, databaseUrl: await postgres.createDatabase() };
  const database = new Client({ connectionString: place.databaseUrl });
  await database.connect();
  const bot = () => openSide('ours/bot.ts', { service: service.access, settings: settingsOf(place) });
  const connected = [database];
  const referenceService = async () => {
    const shared = await sharedOptions(dataDir, Date.now(), await postgres.createDatabase());
    const own = new Client({ connectionString: shared.databaseUrl });
    await own.connect();
    connected.push(own);
    return { side: await openSide('ours/service.ts', { dataDir, ...shared }), database: own };
  };
  try {
    return await use({ place, service, channel, database, bot, referenceService });
  } finally {
    await Promise.all(connected.map((client) => client.end()));
    await Promise.all([service.close(), channel.close()]);
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
};
