// Bots on one Postgres, beside a service and a channel.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
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
}

/** A Postgres with a database of its own, a service and a channel, for the time that `use` takes. */
export const withGround = async <Result>(use: (ground: Ground) => Promise<Result>): Promise<Result> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const [postgres, service, channel] = [await startPostgres(), await openBenchService({ multiplex: true }), await openBenchChannel()];
  const place = { dataDir, databaseUrl: await postgres.createDatabase() };
  const database = new Client({ connectionString: place.databaseUrl });
  await database.connect();
  const bot = () => openSide('ours/bot.ts', { service: service.access, settings: settingsOf(place) });
  try {
    return await use({ place, service, channel, database, bot });
  } finally {
    await database.end();
    await Promise.all([service.close(), channel.close()]);
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
};
