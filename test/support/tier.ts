// What test/run.ts tells the processes that run the tests about their tier.
import type { DatabaseKind } from '../../src/platform/database.ts';

/** Which tests run. Unset: whatever was named to mocha itself. */
export const tierVariable = 'COUNTERSIGN_TEST_TIER';
export type TierOfRun = 'fast' | 'named to fast' | 'default' | 'deep';

const tier = process.env[tierVariable] as TierOfRun | undefined;
const fast = tier === 'fast' || tier === 'named to fast';

/** Nothing in the fast tier has a Postgres or a browser; a file that is named has what it needs. */
export const wholeFastTier = tier === 'fast';

const both: readonly DatabaseKind[] = ['sqlite', 'postgres'];

/** The databases that are tried, where something of the bot's holds on either. */
export const databaseKinds = fast ? both.slice(0, 1) : both;

/** The same, of the service's. */
export const serviceDatabaseKinds = tier === 'default' ? both.slice(0, 1) : databaseKinds;

/** How a suite of the service on a database is called. */
export const titleOn = (title: string, kind: DatabaseKind) => `${title} (${kind})`;

/** A test of what Postgres alone does, among others that need none. */
export const itOnPostgres = (...test: Parameters<Mocha.TestFunction>) => (fast ? it.skip : it)(...test);
