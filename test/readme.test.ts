import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readForms, readTitles } from '../src/compose/forms.ts';
import { settingNames } from '../src/compose/settings.ts';
import { makeLog } from '../src/platform/log.ts';
import { loadTheme } from '../src/platform/theme.ts';
import { loadAccounts } from '../src/service/core/catalogue/load.ts';
import { startService } from '../src/service/index.ts';
import { settingNames as serviceSettingNames } from '../src/service/settings.ts';
import { installPacked } from './support/packed.ts';
import { newDatabase } from './support/postgres.ts';
import { startWhole } from './support/whole.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

interface Fence {
  readonly language: string;
  readonly heading: string;
  readonly code: string;
}

/** Every code fence, with the heading it stands under. */
const fences: Fence[] = [...readme.matchAll(/```(\w*)\n([\s\S]*?)```/g)].map(({ 1: language = '', 2: code = '', index }) => ({
  language,
  code,
  heading: [...readme.slice(0, index).matchAll(/^#+ (.*)$/gm)].at(-1)?.[1] ?? '',
}));
const shell = fences.filter(({ language }) => language === 'sh');

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

describe('the README', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-readme-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('has no code that nothing here tries', () => {
    const tried = shell.length + fences.filter(({ language }) => language === 'ts' || language === 'yaml').length;
    assert.equal(fences.length, tried);
  });

  it('begins with what the build machine runs', () => {
    assert.equal(shell[0]?.code.trim(), 'npm ci && npm start');
    assert.equal(shell[1]?.code.trim(), 'npm cit');
    assert.match(readFileSync(join(root, '.ci/run'), 'utf8'), /^npm cit$/m);
  });

  it('can be installed from its lockfile', async function () {
    this.timeout(120_000);
    await run('npm', ['ci', '--dry-run', '--no-audit', '--no-fund'], { cwd: root, env: { ...process.env, npm_config_loglevel: 'error' } });
  });

  const other = new Set(['npm cit', 'npm pack', 'npm run doctor']);
  for (const { heading, code } of shell.filter(({ code }) => !other.has(code.trim()))) {
    const script = code.replace('npm ci && ', '').trim();
    const theirDatabase = /(?<=DATABASE_URL=)\S+/;
    it(`starts what it says with “${script.split('\n').at(-1)}” (${heading})`, async function () {
      this.timeout(120_000);
      const [port, servicePort] = [await freePort(), await freePort()];
      const env = { ...process.env, PORT: String(port), SERVICE_PORT: String(servicePort), DATA_DIR: folder };
      const ours = theirDatabase.test(script)
        ? script.replace(theirDatabase, await newDatabase())
        : script.replace(/(?<=SERVICE_CATALOGUE=)(?=\w)/, `${folder}/`);
      writeFileSync(join(folder, 'catalogue.yaml'), fences.find(({ code }) => code.startsWith('account:'))?.code ?? '');
      // `exec`, so that the signal reaches npm, which hands it on.
      const child = spawn('bash', ['-c', ours.replace(/npm (?:start|run \w+)$/, 'exec $&')], { cwd: root, env, detached: true });
      let printed = '';
      let complained = '';
      child.stdout.on('data', (data) => {
        printed += data;
      });
      child.stderr.on('data', (data) => {
        complained += data;
      });
      const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
      try {
        const label = script.endsWith('npm run service') ? /^service +http/m : /^bot endpoint +http/m;
        while (!label.test(printed)) {
          const early = await Promise.race([ended, new Promise((resolve) => child.stdout.once('data', () => resolve('more')))]);
          if (early !== 'more') assert.fail(`it ended with ${early}: ${complained}`);
        }
        const probe = script.endsWith('npm run service') ? servicePort : port;
        assert.equal((await fetch(`http://127.0.0.1:${probe}/healthz`)).status, 200);
      } finally {
        if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGINT');
        await ended;
      }
    });
  }

  it('shows a doctor who finds everything well beside a running service', async function () {
    this.timeout(60_000);
    const [{ code } = assert.fail('there is none')] = shell.filter(({ heading }) => heading === 'When something is wrong');
    const service = await startService({ port: 0, host: '127.0.0.1', dataDir: folder, demo: true, log: makeLog('silent') });
    try {
      const env = { ...process.env, SERVICE_PORT: String(service.port), DATA_DIR: folder, npm_config_loglevel: 'silent' };
      const { stdout } = await run('bash', ['-c', code], { cwd: root, env });
      const verdicts = stdout
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('ok '));
      assert.deepEqual(verdicts, []);
    } finally {
      await service.close();
    }
  });

  it('shows accounts with keys that can be read', () => {
    const yaml = fences.find(({ language, code }) => language === 'yaml' && code.startsWith('accounts:'));
    const file = join(folder, 'catalogue.yaml');
    writeFileSync(file, yaml?.code ?? '');
    writeFileSync(join(folder, 'southern-water.key'), 'a-key-of-at-least-thirty-two-characters');
    const accounts = loadAccounts(file, { NORTHERN_POWER_KEY: 'another-key-of-at-least-thirty-two-characters' });
    assert.deepEqual(
      accounts.map(({ keys }) => keys.length),
      [2, 1],
    );
  });

  it('shows a theme that can be read', () => {
    const yaml = fences.find(({ language, code }) => language === 'yaml' && code.startsWith('name:'));
    const file = join(folder, 'theme.yaml');
    writeFileSync(file, yaml?.code ?? '');
    writeFileSync(join(folder, 'northern-power.svg'), '<svg xmlns="http://www.w3.org/2000/svg"><circle r="9"/></svg>');
    assert.equal(loadTheme(file, 'SERVICE_THEME').name, 'Northern Power');
  });

  it('shows a forms file that can be read', () => {
    const yaml = fences.find(({ language, code }) => language === 'yaml' && code.startsWith('forms:'));
    const file = join(folder, 'forms.yaml');
    writeFileSync(file, yaml?.code ?? '');
    assert.equal(readForms(file).length, 2);
  });

  it('shows a menu file that can be read', () => {
    const yaml = fences.find(({ language, code }) => language === 'yaml' && code.startsWith('titles:'));
    const file = join(folder, 'menu.yaml');
    writeFileSync(file, yaml?.code ?? '');
    assert.deepEqual(Object.keys(readTitles(file)), ['payments', 'passkeys']);
  });

  it('shows a catalogue that can be read, with all that may be added to it', () => {
    const parts = fences.filter(({ code }) => /^(?:account|webhooks|expiryMinutes):/.test(code)).map(({ code }) => code);
    const file = join(folder, 'catalogue.yaml');
    writeFileSync(file, parts.join(''));
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
    const [{ catalogue } = assert.fail('none')] = loadAccounts(file, { COUNTERSIGN_WEBHOOK_SECRET: secret });
    const { webhooks, expiryMinutes } = catalogue;
    assert.deepEqual([parts.length, webhooks.length, expiryMinutes.payments], [3, 1, 45]);
  });

  it('shows a program that calls the service, which runs where the package is installed', async function () {
    // Longer than another process may take to pack it.
    this.timeout(240_000);
    // With `npm pack`, as it says.
    const installed = await installPacked();
    const program = fences.find(({ code }) => code.includes('countersign/client'));
    const service = await startService({ port: 0, host: '127.0.0.1', dataDir: folder, demo: true, log: makeLog('silent') });
    try {
      const file = join(installed, 'program.mts');
      writeFileSync(file, program?.code ?? '');
      const env = { ...process.env, SERVICE_BASE_URL: service.baseUrl, SERVICE_SECRET_KEY: service.secretKey };
      const { stdout, stderr } = await run(process.execPath, ['--disable-warning=ExperimentalWarning', file], { env });
      assert.equal(stdout, 'not finished yet\n');
      assert.equal(stderr, '');
    } finally {
      rmSync(installed, { recursive: true });
      await service.close();
    }
  });

  it('shows a program that asks for a token', async () => {
    const program = fences.find(({ code }) => code.includes('tokens/generate'));
    const whole = await startWhole({ settings: { DIRECTLINE_SECRET: 'a-secret-of-at-least-32-characters' } });
    try {
      const file = join(folder, 'program.mts');
      writeFileSync(file, program?.code ?? '');
      const env = {
        ...process.env,
        BOT_URL: whole.bot().chatUrl.replace(/\/$/, ''),
        DIRECTLINE_SECRET: 'a-secret-of-at-least-32-characters',
      };
      const { stdout } = await run(process.execPath, [file], { env });
      assert.equal(stdout, 'a token\n');
    } finally {
      await whole.close();
    }
  });

  it('names in passing only commands that there are', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    for (const [, name = ''] of readme.matchAll(/npm run ([\w-]+)/g)) assert.ok(name in scripts, name);
  });

  const inPassing: [string, string[], number, RegExp][] = [
    ['service-key', [], 0, /sha256/],
    ['decrypt', [], 78, /Say what to decrypt/],
    ['erase', [], 78, /customerRef/],
  ];
  for (const [name, args, code, words] of inPassing) {
    it(`runs “npm run ${name}”, which ends with ${code}`, async () => {
      const env = { ...process.env, DATA_DIR: folder, npm_config_loglevel: 'silent' };
      const ended = await run('npm', ['run', name, '--', ...args], { cwd: root, env }).then(
        ({ stdout }) => ({ code: 0, said: stdout }),
        (fault: { code: number; stderr: string }) => ({ code: fault.code, said: fault.stderr }),
      );
      assert.match(ended.said, words);
      assert.equal(ended.code, code);
    });
  }

  it('names every setting there is, and no other', () => {
    const known = [...new Set([...settingNames, ...serviceSettingNames])].filter((name) => name !== 'NODE_ENV');
    const listed = readme.split('## Settings')[1]?.split('\n## ')[0] ?? '';
    const named = [...listed.matchAll(/^\| (.+?) \|/gm)].flatMap(({ 1: cell = '' }) =>
      [...cell.matchAll(/`([A-Za-z_]+)`/g)].map(({ 1: name }) => name as string),
    );
    assert.deepEqual(named.sort(), known.sort());
  });

  it('points only to files that exist', () => {
    for (const [, file = ''] of readme.matchAll(/(?:src="|`)((?:\.github|manifest|src|cards|dialogs|test)\/[\w./-]*)["`]/g)) {
      assert.ok(existsSync(join(root, file)), file);
    }
  });
});
