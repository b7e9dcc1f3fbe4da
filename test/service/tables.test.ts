import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { purge } from '../../src/platform/database/retention.ts';
import { makeLog } from '../../src/platform/log.ts';
import { system } from '../../src/service/core/audit/origin.ts';
import { makeRandom } from '../../src/service/core/secrets/random.ts';
import { makeSeal } from '../../src/service/core/secrets/seal.ts';
import { requestTables } from '../../src/service/core/store/erasure.ts';
import { openStorage, type Storage } from '../../src/service/core/store/index.ts';
import { ownRows } from '../../src/service/tables.ts';
import { acceptance, acceptedAt as now } from '../support/stored-request.ts';

describe('what the parts of the service store', () => {
  let dataDir: string;
  let storage: Storage;
  let columnsOf: ReadonlyMap<string, readonly string[]>;
  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'countersign-tables-'));
    const seal = makeSeal('the-pepper-of-this-test-and-no-other');
    const random = makeRandom();
    storage = await openStorage({ dataDir, url: undefined, newId: random.id, seal, log: makeLog('silent'), parts: ownRows });
    const tables = await storage.database.db.introspection.getTables();
    columnsOf = new Map(tables.map(({ name, columns }) => [name, columns.map((column) => column.name)]));
  });
  after(async () => {
    await storage.close();
    rmSync(dataDir, { recursive: true });
  });
  const having = (column: string) =>
    [...columnsOf]
      .filter(([, columns]) => columns.includes(column))
      .map(([name]) => name)
      .sort();

  it('is known to erasure and retention: every table with rows of requests or customers', () => {
    // Of these three, erasure leaves rows that prove what was done.
    assert.deepEqual(having('request_id'), [...requestTables(ownRows), 'audit', 'events', 'notes'].sort());
    const ofCustomers = ownRows.flatMap((part) => part.ofCustomers ?? []);
    assert.deepEqual(having('customer_ref'), [...ofCustomers, 'requests'].sort());
  });

  it('names columns that exist', () => {
    for (const { table, column } of ownRows.flatMap((part) => part.quoted ?? [])) assert.ok(columnsOf.get(table)?.includes(column), table);
  });

  it('keeps a request that has ended while it can still be paid', async () => {
    const { db } = storage.database;
    const { request } = acceptance('payable');
    for (const id of ['payable', 'other']) await storage.requests.accept(acceptance(id));
    const created = { gateway: 'sandbox', gateway_id: 'checkout', url: 'https://pay.example.com/', attempt: 1, tries: 0 };
    const open = { ...created, state: 'open', amount: '100', currency: 'USD', due_at: now, created_at: now };
    await db
      .insertInto('checkouts')
      .values({ request_id: 'payable', ...open })
      .execute();
    for (const id of ['payable', 'other']) await storage.changes.cancel(id, now, system);
    const customer = { accountId: request.accountId, customerRef: request.customerRef, destinations: [] };
    const stop = new AbortController().signal;
    const forget = async () => (await purge(storage.database, sql<number>`${now + 2}`, storage.retention(now + 2, 1), stop)).requests;
    assert.deepEqual([(await storage.erasure.erase(customer, now)).open, await forget(), await forget()], [1, 1, 0]);
    await db.updateTable('checkouts').set({ state: 'closed' }).execute();
    assert.deepEqual([(await storage.erasure.count(customer)).open, await forget()], [0, 1]);
  });
});
