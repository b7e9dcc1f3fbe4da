// What a whole run of the tests shares, however many processes do the work: a Postgres, and compiled code for the many that are started.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressVariable, startPostgres, type TemporaryPostgres } from './postgres.ts';

let postgres: TemporaryPostgres;

export const mochaGlobalSetup = async () => {
  postgres = await startPostgres();
  process.env[addressVariable] = postgres.address;
  process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'countersign-compiled');
};

export const mochaGlobalTeardown = () => postgres.stop();
