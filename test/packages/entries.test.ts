// Each entry point of each package, from the tarballs, in an empty folder, after the install that the documents name.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import countersign from '../../package.json' with { type: 'json' };
import client from '../../src/client/package.json' with { type: 'json' };
import service from '../../src/service/package.json' with { type: 'json' };
import { installPacked, type PackageName } from '../support/packed.ts';
import { stopsWith } from '../support/parents.ts';
import { openWorkshop, type Workshop } from '../support/process.ts';
import { root } from '../tiers.ts';

const run = promisify(execFile);

/** What the documents install beside our tarballs, with the option. */
const beside = (): readonly string[] => {
  const [, line = ''] = /^```sh library\nnpm install (.*)$/m.exec(readFileSync(join(root, 'docs/operations.md'), 'utf8')) ?? [];
  return line.split(' ').filter((word) => !word.endsWith('.tgz'));
};

interface Entry {
  /** Uses it; prints `used`. */
  readonly uses: string;
  /** It needs the Bot Framework. */
  readonly bot?: true;
}

const entries: Readonly<Record<string, Entry>> = {
  countersign: {
    bot: true,
    uses: `import { createBot, makeLog } from 'countersign';
      const service = { baseUrl: 'http://127.0.0.1:9', secretKey: 'k' };
      const bot = createBot({ service, storage: { folder: './data' }, log: makeLog('silent') });
      const { chatUrl } = await bot.start({ port: 0 });
      const { status } = await fetch(chatUrl);
      await bot.stop();
      if (status === 200) console.log('used');`,
  },
  'countersign/dialogs': {
    bot: true,
    uses: `import { verifyThen, settleBill, createDialogs } from 'countersign/dialogs';
      import { CloudAdapter, ConversationState, MemoryStorage } from 'botbuilder';
      const { dialogs } = createDialogs({
        adapter: new CloudAdapter(), appId: '', conversationState: new ConversationState(new MemoryStorage()), resume: async () => {},
        service: { baseUrl: 'http://127.0.0.1:9', secretKey: 'k' }, storage: { folder: './data' },
      });
      if (dialogs.payments.id === 'payments' && verifyThen && settleBill) console.log('used');`,
  },
  'countersign/testing': {
    bot: true,
    uses: `import { stageFlow } from 'countersign/testing';
      const stage = await stageFlow('settle-bill');
      await stage.say('settle my bill');
      await stage.device('passkeys', 'success');
      if (stage.messages.length > 0) console.log('used');
      await stage.close();`,
  },
  'countersign/cards': {
    uses: `import { makeTexts, notice } from 'countersign/cards';
      if (notice({ title: 'Hello', actions: [] }, makeTexts('en')).card.body.length > 0) console.log('used');`,
  },
  'countersign/client': {
    uses: `import { createServiceClient } from 'countersign/client';
      if (typeof createServiceClient({ baseUrl: 'http://127.0.0.1:9', secretKey: 'k' }) === 'object') console.log('used');`,
  },
  'countersign/contract': {
    uses: `import { appIds } from 'countersign/contract';
      if (appIds.includes('payments')) console.log('used');`,
  },
  'countersign/flows.schema.json': {
    uses: `import schema from 'countersign/flows.schema.json' with { type: 'json' };
      if (schema.properties) console.log('used');`,
  },
  'countersign-client/contract': {
    uses: `import { appIds } from 'countersign-client/contract';
      if (appIds.includes('payments')) console.log('used');`,
  },
  'countersign-client': {
    uses: `import { createServiceClient } from 'countersign-client';
      if (typeof createServiceClient({ baseUrl: 'http://127.0.0.1:9', secretKey: 'k' }) === 'object') console.log('used');`,
  },
  'countersign-service': {
    uses: `import { startService } from 'countersign-service';
      const log = { debug() {}, info() {}, warn() {}, error() {} };
      const running = await startService({ port: 0, host: '127.0.0.1', dataDir: './service', demo: true, log });
      const { status } = await fetch(running.baseUrl + '/healthz');
      await running.close();
      if (status === 200) console.log('used');`,
  },
};

/** Every entry point that a package names. */
const exported = [countersign, client, service].flatMap(({ name, exports }) =>
  Object.keys(exports).map((entry) => (entry === '.' ? name : `${name}/${entry.slice(2)}`)),
);

describe('an entry point of a package', function () {
  this.timeout(300_000);
  let alone: string;
  let withBot: string;
  before(async () => {
    const all: readonly PackageName[] = ['countersign', 'countersign-client', 'countersign-service'];
    alone = await installPacked(all);
    withBot = await installPacked(all, beside());
  });
  after(() => {
    for (const folder of [alone, withBot]) if (folder) rmSync(folder, { recursive: true, force: true });
  });

  it('is tried here if the package names it', () => {
    assert.deepEqual(exported.toSorted(), Object.keys(entries).toSorted());
  });

  const use = async (folder: string, uses: string) => {
    writeFileSync(join(folder, 'use.js'), uses);
    const { stdout } = await run(process.execPath, ['--disable-warning=ExperimentalWarning', 'use.js'], { cwd: folder });
    return stdout;
  };
  for (const [name, { bot, uses }] of Object.entries(entries)) {
    it(`works after the install that the documents name: ${name}`, async () => {
      assert.match(await use(bot ? withBot : alone, uses), /^used$/m);
    });
    if (bot)
      it(`names what is missing without it: ${name}`, async () => {
        await assert.rejects(use(alone, uses), /Cannot find package 'bot(?:builder|framework)/);
      });
  }

  describe('a program of a package', () => {
    let workshop: Workshop;
    beforeEach(() => {
      workshop = openWorkshop();
    });
    afterEach(() => workshop.close());
    const known = { SERVICE_BASE_URL: 'http://127.0.0.1:9', SERVICE_SECRET_KEY: 'key' };
    const main = (name: PackageName) => ['node', join('node_modules', name, 'dist/main.js')];
    // Every signal once, and every command with the one that it could miss: npx passes no SIGKILL on.
    for (const { command, line, more = {}, signals } of [
      { command: ['npx', 'countersign'], line: 'bot endpoint', signals: ['SIGTERM', 'SIGHUP', 'SIGKILL'] },
      { command: ['npx', 'countersign', 'bot'], line: 'bot endpoint', more: known, signals: ['SIGKILL'] },
      { command: ['npx', 'countersign-service'], line: 'console', signals: ['SIGKILL'] },
      { command: [...main('countersign'), 'bot'], line: 'bot endpoint', more: known, signals: ['SIGTERM'] },
      { command: main('countersign-service'), line: 'console', signals: ['SIGHUP'] },
    ] as const)
      for (const signal of signals)
        it(`stops, and leaves ports and database: ${command.join(' ')}, ${signal}`, async () => {
          await stopsWith(signal, { command, cwd: alone, settings: await workshop.settings(more), line });
        });
  });
});
