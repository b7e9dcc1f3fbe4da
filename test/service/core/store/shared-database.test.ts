import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '../../../../src/storage/index.ts';
import { sharedOptions } from '../../../support/each-database.ts';
import { startTestService } from '../../../support/running-service.ts';
import { sendBody } from '../../../support/sends.ts';
import { statement } from '../../../support/service-database.ts';

describe("the service's Postgres", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-shared-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("may be the bot's as well, whichever comes first", async () => {
    const options = await sharedOptions(folder);
    const bot = await openStorage(undefined, { url: options.databaseUrl });
    const service = await startTestService(options);
    const again = await openStorage(undefined, { url: options.databaseUrl });
    assert.equal((await service.call('POST', '/payments/send', { body: sendBody('payments') })).status, 200);
    await Promise.all([bot.ping(), again.ping()]);
    const tables = await statement(service, "select table_schema as place from information_schema.tables where table_name = 'requests'");
    assert.deepEqual(tables, [{ place: 'countersign_service' }]);
    await Promise.all([bot.close(), again.close(), service.close()]);
  });

  it('is brought up to date by the first of three that start together', async () => {
    const options = await sharedOptions(folder);
    const services = await Promise.all([startTestService(options), startTestService(options), startTestService(options)]);
    const [first, second] = services;
    const { json } = await first.call('POST', '/payments/send', { body: sendBody('payments') });
    assert.equal((await second.call('GET', `/requests/${json.requestId}`)).json.state, 'pending');
    await Promise.all(services.map((service) => service.close()));
  });
});
