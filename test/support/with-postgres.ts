// Shared by all processes of a test run: a Postgres on request, a folder, compiled code for the many processes that are
// started, and the durations of files.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runVariable } from './packed.ts';
import { keeperVariable, startPostgres, type TemporaryPostgres } from './postgres.ts';
import { compiledFolder, wholeFastTier } from './tier.ts';
import { noteTime } from './times.ts';

let postgres: Promise<TemporaryPostgres> | undefined;
let keeper: Server | undefined;
let folder: string;

/** Starts a Postgres for the first caller, and gives its address to all. */
const startKeeper = async () => {
  keeper = createServer(async (_, response) => {
    try {
      postgres ??= startPostgres();
      response.end((await postgres).address);
    } catch (fault) {
      response.writeHead(500).end(String(fault));
    }
  }).listen(0, '127.0.0.1');
  await once(keeper, 'listening');
  process.env[keeperVariable] = `http://127.0.0.1:${(keeper.address() as AddressInfo).port}`;
};

export const mochaGlobalSetup = async () => {
  if (!wholeFastTier) await startKeeper();
  folder = mkdtempSync(join(tmpdir(), 'countersign-run-'));
  process.env[runVariable] = folder;
  process.env.NODE_COMPILE_CACHE ??= compiledFolder();
};

export const mochaGlobalTeardown = async () => {
  keeper?.close();
  await (await postgres?.catch(() => undefined))?.stop();
  rmSync(folder, { recursive: true });
};

export const mochaHooks: Mocha.RootHookObject = { afterAll: noteTime };
