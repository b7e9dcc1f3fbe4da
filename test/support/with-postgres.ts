// What a whole run of the tests shares, however many processes do the work: a Postgres, a folder, and compiled code for the many that are started.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runVariable } from './packed.ts';
import { addressVariable, startPostgres, type TemporaryPostgres } from './postgres.ts';

let postgres: TemporaryPostgres;
let folder: string;

export const mochaGlobalSetup = async () => {
  postgres = await startPostgres();
  process.env[addressVariable] = postgres.address;
  folder = mkdtempSync(join(tmpdir(), 'countersign-run-'));
  process.env[runVariable] = folder;
  process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'countersign-compiled');
};

export const mochaGlobalTeardown = async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true });
};
