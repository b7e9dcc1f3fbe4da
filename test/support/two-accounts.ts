// A service with two accounts whose customers, phone numbers and identifiers overlap as much as possible.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceOptions } from '../../src/service/index.ts';
import { type CatalogueChange, ownCatalogue } from './own-catalogue.ts';
import { type Reply, type Sending, startTestService, type TestService } from './running-service.ts';

/** The second account's key. */
export const northernKey = 'a-key-of-the-second-account-0001';
export const digestOf = (key: string) => createHash('sha256').update(key).digest('hex');

/** The demo account, and one whose catalogue differs in name, prices and one item of each kind. */
export const twoAccounts: CatalogueChange = (file) => {
  const demo = structuredClone(file);
  const northern = structuredClone(file);
  for (const part of Object.keys(file)) delete file[part];
  northern.account = { id: 'northern', name: 'Northern Telecom', keys: [{ sha256: digestOf(northernKey) }] };
  // The key of its zero-knowledge form is up to the account.
  northern.forms = northern.forms.filter(({ zeroKnowledge }: { zeroKnowledge?: boolean }) => !zeroKnowledge);
  for (const customer of northern.customers) customer.name = `Northern ${customer.name}`;
  northern.customers.push({ id: 'northern-only', name: 'Olga Berg', email: 'olga.berg@example.com', phoneNumber: '+12025550150' });
  northern.products[0].id = 'northern-bill';
  northern.documents[0].id = '5d0c0000-0000-4000-8000-0000000000b1';
  northern.forms[0].id = '6f1c0000-0000-4000-8000-0000000000b1';
  file.accounts = [demo, northern];
};

export interface TwoAccounts extends TestService {
  /** Calls with the second account's key; `call` uses the first one's. */
  northern(method: string, path: string, sending?: Sending): Promise<Reply>;
}

/** Starts it; `change` comes after the second account was added. */
export const startTwoAccounts = async (
  overrides: Partial<ServiceOptions> = {},
  change: CatalogueChange = () => {},
): Promise<TwoAccounts> => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-accounts-'));
  const catalogueFile = ownCatalogue(folder, (file) => {
    twoAccounts(file);
    change(file);
  });
  const service = await startTestService({ catalogueFile, ...overrides }).catch((fault) => {
    rmSync(folder, { recursive: true });
    throw fault;
  });
  const { call, open, outbox, restart, dataDir, databaseUrl } = service;
  return {
    get running() {
      return service.running;
    },
    dataDir,
    databaseUrl,
    call,
    open,
    outbox,
    restart,
    northern: (method, path, { headers, ...sending } = {}) =>
      call(method, path, { ...sending, headers: { ...headers, authorization: `Bearer ${northernKey}` } }),
    close: async () => {
      await service.close();
      rmSync(folder, { recursive: true });
    },
  };
};
