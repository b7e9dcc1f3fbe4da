// Programs that are not ours, over the packages as they are installed: their types, and what they do.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeLog } from '../../src/platform/log.ts';
import { type RunningService, startService } from '../../src/service/index.ts';
import { message } from '../support/activities.ts';
import { openChannel } from '../support/channel.ts';
import { installPacked } from '../support/packed.ts';
import { openWorkshop, type Workshop } from '../support/process.ts';
import { until } from '../support/until.ts';
import { root } from '../tiers.ts';

const run = promisify(execFile);
const examples = ['ten-lines.ts', 'mounted.ts', 'own-bot.ts', 'tested.ts'];
/** What a bot of one's own brings itself. */
const peers = ['@types', 'botbuilder', 'botbuilder-core', 'botbuilder-dialogs', 'botframework-connector', 'botframework-schema', 'restify'];

describe('another program', function () {
  this.timeout(300_000);
  let folder: string;
  let service: RunningService;
  let workshop: Workshop;
  let settings: Record<string, string>;
  before(async () => {
    folder = await installPacked(['countersign', 'countersign-client', 'countersign-service']);
    for (const name of peers) symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
    for (const name of examples) copyFileSync(join(import.meta.dirname, name), join(folder, name));
  });
  beforeEach(async () => {
    workshop = openWorkshop();
    const dataDir = join(workshop.dataDir, 'service');
    mkdirSync(dataDir);
    service = await startService({ port: 0, host: '127.0.0.1', dataDir, demo: true, log: makeLog('silent') });
    settings = { ...(await workshop.settings()), SERVICE_BASE_URL: service.baseUrl, SERVICE_SECRET_KEY: service.secretKey };
  });
  afterEach(async () => {
    await workshop.close();
    await service.close();
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const start = async (name: string, ready: RegExp) => {
    const program = workshop.start([join(folder, name)], settings);
    await until(() => ready.test(program.stdout()) || program.child.exitCode !== null, `${name} to be ready`, 60_000);
    assert.equal(program.child.exitCode, null, program.stderr());
    return program;
  };

  const readme =
    /```ts client\n([\s\S]*?)```/.exec(readFileSync(join(root, 'src/client/README.md'), 'utf8'))?.[1] ?? assert.fail('no program');

  for (const how of [['nodenext'], ['esnext', '--moduleResolution', 'bundler']])
    it(`has its types checked strictly, libraries and all, with the modules of ${how.at(-1)}`, async () => {
      writeFileSync(join(folder, 'readme.ts'), readme);
      writeFileSync(
        join(folder, 'refused.ts'),
        `import { createBot, makeChatwootHub, makeDeskHub, makeWebhookHub } from 'countersign';
         import { createDialogs, type GuestOutcome } from 'countersign/dialogs';
         import { createServiceClient } from 'countersign-client';
         import type { SendAnswer } from 'countersign-client/contract';
         const client = createServiceClient({ baseUrl: 'http://127.0.0.1:1', secretKey: 'sk' });
         const request = { sessionRef: 'session-0001', phoneNumber: '+12025550101', productId: 'p-1' };
         export const sent: Promise<SendAnswer<'payments'>> = client.apps.payments.send(request, { idempotencyKey: 'k' });
         // @ts-expect-error a send without its key
         client.apps.payments.send(request);
         // @ts-expect-error a field of another app
         client.apps['e-form'].send(request, { idempotencyKey: 'k' });
         // @ts-expect-error a bot without a place for its storage
         createBot({ service: { baseUrl: '', secretKey: '' } });
         // @ts-expect-error several processes need the same key for tokens
         createBot({ service: { baseUrl: '', secretKey: '' }, storage: { postgres: 'postgres://db/bot' } });
         // @ts-expect-error dialogs without a bot
         createDialogs({ service: { baseUrl: '', secretKey: '' }, storage: { folder: 'data' } });
         const desk = makeDeskHub();
         const chatwoot = makeChatwootHub({ url: 'https://chat.example.com', token: 't', account: 3, inbox: 5 });
         const webhook = makeWebhookHub({ url: 'https://desk.example.com', secrets: [] });
         const service = { baseUrl: '', secretKey: '' };
         const hubs = { hubs: [desk, chatwoot, webhook], desk: { hub: desk, key: 'k' }, chatwoot: { key: 'k' } };
         createBot({ service, storage: { folder: 'data' }, hubs });
         // @ts-expect-error a desk without its hub
         createBot({ service, storage: { folder: 'data' }, hubs: { ...hubs, desk: { hub: webhook, key: 'k' } } });
         export const ended = (outcome: GuestOutcome): string => {
           switch (outcome.status) {
             case 'success': case 'failure': case 'timeout': case 'cancelled': return outcome.customerRef;
             case 'unknown': case 'refused': return outcome.interactionId;
             case 'left': return outcome.why;
             case 'agent': return outcome.reason;
             default: return outcome satisfies never;
           }
         };`,
      );
      const tsc = join(root, 'node_modules/.bin/tsc');
      const options = ['--noEmit', '--checkers', '1', '--strict', '--target', 'es2024', '--types', 'node', '--module', ...how];
      const checked = run(tsc, [...options, ...examples, 'readme.ts', 'refused.ts'], { cwd: folder });
      await checked.catch((fault: { stdout?: string }) => assert.fail(fault.stdout ?? String(fault)));
    });

  it('runs a whole bot in ten lines', async () => {
    const program = await start('ten-lines.ts', /Chat at http/);
    assert.ok(readFileSync(join(folder, 'ten-lines.ts'), 'utf8').split('\n').length <= 11);
    const page = await fetch(`http://localhost:${settings.PORT}/`);
    assert.match(await page.text(), /webchat/);
    assert.equal((await program.stop('SIGTERM')).code ?? 0, 0, program.stderr());
  });

  it('runs the bot on its own server, beside its own pages, and uses the client, the contract and the cards', async () => {
    const program = await start('mounted.ts', /words: /);
    assert.match(program.stdout(), /5 apps, \d products, and words: .*[Pp]ayment/);
    const base = `http://localhost:${settings.PORT}`;
    assert.equal(await (await fetch(`${base}/hello`)).text(), 'Hello from somebody else');
    assert.equal((await fetch(`${base}/readyz`)).status, 200);
    assert.match(await (await fetch(`${base}/`)).text(), /webchat/);
    await program.stop('SIGTERM');
  });

  it('uses the apps among its own dialogs, and continues when the outcome arrives', async () => {
    const channel = await openChannel();
    try {
      const program = await start('own-bot.ts', /Listening/);
      let said = 0;
      const say = async (text: string) => {
        said += 1;
        const activity = message({ id: `m${said}`, channelId: 'emulator', serviceUrl: channel.serviceUrl, text });
        const answer = await fetch(`http://127.0.0.1:${settings.PORT}/api/messages`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(activity),
        });
        assert.ok(answer.ok, `${answer.status} ${program.stderr()}`);
      };
      const hears = (words: RegExp) =>
        until(
          () => channel.received.find(({ body }) => words.test(JSON.stringify(body ?? {}))),
          `${words} among ${JSON.stringify(channel.received.map(({ body }) => body?.text ?? body?.speak))} ${program.stderr()}`,
          30_000,
        );
      await say('Hello');
      await hears(/What would you like to order/);
      await say('Electricity');
      await hears(/\S••• \S\./);
      await hears(/on your phone/);
      await say('send');
      await hears(/Payment received/);
      await hears(/Your order is paid: 128\.4\./);
      // What is meant for our own Direct Line goes to no other channel.
      assert.equal(
        channel.received.some(({ body }) => JSON.stringify(body ?? {}).includes('deliveryKey')),
        false,
      );
      await program.stop('SIGTERM');
    } finally {
      await channel.close();
    }
  });

  it('tests a flow and a dialog of its own without a network', async () => {
    const flags = ['--disable-warning=ExperimentalWarning'];
    const { stdout, stderr } = await run(process.execPath, [...flags, join(folder, 'tested.ts')], { cwd: folder });
    assert.equal(stdout, 'the flow is as it should be\nthe dialog is as it should be\n', stderr);
  });

  it('runs as the client’s own page shows it', async () => {
    writeFileSync(join(folder, 'calls.ts'), readme);
    const env = { ...process.env, SERVICE_BASE_URL: service.baseUrl, SERVICE_SECRET_KEY: service.secretKey };
    const flags = ['--disable-warning=ExperimentalWarning'];
    const { stdout, stderr } = await run(process.execPath, [...flags, join(folder, 'calls.ts')], { cwd: folder, env });
    assert.equal(stdout, 'not finished yet\n', stderr);
  });
});
