import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { eraseCustomer } from '../../../src/compose/commands/erase.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { SettingsError } from '../../../src/platform/settings/settings-error.ts';
import { openStorage } from '../../../src/storage/index.ts';
import type { TestService } from '../../support/running-service.ts';
import { intent } from '../../support/samples.ts';
import { sendBody } from '../../support/sends.ts';
import { statement } from '../../support/service-database.ts';
import { startTwoAccounts, type TwoAccounts } from '../../support/two-accounts.ts';

/** Runs it on a folder with what is typed in, and tells what it said. */
const runOn = async (folder: string, args: readonly string[], typed?: string, more: Record<string, string> = {}) => {
  const [input, output] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })];
  input.end(typed);
  let said = '';
  output.on('data', (chunk) => {
    said += chunk;
  });
  const settings = { DATA_DIR: folder, DATABASE_URL: undefined };
  const environment = { DATA_DIR: folder, ...more };
  const gone = await eraseCustomer(args, settings, environment, { log: makeLog('silent'), input, output });
  return { gone, said };
};

describe('the command that erases a customer', () => {
  let folder: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-'));
    const storage = await openStorage(folder);
    await storage.interactions.record(intent('a', { customerRef: 'customer-0001', conversation: '["c","1"]' }));
    await storage.close();
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const run = (args: string[], typed?: string) => runOn(folder, args, typed);
  const left = async () => {
    const storage = await openStorage(folder);
    const found = await storage.interactions.get('a');
    await storage.close();
    return found !== undefined;
  };

  it('lists the data, asks, and reports what was removed', async () => {
    const { gone, said } = await run(['customer-0001'], 'customer-0001\n');
    assert.ok(gone);
    assert.match(
      said,
      /has about customer-0001:\n {2}interaction {8}1\n[\s\S]*still open: 1\.[\s\S]*service’s data is not touched[\s\S]*cannot be undone[\s\S]*Removed from the bot's database:\n {2}interaction {8}1\n/,
    );
    assert.equal(await left(), false);
  });

  for (const [what, typed] of [
    ['something else is typed', 'yes\n'],
    ['nothing is typed', ''],
  ] as const) {
    it(`removes nothing when ${what}`, async () => {
      const { gone, said } = await run(['customer-0001'], typed);
      assert.equal(gone, false);
      assert.match(said, /Nothing was removed\.\n$/);
      assert.ok(await left());
    });
  }

  it('does not ask with --yes', async () => {
    assert.ok((await run(['customer-0001', '--yes'])).gone);
    assert.equal(await left(), false);
  });

  it('says so if there is nothing', async () => {
    assert.match((await run(['customer-0002'])).said, /has nothing about customer-0002/);
  });

  const refused: [string, string[], RegExp][] = [
    ['nobody named', [], /^customerRef: name the customer/],
    ['nobody named, and not to be asked', ['--yes'], /^customerRef: name the customer/],
    ['two people', ['customer-0001', 'customer-0002'], /^customerRef: name the customer/],
    ['the same said twice', ['customer-0001', '--yes', '--yes'], /^customerRef: name the customer/],
    ['an account without a name', ['customer-0001', '--account='], /^customerRef: name the customer/],
    ['two accounts', ['customer-0001', '--account=b', '--account=c'], /^customerRef: name the customer/],
    ['an option nobody knows', ['customer-0001', '--now'], /^customerRef: name the customer/],
    ['a reference with a space', ['customer 0001', '--yes'], /^customerRef: must be 8 to 64 letters, [^\n]+\.$/],
    ['a reference that is too short', ['cust-1', '--yes'], /^customerRef: must be 8 to 64 letters, [^\n]+\.$/],
    [
      'an account, where the service is not here',
      ['customer-0001', '--account=brightwater', '--yes'],
      /^--account: only the service has accounts[^\n]+\.$/,
    ],
  ];
  for (const [what, args, words] of refused) {
    it(`refuses ${what}, and removes nothing`, async () => {
      await assert.rejects(run(args), (fault) => fault instanceof SettingsError && words.test(fault.message));
      assert.ok(await left());
    });
  }

  it('creates neither a folder nor a database', async () => {
    const isToldSo = (fault: unknown) =>
      fault instanceof SettingsError && /^DATA_DIR: there is no database in [^\n]+\.$/.test(fault.message);
    const nowhere = join(folder, 'nowhere');
    await assert.rejects(runOn(nowhere, ['customer-0001', '--yes']), isToldSo);
    assert.ok(!existsSync(nowhere));
    const empty = mkdtempSync(join(folder, 'empty-'));
    await assert.rejects(runOn(empty, ['customer-0001', '--yes']), isToldSo);
    assert.deepEqual(readdirSync(empty), []);
  });
});

describe('the command that erases a customer, beside the service', () => {
  let service: TwoAccounts;
  beforeEach(async () => {
    service = await startTwoAccounts();
  });
  afterEach(() => service.close());
  const run = (args: string[], typed?: string) => runOn(service.dataDir, args, typed);
  const customer = 'cust-0102-mei';
  const ended = async (calls: TestService['call']) => {
    const { requestId } = (await calls('POST', '/payments/send', { body: { ...sendBody('payments'), productId: 'ev-charging-pass' } }))
      .json;
    await calls('POST', `/requests/${requestId}/cancel`);
    return requestId as string;
  };
  const refOf = async (id: string) => (await statement(service, 'select customer_ref from requests where id = ?', id))[0]?.customer_ref;

  it('removes them there as well, and says that the catalogue still lists them', async () => {
    const id = await ended(service.call);
    await service.running.close();
    const { gone, said } = await run([customer], `${customer}\n`);
    assert.ok(gone);
    assert.match(said, /^The service's database has about cust-0102-mei:\n {2}requests {11}1\n/);
    assert.match(
      said,
      /The catalogue still lists the customer, in the account brightwater[\s\S]*The bot’s data is not touched[\s\S]*Removed from the service's database:\n {2}requests {11}1\n/,
    );
    assert.equal(await refOf(id), '');
    assert.equal((await run([customer])).said, "The service's database has nothing about cust-0102-mei.\n");
    assert.ok(!existsSync(join(service.dataDir, 'bot.db')));
  });

  it('asks which account, where several know the reference', async () => {
    const [own, northern] = [await ended(service.call), await ended(service.northern)];
    await service.running.close();
    await assert.rejects(
      run([customer, '--yes']),
      (fault) => fault instanceof SettingsError && /brightwater, northern/.test(fault.message),
    );
    assert.ok((await run([customer, '--account=northern', '--yes'])).gone);
    assert.deepEqual([await refOf(own), await refOf(northern)], [customer, '']);
  });

  it('refuses an unknown account, keeps the bot’s data, and names the known accounts', async () => {
    const bot = await openStorage(service.dataDir);
    await bot.interactions.record(intent('a', { customerRef: customer, conversation: '["c","1"]' }));
    await bot.close();
    await service.call('POST', '/payments/send', { body: sendBody('payments') });
    await service.running.settled();
    await service.running.close();
    await assert.rejects(
      run([customer, '--account=nope', '--yes']),
      (fault) => fault instanceof SettingsError && fault.message === '--account: there is no account nope. There are: brightwater.',
    );
    const again = await openStorage(service.dataDir);
    const found = await again.interactions.get('a');
    await again.close();
    assert.ok(found);
  });

  it('knows an account that only the database still has', async () => {
    const id = await ended(service.call);
    await service.running.close();
    await statement(service, "update requests set account_id = 'former' where id = ?", id);
    assert.ok((await run([customer, '--account=former', '--yes'])).gone);
    assert.equal(await refOf(id), '');
  });

  it('waits for open requests', async () => {
    const { requestId } = (await service.call('POST', '/payments/send', { body: sendBody('payments') })).json;
    await service.running.settled();
    await service.running.close();
    const { gone, said } = await run([customer, '--yes']);
    assert.equal(gone, false);
    assert.match(said, /Requests still open, or still payable: 1\.[\s\S]*Nothing was removed\.\n$/);
    assert.equal(await refOf(requestId), customer);
  });

  it('is refused while a service is using the database, and without the pepper of one on Postgres', async () => {
    await assert.rejects(
      run([customer, '--yes']),
      (fault) => fault instanceof SettingsError && /another process is using/.test(fault.message),
    );
    const shared = runOn(service.dataDir, [customer], '', { SERVICE_DATABASE_URL: 'postgres://localhost:1/none' });
    await assert.rejects(shared, (fault) => fault instanceof SettingsError && /^SERVICE_PEPPER: must be set/.test(fault.message));
  });

  it('refuses a pepper that is not the service’s', async () => {
    await ended(service.call);
    await service.running.close();
    const other = runOn(service.dataDir, [customer, '--yes'], '', { SERVICE_PEPPER: 'another-pepper-of-thirty-two-characters' });
    await assert.rejects(other, (fault) => fault instanceof SettingsError && /another pepper/.test(fault.message));
  });
});
