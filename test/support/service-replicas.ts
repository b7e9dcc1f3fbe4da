// Several replicas of the service on one Postgres, each in its own process, behind a front that distributes requests in
// turn.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunningService, ServiceOptions } from '../../src/service/index.ts';
import { type Front, startFront } from '../cluster/front.ts';
import { sharedOptions } from './each-database.ts';
import { callsTo, type ServiceCalls } from './running-service.ts';

export interface ServiceReplica extends ServiceCalls {
  readonly process: ChildProcess;
  readonly port: number;
  readonly wsUrl: string;
}

export interface ServiceReplicas {
  readonly replicas: readonly ServiceReplica[];
  /** One address for all of them. */
  readonly front: ServiceCalls & Pick<Front, 'given' | 'port'>;
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** Kills one; the front sends it nothing any more. */
  kill(replica: ServiceReplica): Promise<void>;
  /** Starts another one. */
  add(): Promise<ServiceReplica>;
  close(): Promise<void>;
}

/** Other processes cannot be awaited: the outbox is read as it is. */
const settled = async () => {};

const script = fileURLToPath(new URL('service-process.ts', import.meta.url));

export const startServiceReplicas = async (count: number, options: Partial<ServiceOptions> = {}): Promise<ServiceReplicas> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-replicas-'));
  const shared = await sharedOptions(dataDir);
  const front = await startFront(0);
  const publicUrl = `http://localhost:${front.port}`;
  const replicas: ServiceReplica[] = [];
  const serve = () => front.serve(replicas.map(({ port }) => port));

  const add = async () => {
    const given = JSON.stringify({ ...shared, dataDir: join(dataDir, 'none'), publicUrl, ...options });
    const child = fork(script, [given], { execArgv: ['--disable-warning=ExperimentalWarning'] });
    const [running] = (await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => Promise.reject(new Error('a replica did not start'))),
    ])) as [RunningService];
    const replica = { process: child, port: running.port, wsUrl: running.wsUrl, ...callsTo(() => ({ ...running, settled })) };
    replicas.push(replica);
    serve();
    return replica;
  };
  const kill = async (replica: ServiceReplica) => {
    replicas.splice(replicas.indexOf(replica), 1);
    serve();
    const ended = once(replica.process, 'exit');
    replica.process.kill('SIGKILL');
    await ended;
  };
  for (const _ of Array.from({ length: count })) await add();

  const behind = { baseUrl: `http://127.0.0.1:${front.port}`, secretKey: shared.secretKey, settled } as RunningService;
  return {
    replicas,
    front: { ...callsTo(() => behind), port: front.port, given: front.given },
    databaseUrl: shared.databaseUrl,
    dataDir,
    kill,
    add,
    close: async () => {
      await front.close();
      await Promise.all([...replicas].map(kill));
      rmSync(dataDir, { recursive: true });
    },
  };
};
