// What an install brings, and that it runs: the packages from their tarballs, in empty folders.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { installPacked, type PackageName } from '../support/packed.ts';
import { openWorkshop, type Running, type Workshop } from '../support/process.ts';
import { until } from '../support/until.ts';

const megabyte = 1024 * 1024;

interface Installed {
  readonly name: string;
  readonly scripts: readonly string[];
}

/** The packages in a folder of modules, and in those inside them. */
const packagesIn = (modules: string): Installed[] =>
  readdirSync(modules, { withFileTypes: true }).flatMap(({ name }) => {
    if (name.startsWith('.')) return [];
    if (name.startsWith('@')) return packagesIn(join(modules, name));
    const folder = join(modules, name);
    const { scripts = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const inside = readdirSync(folder).includes('node_modules') ? packagesIn(join(folder, 'node_modules')) : [];
    return [{ name, scripts: Object.keys(scripts) }, ...inside];
  });

const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .reduce((sum, { name, parentPath }) => sum + statSync(join(parentPath, name)).size, 0);

/** Each combination is installed once. */
const folders = new Map<string, Promise<string>>();
const installed = (...names: readonly PackageName[]): Promise<string> => {
  const folder = folders.get(names.join()) ?? installPacked(names);
  folders.set(names.join(), folder);
  return folder;
};

describe('an install of', function () {
  this.timeout(300_000);
  const table: readonly (readonly [names: readonly PackageName[], packages: number, megabytes: number])[] = [
    [['countersign'], 30, 60],
    [['countersign-client'], 4, 15],
    [['countersign-service'], 35, 60],
    [['countersign', 'countersign-service'], 40, 90],
  ];
  for (const [names, most, megabytes] of table) {
    it(`${names.join(' and ')} brings ${most} packages and ${megabytes} MB at most, and runs no script`, async () => {
      const folder = await installed(...names);
      const packages = packagesIn(join(folder, 'node_modules'));
      const size = bytesIn(join(folder, 'node_modules')) / megabyte;
      assert.ok(packages.length <= most && packages.length > names.length, `${packages.length} packages`);
      assert.ok(size <= megabytes, `${size} MB`);
      const running = packages.filter(({ scripts }) => scripts.some((name) => ['preinstall', 'install', 'postinstall'].includes(name)));
      assert.deepEqual(running, []);
      for (const name of names) {
        const dist = join(folder, 'node_modules', name, 'dist');
        const licences = name === 'countersign-client' ? 'LICENSE' : 'THIRD-PARTY-LICENSES';
        assert.match(readFileSync(join(dist, licences), 'utf8'), /MIT/);
        const files = readdirSync(dist, { recursive: true }).map(String);
        assert.ok(files.some((file) => file.endsWith('.js.map')));
        // One other character, and V8 keeps the whole text in two bytes each (decision 0145).
        const bundled = name === 'countersign-client' ? [] : files.filter((file) => /^[^/]+\.js$/.test(file));
        assert.deepEqual(
          bundled.filter((file) => /\P{ASCII}/u.test(readFileSync(join(dist, file), 'utf8'))),
          [],
        );
      }
    });
  }
});

/** A chat over Direct Line, as the page has it. */
const openChat = async (chatUrl: string) => {
  const answer = await fetch(`${chatUrl}chat/token`, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } });
  const { token } = (await answer.json()) as { token: string };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const conversations = `${chatUrl}v3/directline/conversations`;
  const { conversationId } = (await (await fetch(conversations, { method: 'POST', headers })).json()) as { conversationId: string };
  const activities = `${conversations}/${conversationId}/activities`;
  return {
    say: (text: string) => fetch(activities, { method: 'POST', headers, body: JSON.stringify({ type: 'message', text, locale: 'en' }) }),
    hears: (words: RegExp) => until(async () => words.test(await (await fetch(activities, { headers })).text()), `words like ${words}`),
  };
};

/** Pays, from the wish to the outcome. */
const pays = async (chatUrl: string) => {
  const chat = await openChat(chatUrl);
  await chat.hears(/How can I help you/);
  await chat.say('I want to pay +1 202 555 0110');
  await chat.hears(/What would you like to pay for/);
  await chat.say('1');
  await chat.hears(/Payment received/);
};

describe('what is installed', function () {
  this.timeout(300_000);
  after(async () => {
    for (const folder of folders.values()) rmSync(await folder, { recursive: true });
  });
  let workshop: Workshop;
  beforeEach(() => {
    workshop = openWorkshop();
  });
  afterEach(() => workshop.close());
  const started = async (folder: string, name: PackageName, settings: Record<string, string>, last: string, ...args: string[]) => {
    const running = workshop.start([join(folder, 'node_modules', name, 'dist/main.js'), ...args], settings);
    return { running, addresses: await running.addresses(last) };
  };
  const stops = async (running: Running) => assert.equal((await running.stop('SIGTERM')).code, 0, running.stderr());

  it('holds a conversation with both packages, loads all assets of its pages, and reports the mistakes of both together', async () => {
    const folder = await installed('countersign', 'countersign-service');
    const settings = await workshop.settings();
    const { running, addresses } = await started(folder, 'countersign', settings, 'bot endpoint');
    await pays(addresses.chat ?? '');
    for (const page of [addresses.chat ?? '', addresses.outbox ?? '']) {
      const markup = await (await fetch(page)).text();
      const assets = [...markup.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(({ 1: path }) => path as string);
      assert.ok(assets.length > 0, markup);
      for (const path of assets) assert.equal((await fetch(new URL(path, page))).status, 200, path);
    }
    await stops(running);
    // The folder of the tests' own comes first; where none is named, this start keeps what it compiles.
    const again = await started(folder, 'countersign', { ...settings, NODE_COMPILE_CACHE: '' }, 'bot endpoint');
    await stops(again.running);
    assert.ok(bytesIn(join(workshop.dataDir, 'compiled')) > 5 * megabyte, 'what was compiled is kept, of both programs');
    const third = await started(folder, 'countersign', { ...settings, NODE_COMPILE_CACHE: '' }, 'bot endpoint');
    await pays(third.addresses.chat ?? '');
    await stops(third.running);
    const wrong = workshop.start([join(folder, 'node_modules/countersign/dist/main.js')], {
      ...settings,
      PORT: 'x',
      SERVICE_THEME: 'none.yaml',
    });
    assert.equal((await wrong.ended()).code, 78);
    assert.match(wrong.stderr(), /^PORT: must be a port number[^\n]*\nSERVICE_THEME: none\.yaml: cannot be read\.\n$/);
  });

  it('loads what Azure gives to a managed identity once one is configured', async () => {
    const folder = await installed('countersign', 'countersign-service');
    const asked: string[] = [];
    const identity = createServer((request, response) => {
      asked.push(`${request.url} ${request.headers['x-identity-header']}`);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ access_token: 'a.b.c', expires_on: `${Math.floor(Date.now() / 1000) + 3600}`, token_type: 'Bearer' }));
    }).listen(0, '127.0.0.1');
    await once(identity, 'listening');
    try {
      const appId = '66666666-7777-4888-9999-000000000000';
      const settings = await workshop.settings({
        MicrosoftAppId: appId,
        MicrosoftAppType: 'UserAssignedMSI',
        MicrosoftAppTenantId: '66666666-7777-4888-9999-000000000001',
        // As Azure's App Service has it.
        IDENTITY_ENDPOINT: `http://127.0.0.1:${(identity.address() as AddressInfo).port}/token`,
        IDENTITY_HEADER: 'proof',
        PUBLIC_URL: 'https://bot.example.com',
        TRUSTED_PROXIES: '1',
      });
      const doctor = workshop.start([join(folder, 'node_modules/countersign/dist/main.js'), 'doctor'], settings);
      await doctor.ended();
      assert.match(doctor.stdout(), /^ok +bot identity /m);
      assert.match(asked.join(), new RegExp(`^/token\\?.*client_id=${appId} proof$`));
    } finally {
      identity.close();
    }
  });

  it('works as separate installs too, and the bot alone says what it needs and mentions nothing that it does not have', async () => {
    const folders = [await installed('countersign'), await installed('countersign-service')] as const;
    const settings = await workshop.settings({ SERVICE_SECRET_KEY: 'k'.repeat(32) });
    const beside = await started(
      folders[1],
      'countersign-service',
      { ...settings, DATA_DIR: join(workshop.dataDir, 'service') },
      'console',
    );
    const known = { SERVICE_BASE_URL: beside.addresses.service ?? '', SERVICE_IDEMPOTENT: 'true' };
    const bot = await started(folders[0], 'countersign', { ...settings, ...known }, 'bot endpoint', 'bot');
    await pays(bot.addresses.chat ?? '');
    await stops(bot.running);
    await stops(beside.running);

    const main = join(folders[0], 'node_modules/countersign/dist/main.js');
    const alone = workshop.start([main], settings);
    assert.equal((await alone.ended()).code, 78);
    assert.match(alone.stderr(), /^SERVICE_BASE_URL: must be set: .*countersign-service/);
    const help = workshop.start([main, '--help'], {});
    await help.ended();
    assert.match(help.stdout(), /^countersign\n[\s\S]*^countersign bot\n/m);
    assert.doesNotMatch(help.stdout(), /npm run|countersign-service/);
  });
});
