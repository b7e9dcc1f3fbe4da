import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetch } from 'undici';
import type { Program } from '../../src/compose/commands/command.ts';
import { startAll } from '../../src/compose/index.ts';
import { readConfiguration } from '../../src/compose/start/configuration.ts';
import { makeLog } from '../../src/platform/log.ts';
import { SettingsError } from '../../src/platform/settings/settings-error.ts';
import { failureOf } from '../support/failure-of.ts';
import { freePort } from '../support/free-port.ts';

const commands: readonly Program[] = ['all', 'bot'];

describe('starting', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'countersign-start-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  const log = makeLog('silent');
  const configured = async (program: Program, more: Record<string, string> = {}) =>
    readConfiguration({ DATA_DIR: dataDir, PORT: String(await freePort()), SERVICE_PORT: String(await freePort()), ...more }, program);
  const start = async (program: Program, more?: Record<string, string>) => startAll(await configured(program, more), log);
  const listens = (port: number) =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      () => true,
      () => false,
    );

  /** One sentence that names the setting, and no port of ours left open. */
  const isRefused = async (command: Program, more: Record<string, string>, sentence: RegExp) => {
    const configuration = await configured(command, more);
    const { lines } = await failureOf(startAll(configuration, log), SettingsError);
    assert.equal(lines.length, 1, lines.join('\n'));
    assert.match(lines[0] as string, sentence);
    assert.match(lines[0] as string, /^[A-Z_]+: [^\n]{20,}\.$/);
    return configuration.settings;
  };

  const labels: Record<Program, string[]> = {
    all: ['chat', 'outbox', 'service', 'console', 'desk', 'designer', 'mcp', 'bot endpoint'],
    bot: ['chat', 'service', 'desk', 'designer', 'mcp', 'bot endpoint'],
  };
  for (const command of commands) {
    it(`${command} prints ${labels[command].join(', ')}`, async () => {
      const { addresses, close } = await start(command);
      assert.deepEqual(
        addresses.map(([label]) => label),
        labels[command],
      );
      await close();
    });

    it(`${command} is refused if DATA_DIR, or a folder above it, is a file`, async () => {
      const file = join(dataDir, 'file');
      writeFileSync(file, 'x');
      for (const DATA_DIR of [file, join(file, 'below')]) {
        const { PORT, SERVICE_PORT } = await isRefused(command, { DATA_DIR }, /^DATA_DIR: .*(?:cannot be (?:read|opened|written|used))/);
        assert.deepEqual([await listens(PORT), await listens(SERVICE_PORT)], [false, false]);
      }
    });

    it(`${command} is refused if another process uses DATA_DIR, which goes on`, async () => {
      const first = await start(command);
      try {
        await isRefused(command, {}, /^DATA_DIR: another process is using /);
        const [, address] = first.addresses.at(-1) as readonly [string, string];
        assert.equal((await fetch(new URL('/healthz', address))).status, 200);
      } finally {
        await first.close();
      }
      await (await start(command)).close();
    });
  }

  for (const setting of ['PORT', 'SERVICE_PORT'] as const) {
    it(`is refused if the port in ${setting} is taken, and can be repeated at once`, async () => {
      const taken = createServer().listen(0, '127.0.0.1');
      await once(taken, 'listening');
      const { port } = taken.address() as { port: number };
      const { PORT, SERVICE_PORT } = await isRefused('all', { [setting]: String(port) }, new RegExp(`^${setting}: port ${port} is taken`));
      assert.equal(await listens(setting === 'PORT' ? SERVICE_PORT : PORT), false);
      taken.close();
      await once(taken, 'close');
      await (await start('all')).close();
    });
  }

  for (const [name, command] of [
    ['service.key', 'bot'],
    ['service.key', 'all'],
    ['directline.key', 'bot'],
    ['bot.db', 'bot'],
    ['service.db', 'all'],
  ] as const) {
    it(`${command} is refused where ${name} is damaged`, async () => {
      writeFileSync(join(dataDir, name), 'not what it should be '.repeat(300));
      await isRefused(command, {}, /^DATA_DIR: /);
      const { PORT, SERVICE_PORT } = (await configured(command)).settings;
      assert.deepEqual([await listens(PORT), await listens(SERVICE_PORT)], [false, false]);
    });
  }
});
