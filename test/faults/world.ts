// One run's world: the service in this process, a bot in processes that die, bad networks between all of them, and
// customers.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appIds } from '../../src/contract/index.ts';
import { makeLog } from '../../src/platform/log.ts';
import { startService } from '../../src/service/index.ts';
import type { FaultBackend, FaultDatabase } from './backends.ts';
import { numberOf, writeCatalogue } from './catalogue.ts';
import { type Story, visit } from './customer.ts';
import { type Devices, makeDevices } from './device.ts';
import type { Chance } from './random.ts';
import { openReplicas, type Replicas } from './replicas.ts';
import { type NetworkFault, startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

export interface WorldOptions {
  readonly backend: FaultBackend;
  readonly chance: Chance;
  /** At most so many visits in all. */
  readonly visits: number;
  /** Visits at the same time. */
  readonly together: number;
  /** What happens to connections while the network is bad. */
  readonly network?: (chance: Chance) => NetworkFault | undefined;
}

export interface World {
  readonly dataDir: string;
  readonly database: FaultDatabase;
  readonly bots: Omit<Replicas, 'base' | 'close'>;
  /** Lets customers come and go, until told to stop; no new ones come then. */
  open(): void;
  /** Ends the bad network, lets every visit end and every outcome be told. Answers the visits. */
  settle(): Promise<Story[]>;
  /** Faults of the network that took effect. */
  networkFaults(): Record<NetworkFault['kind'], number>;
  /** What went wrong in the harness or with visits that never ended. */
  readonly troubles: readonly string[];
  close(): Promise<void>;
}

/** How long (ms) the service lets a request live: one that nobody answers ends soon. */
const lifetime = 6_000;
/** How long (ms) a customer keeps trying. */
const endurance = 600_000;

const forAllApps = <Value>(value: Value) => Object.fromEntries(appIds.map((app) => [app, value])) as Record<(typeof appIds)[number], Value>;

export const openWorld = async ({ backend, chance, visits, together, network = () => undefined }: WorldOptions): Promise<World> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-faults-'));
  const troubles: string[] = [];
  let serviceUrl = '';
  const devices: Devices = makeDevices(chance.branch('devices'), () => serviceUrl);
  const service = await startService({
    port: 0,
    host: '127.0.0.1',
    dataDir,
    demo: true,
    catalogueFile: writeCatalogue(dataDir, visits),
    delivery: devices.delivery,
    limits: { expiryMs: forAllApps(lifetime), resendCooldownsMs: [500] },
    log: makeLog('silent'),
  });
  serviceUrl = service.baseUrl;

  let bad = true;
  const proxies: TcpProxy[] = [];
  const proxyTo = async (to: () => number | undefined, name: string) => {
    const own = chance.branch(name);
    const proxy = await startTcpProxy({ to, plan: () => (bad ? network(own) : undefined) });
    proxies.push(proxy);
    return proxy;
  };
  const database = await backend.open(dataDir);
  const toService = await proxyTo(() => service.port, 'service');
  const replicas = await openReplicas({
    count: backend.replicas,
    chance: chance.branch('replicas'),
    proxyTo,
    options: {
      environment: { DATA_DIR: dataDir, LOG_LEVEL: process.env.FAULTS_LOG ? 'debug' : 'silent', ...database.environment },
      service: {
        baseUrl: `http://127.0.0.1:${toService.port}`,
        wsUrl: `ws://127.0.0.1:${toService.port}/ws`,
        secretKey: service.secretKey,
        idempotent: true,
        multiplex: chance.branch('sockets').pick([true, false]),
      },
      outcomeTimeouts: forAllApps(backend.patience),
      calls: { timeouts: { connect: 1000, call: 3000 }, breaker: { openFor: 500 } },
    },
  });

  const running = new Set<Promise<void>>();
  const stories: Story[] = [];
  let coming = false;
  let come = 0;
  const letIn = () => {
    while (coming && running.size < together && come < visits) {
      const index = come;
      come += 1;
      const work = visit({
        name: `c${index}`,
        phoneNumber: numberOf(index),
        chance: chance.branch(`customer ${index}`),
        base: replicas.base,
        devices,
        until: performance.now() + endurance,
      })
        .then(
          (story) => void stories.push(story),
          (fault) => void troubles.push(`customer ${index}: ${fault?.stack ?? fault}`),
        )
        .finally(() => {
          running.delete(work);
          letIn();
        });
      running.add(work);
    }
  };

  return {
    dataDir,
    database,
    troubles,
    bots: replicas,
    open: () => {
      coming = true;
      letIn();
    },
    settle: async () => {
      coming = false;
      bad = false;
      while (running.size > 0) await Promise.all(running);
      await devices.idle();
      return stories;
    },
    networkFaults: () => {
      const all = { 'half-open': 0, latency: 0, refused: 0, reset: 0, slicing: 0, truncation: 0 };
      for (const { counts } of proxies) for (const kind of Object.keys(all) as (keyof typeof all)[]) all[kind] += counts[kind];
      return all;
    },
    close: async () => {
      await replicas.close();
      for (const { line } of stories) await line.close();
      for (const proxy of proxies) await proxy.close();
      await service.close();
      await database.close();
      if (!process.env.FAULTS_KEEP) rmSync(dataDir, { recursive: true });
    },
  };
};
