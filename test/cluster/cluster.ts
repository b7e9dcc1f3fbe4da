// Three replicas of the bot on one Postgres, the reference service, and a front: what a small installation looks like,
// on one machine.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/free-port.ts';
import { startPostgres } from '../support/postgres.ts';
import { type Front, startFront } from './front.ts';

export interface ClusterOptions {
  /** Where the front listens; 0 chooses a free port. */
  readonly port: number;
  readonly replicas?: number;
  /** More settings for every replica. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface Replica {
  readonly port: number;
  /** The one that runs now. */
  readonly process: ChildProcess;
  /** Where somebody can sign in at the desk once, at this replica itself. */
  readonly deskUrl: string;
}

export interface Cluster {
  readonly front: Front;
  readonly replicas: readonly Replica[];
  readonly databaseUrl: string;
  /** What matters to whoever started it: a label, and the address. */
  readonly addresses: readonly (readonly [label: string, address: string])[];
  /** Ends one replica on the spot. */
  kill(replica: Replica): Promise<void>;
  /** Starts one again that is gone, at the same place. */
  restart(replica: Replica): Promise<void>;
  /** Stops everything, the replicas first, and removes what they left. */
  close(): Promise<void>;
}

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const programs = { bot: [file('../../src/main.ts'), 'bot'], service: [file('../../src/service/main.ts')] };

/** Starts one of them; tells the addresses that it prints once it is ready. */
const start = async (command: 'bot' | 'service', settings: Readonly<Record<string, string>>, last: string) => {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--import', file('with-parent.ts'), ...programs[command]],
    { env: { PATH: process.env.PATH, LOG_LEVEL: process.env.LOG_LEVEL, ...settings }, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  );
  const addresses = new Map<string, string>();
  for await (const line of createInterface({ input: child.stdout as NonNullable<typeof child.stdout> })) {
    const [label = '', address = ''] = line.split(/ {2,}/);
    addresses.set(label, address);
    if (label === last) return { child: child as ChildProcess, addresses };
  }
  throw new Error(`the ${command} did not start; what it said stands above`);
};

const end = async (child: ChildProcess, signal: NodeJS.Signals) => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
};

/** Starts everything; what was started is stopped again when a part fails. */
export const startCluster = async ({ port, replicas: count = 3, settings = {} }: ClusterOptions): Promise<Cluster> => {
  const undo: (() => unknown)[] = [];
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const dataDir = mkdtempSync(join(tmpdir(), 'countersign-cluster-'));
    undo.push(() => rmSync(dataDir, { recursive: true, force: true }));
    const postgres = await startPostgres();
    undo.push(postgres.stop);
    const databaseUrl = await postgres.createDatabase();
    const front = await startFront(port);
    const chatUrl = `http://localhost:${front.port}`;

    const SERVICE_SECRET_KEY = randomBytes(32).toString('base64url');
    const service = await start('service', { DATA_DIR: dataDir, SERVICE_PORT: '0', SERVICE_SECRET_KEY }, 'service');
    undo.push(() => end(service.child, 'SIGTERM'));
    const serviceUrl = service.addresses.get('service') ?? '';
    const common = {
      ...settings,
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      PUBLIC_URL: chatUrl,
      SERVICE_BASE_URL: serviceUrl,
      SERVICE_WS_URL: `${serviceUrl.replace(/^http/, 'ws')}/ws`,
      SERVICE_IDEMPOTENT: 'true',
      SERVICE_MULTIPLEX: 'true',
      SERVICE_SECRET_KEY,
    };
    const launch = async (own: number) => {
      const { addresses, child } = await start('bot', { ...common, PORT: String(own) }, 'bot endpoint');
      undo.push(() => end(child, 'SIGTERM'));
      const { pathname } = new URL(addresses.get('desk') ?? chatUrl);
      return { process: child, deskUrl: `http://localhost:${own}${pathname}` };
    };
    const replicas = await Promise.all(
      Array.from({ length: count }, async () => {
        const own = await freePort();
        return { port: own, ...(await launch(own)) };
      }),
    );
    // Closed first: nobody is sent to a replica that is going.
    undo.push(front.close);
    front.serve(replicas.map((replica) => replica.port));
    return {
      front,
      replicas,
      databaseUrl,
      addresses: [
        ['chat', `${chatUrl}/`],
        ['outbox', service.addresses.get('outbox') ?? ''],
        ['service', serviceUrl],
        ['bot endpoint', `${chatUrl}/api/messages`],
        ['database', databaseUrl],
        ...replicas.map(
          (replica, index) => [`replica ${index + 1}`, `http://localhost:${replica.port} (process ${replica.process.pid})`] as const,
        ),
      ],
      kill: (replica) => end(replica.process, 'SIGKILL'),
      restart: async (replica) => {
        Object.assign(replica, await launch(replica.port));
      },
      close,
    };
  } catch (fault) {
    await close();
    throw fault;
  }
};
