// The tier of a run, passed from test/run.ts to the processes that run the tests.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseKind } from '../../src/platform/database/database.ts';

/** The tests to run. Unset: the files named to mocha itself. */
export const tierVariable = 'COUNTERSIGN_TEST_TIER';
export type TierOfRun = 'fast' | 'named to fast' | 'default' | 'deep';

/** The file in which a run lists its failures. */
export const failuresVariable = 'COUNTERSIGN_TEST_FAILURES';

/** The folder that outlasts a run: for what the next one would have to make again. Unset: the one for temporary files. */
export const lastingVariable = 'COUNTERSIGN_TEST_LASTING';
export const lastingFolder = () => process.env[lastingVariable] ?? tmpdir();

/** Where Node keeps the code that it compiled, for all processes of this and later runs. */
export const compiledFolder = () => join(lastingFolder(), 'countersign-compiled');

const tier = process.env[tierVariable] as TierOfRun | undefined;
const fast = tier === 'fast' || tier === 'named to fast';

/** The fast tier has no Postgres and no browser. A file that is named has what it needs. */
export const wholeFastTier = tier === 'fast';

const both: readonly DatabaseKind[] = ['sqlite', 'postgres'];

/** The databases on which tests of the bot run. */
export const databaseKinds = fast ? both.slice(0, 1) : both;

/** The databases on which tests of the service run. */
export const serviceDatabaseKinds = tier === 'default' ? both.slice(0, 1) : databaseKinds;

/** The title of a service's suite on a database. */
export const titleOn = (title: string, kind: DatabaseKind) => `${title} (${kind})`;

/** Ends the titles of further cases. */
export const furtherMark = '(further)';

/**
 * A further case of what another test shows already: one more size, language or app. The deep tests run it, and whoever
 * names its file.
 */
export const itFurther = (title: string, test: Mocha.AsyncFunc) => {
  if (tier !== 'default' && !wholeFastTier) it(`${title} ${furtherMark}`, test);
};

/** Runs a test of a table of cases: a sample in every run, and the others as further cases. */
export const itSample = (isSample: boolean) => (isSample ? (title: string, test: Mocha.AsyncFunc) => void it(title, test) : itFurther);

/** A test of Postgres-only behaviour, among others that need none. */
export const itOnPostgres = (...test: Parameters<Mocha.TestFunction>) => (fast ? it.skip : it)(...test);
