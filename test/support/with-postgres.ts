// One Postgres for a whole run of the tests, however many processes share the work.
import { addressVariable, startPostgres, type TemporaryPostgres } from './postgres.ts';

let postgres: TemporaryPostgres;

export const mochaGlobalSetup = async () => {
  postgres = await startPostgres();
  process.env[addressVariable] = postgres.address;
};

export const mochaGlobalTeardown = () => postgres.stop();
