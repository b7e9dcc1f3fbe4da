import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeLog } from '../../src/platform/log.ts';
import { SettingsError } from '../../src/platform/settings/settings-error.ts';
import { accountKeyFiles, startService } from '../../src/service/index.ts';
import { onEachDatabase, sharedOptions } from '../support/each-database.ts';
import { failureOf } from '../support/failure-of.ts';
import { startTestService, type TestService } from '../support/running-service.ts';
import { shortAnswer, shortForm } from '../support/sends.ts';
import { statement } from '../support/service-database.ts';
import { connectTo } from '../support/service-socket.ts';
import { makeTestTime, type TestTime } from '../support/test-time.ts';

onEachDatabase('a service that is started again', (startTestService) => {
  let time: TestTime;
  let service: TestService;
  beforeEach(async () => {
    time = makeTestTime();
    service = await startTestService({ clock: time.clock, alarm: time.alarm });
  });
  afterEach(() => service.close());

  const advance = (milliseconds: number) => time.advance(milliseconds, () => service.running.settled());
  const send = async (ending: '0102' | '0110' | '0111' | '0112') =>
    (await service.call('POST', '/e-form/send', { body: shortForm(ending) })).json as { requestId: string; wsToken: string };
  const state = async (id: string) => (await service.call('GET', `/requests/${id}`)).json.state;

  it('lets a request time out at its deadline', async () => {
    const { requestId } = await send('0102');
    await advance(20 * 60_000);
    await service.restart();
    await advance(10 * 60_000 - 1);
    assert.equal(await state(requestId), 'pending');
    await advance(1);
    assert.equal(await state(requestId), 'timeout');
  });

  it('catches up with what fell due while it was down', async () => {
    const requests = [await send('0110'), await send('0111'), await send('0112'), await send('0102')];
    await advance(400);
    await service.running.close();
    await advance(60 * 60_000);
    await service.restart();
    await advance(0);
    const states = await Promise.all(requests.map(({ requestId }) => state(requestId)));
    assert.deepEqual(states, ['success', 'failure', 'timeout', 'timeout']);
    const events = (await service.call('GET', `/requests/${requests[0]?.requestId}`)).json.events as { type: string }[];
    assert.deepEqual(
      events.map(({ type }) => type),
      ['task.sent', 'task.bootstrapped', 'task.started', 'task.succeeded'],
    );
  });

  it('continues with all others if one request cannot be read any more', async () => {
    const [broken, whole] = [await send('0112'), await send('0112')];
    await service.running.settled();
    await statement(service, 'update requests set details = ? where id = ?', 'AAAA', broken.requestId);
    await advance(2000);
    assert.deepEqual([await state(broken.requestId), await state(whole.requestId)], ['pending', 'timeout']);
  });

  it('still has its links, its websocket tokens and its outbox', async () => {
    const { requestId, wsToken } = await send('0102');
    const [message] = await service.outbox();
    await service.restart();
    assert.equal((await service.outbox()).length, 1);
    // The port is another one here; the link's path is what counts.
    const { pathname } = new URL(message?.link ?? '');
    await service.open('POST', pathname, { body: new URLSearchParams(shortAnswer) });
    assert.equal(await state(requestId), 'success');
    const socket = await connectTo(service.running.wsUrl, wsToken);
    assert.equal(await socket.closed(), 1000);
    assert.equal(socket.types().at(-1), 'task.succeeded');
  });
});

describe('a service that cannot start', () => {
  const log = makeLog('silent');
  let service: TestService;
  beforeEach(async () => {
    service = await startTestService();
  });
  afterEach(() => service.close());

  const refusal = async (change: object) =>
    (
      await failureOf(
        startService({ port: 0, host: '127.0.0.1', dataDir: join(service.dataDir, 'b'), demo: true, log, ...change }),
        SettingsError,
      )
    ).lines[0] ?? '';

  it('says that its folder is in use', async () => {
    assert.match(await refusal({ dataDir: service.dataDir }), /^DATA_DIR: another process/);
  });
  it('says that its port is in use, and releases its folder', async () => {
    assert.match(await refusal({ port: service.running.port }), /^SERVICE_PORT: port \d+ is taken/);
    assert.match(await refusal({ port: service.running.port }), /^SERVICE_PORT: port \d+ is taken/);
  });
  it('says that its address for customers is invalid', async () => {
    assert.match(await refusal({ publicUrl: 'verify.example.com' }), /^SERVICE_PUBLIC_URL/);
  });
  it('says that it cannot reach customers outside demo mode', async () => {
    assert.match(await refusal({ demo: false }), /no way to reach customers/);
  });
  const databaseUrl = 'postgres://user:canary@127.0.0.1:1/service';
  it('names the settings that replicas must share', async () => {
    const { lines } = await failureOf(
      startService({ port: 0, host: '127.0.0.1', dataDir: join(service.dataDir, 'b'), demo: true, log, databaseUrl }),
      SettingsError,
    );
    assert.deepEqual(
      lines,
      ['SERVICE_SECRET_KEY', 'SERVICE_PEPPER', 'SERVICE_SIGNING_KEY', 'SERVICE_SIGNING_CERTIFICATE'].map(
        (name) => `${name}: must be set when SERVICE_DATABASE_URL is.`,
      ),
    );
  });
  it('says that its Postgres cannot be reached, without the password', async () => {
    const shared = await sharedOptions(service.dataDir);
    assert.equal(
      await refusal({ ...shared, databaseUrl }),
      'SERVICE_DATABASE_URL: the Postgres at 127.0.0.1:1 cannot be reached (ECONNREFUSED).',
    );
  });
  it('says that the account has no key for its zero-knowledge forms', async () => {
    const shared = await sharedOptions(service.dataDir);
    assert.equal(
      await refusal({ ...shared, accountKeyFile: undefined }),
      'SERVICE_ACCOUNT_KEY: must be set when SERVICE_DATABASE_URL is, since there are zero-knowledge forms.',
    );
    const privateKey = join(service.dataDir, accountKeyFiles.private);
    const { lines, cause } = await failureOf(
      startService({
        port: 0,
        host: '127.0.0.1',
        dataDir: join(service.dataDir, 'b'),
        demo: true,
        log,
        ...shared,
        accountKeyFile: privateKey,
      }),
      SettingsError,
    );
    assert.match(lines[0] ?? '', /^SERVICE_ACCOUNT_KEY: .* does not hold a public key/);
    assert.ok(!String((cause as Error).stack).includes(JSON.parse(readFileSync(privateKey, 'utf8')).d));
  });
  it('says that a key file is damaged', async () => {
    await service.running.close();
    for (const name of readdirSync(service.dataDir)) if (name !== 'service.key') rmSync(join(service.dataDir, name));
    writeFileSync(join(service.dataDir, 'service.key'), 'short\n');
    const again = refusal({ dataDir: service.dataDir });
    assert.match(await again, /service\.key does not hold a secret/);
    rmSync(join(service.dataDir, 'service.key'));
    await service.restart();
  });
});
