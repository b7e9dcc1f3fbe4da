// The databases that the service supports. Every test of it must pass on each.
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseKind } from '../../src/platform/database/database.ts';
import type { ServiceOptions } from '../../src/service/index.ts';
import { keptSigningKey } from '../../src/service/pdf/signing-key.ts';
import { emptyDatabase, newDatabase } from './postgres.ts';
import { startTestService } from './running-service.ts';
import { serviceDatabaseKinds, titleOn } from './tier.ts';

export type StartTestService = typeof startTestService;

/** The sealing keys of services on a Postgres. */
export const sharedPepper = 'the-pepper-of-all-replicas-in-these-tests';

/** Shared by replicas of the service. */
export interface SharedOptions extends Pick<ServiceOptions, 'signing'> {
  readonly databaseUrl: string;
  readonly secretKey: string;
  readonly pepper: string;
  readonly accountKeyFile: string;
}

/** Options for replicas on an empty database of their own; shared files are in `folder`. */
export const sharedOptions = async (folder: string, now = Date.now(), databaseUrl?: string): Promise<SharedOptions> => {
  await keptSigningKey(folder, 'Brightwater Energy', now);
  const pem = join(folder, 'signing.pem');
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const accountKeyFile = join(folder, 'account.jwk');
  writeFileSync(accountKeyFile, JSON.stringify({ ...publicKey.export({ format: 'jwk' }), kid: 'test' }));
  return {
    databaseUrl: databaseUrl ?? (await newDatabase()),
    secretKey: 'the-secret-key-of-the-test-account-for-all-replicas',
    pepper: sharedPepper,
    signing: { keyFile: pem, certificateFile: pem },
    accountKeyFile,
  };
};

/** Databases whose service is gone: emptying and migrating one takes a tenth of the time of creating one. */
const spare: string[] = [];

const startOnPostgres: StartTestService = async (overrides = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-shared-'));
  const shared = await sharedOptions(folder, overrides.clock?.now(), spare.pop());
  const service = await startTestService({ ...shared, ...overrides });
  const { close } = service;
  service.close = async () => {
    await close();
    await emptyDatabase(shared.databaseUrl);
    spare.push(shared.databaseUrl);
    rmSync(folder, { recursive: true });
  };
  return service;
};

const starting: Readonly<Record<DatabaseKind, StartTestService>> = { sqlite: startTestService, postgres: startOnPostgres };

/** Runs a suite on each database; it starts its services with the given options. */
export const onEachDatabase = (title: string, suite: (this: Mocha.Suite, startTestService: StartTestService) => void) => {
  for (const kind of serviceDatabaseKinds) {
    describe(titleOn(title, kind), function () {
      suite.call(this, starting[kind]);
    });
  }
};
