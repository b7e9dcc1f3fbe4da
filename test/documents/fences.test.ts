import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer as createSite } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';
import { outcomeCard } from '../../cards/index.ts';
import { makeTexts } from '../../dialogs/index.ts';
import { writeManifest } from '../../src/compose/commands/manifest.ts';
import { readForms, readMenu } from '../../src/compose/settings/forms.ts';
import { countOf, readOwnTexts } from '../../src/compose/settings/own-texts.ts';
import { readSettings } from '../../src/compose/start/settings.ts';
import { loadFlows } from '../../src/flows/load-flows.ts';
import { openStage } from '../../src/flows/testing/flow-stage.ts';
import { runScript } from '../../src/flows/testing/run-script.ts';
import { readScript } from '../../src/flows/testing/script.ts';
import { readRules } from '../../src/handoff/rules.ts';
import { readOwnCards } from '../../src/own-cards/own-cards.ts';
import { makeLog } from '../../src/platform/log.ts';
import { loadTheme } from '../../src/platform/pages/theme.ts';
import { loadAccounts } from '../../src/service/core/catalogue/load.ts';
import { startService } from '../../src/service/index.ts';
import { readServiceSettings } from '../../src/service/settings.ts';
import { launchBrowser } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { keyOf, openAgent } from '../support/mcp-agent.ts';
import { newDatabase } from '../support/postgres.ts';
import { startWhole } from '../support/whole.ts';
import { fencesOf, manuals, root } from './documents.ts';

const run = promisify(execFile);
const fences = manuals.flatMap(fencesOf);
const shown = (way: string) => fences.find((fence) => fence.way === way)?.code ?? assert.fail(`no document shows ${way}`);
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Runs a script as it stands, waits for the address that it prints, and asks there. */
const start = async (code: string, folder: string, attempts = 3): Promise<void> => {
  const script = code.replace('npm ci && ', '').trim();
  const theirDatabase = /(?<=DATABASE_URL=)\S+/;
  const ours = theirDatabase.test(script)
    ? script.replace(theirDatabase, await newDatabase())
    : script.replace(/(?<=SERVICE_CATALOGUE=)(?=\w)/, `${folder}/`);
  writeFileSync(join(folder, 'catalogue.yaml'), shown('yaml catalogue'));
  const [port, servicePort] = [await freePort(), await freePort()];
  const env = { ...process.env, PORT: String(port), SERVICE_PORT: String(servicePort), DATA_DIR: folder };
  // `exec`, so that the signal reaches npm, which hands it on.
  const child = spawn('bash', ['-c', ours.replace(/npm (?:start|run \w+)$/, 'exec $&')], { cwd: root, env, detached: true });
  let [printed, complained] = ['', ''];
  child.stdout.on('data', (data) => {
    printed += data;
  });
  child.stderr.on('data', (data) => {
    complained += data;
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const isService = script.endsWith('npm run service');
  try {
    while (!(isService ? /^service +http/m : /^bot endpoint +http/m).test(printed)) {
      const early = await Promise.race([ended, new Promise((resolve) => child.stdout.once('data', () => resolve('more')))]);
      // Another program may have taken the port since it was found free.
      if (early !== 'more' && attempts > 1 && complained.includes('is taken by another program')) return start(code, folder, attempts - 1);
      if (early !== 'more') assert.fail(`it ended with ${early}: ${complained}`);
    }
    assert.equal((await fetch(`http://127.0.0.1:${isService ? servicePort : port}/healthz`)).status, 200);
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGINT');
    await ended;
  }
};

/** The accounts of the catalogue that is shown, with more in it. */
const catalogueWith = (more: string, folder: string) => {
  const file = join(folder, 'catalogue.yaml');
  writeFileSync(file, stringify({ ...parse(shown('yaml catalogue')), ...parse(more) }));
  const [account] = loadAccounts(file, { COUNTERSIGN_WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' });
  return account ?? assert.fail('there is no account');
};

/**
 * A program that imports our packages, as a file that imports their sources; packages are tried where they are packed.
 */
const writeProgram = (code: string, folder: string): string => {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const sourceOf = (entry: string) => join(root, exports[entry].types.replace(/^\.\/dist\/(?:types\/)?/, '').replace(/\.d\.ts$/, '.ts'));
  const file = join(folder, 'program.mts');
  const ours = code.replace(/'countersign(?:-client|(\/\w+)?)'/g, (name, entry = '') =>
    JSON.stringify(sourceOf(name === "'countersign-client'" ? './client' : `.${entry}`)),
  );
  writeFileSync(file, ours);
  return file;
};

/**
 * Runs a program beside the reference service, until it prints what is awaited; then it is told to stop, and must end
 * well.
 */
const runBesideService = async (code: string, folder: string, awaited: RegExp): Promise<void> => {
  const service = await startService({ port: 0, host: '127.0.0.1', dataDir: folder, demo: true, log: makeLog('silent') });
  const env = { ...process.env, PORT: '0', SERVICE_BASE_URL: service.baseUrl, SERVICE_SECRET_KEY: service.secretKey };
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', writeProgram(code, folder)], { cwd: folder, env });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  try {
    let [printed, complained] = ['', ''];
    child.stderr.on('data', (data) => {
      complained += data;
    });
    child.stdout.on('data', (data) => {
      printed += data;
      if (awaited.test(printed)) child.kill('SIGINT');
    });
    // A program that ends by itself may be gone before the signal arrives.
    const code = await ended;
    assert.match(printed, awaited, complained);
    assert.ok(code === 0 || child.signalCode === 'SIGINT', `it ended with ${code}: ${complained}`);
    assert.equal(complained, '');
  } finally {
    child.kill('SIGKILL');
    await service.close();
  }
};

/** The flow that is shown, as a file of its name. */
const flowAt = (code: string, folder: string) => {
  const name = /^flow: (.+)$/m.exec(code)?.[1] ?? assert.fail('it has no name');
  return loadFlows([{ file: join(folder, `${name}.yaml`), text: code }]);
};

const isTranscript = (code: string) => assert.match(code, /^> [\s\S]*^\(the customer /m);

/** How a fence is tried, by the words after its backticks. */
const ways: Record<string, (code: string, folder: string) => unknown> = {
  /** Started as it stands. */
  'sh start': start,
  /** Settings that are taken by the command below them. */
  'sh settings': (code) => {
    const [command = '', ...lines] = code.trim().split('\n').reverse();
    const set = lines.map((line) => /^export (\w+)=(.*)$/.exec(line) ?? assert.fail(line));
    const program = /^npm (?:run )?(start|bot|service)$/.exec(command)?.[1] ?? assert.fail(command);
    const environment = Object.fromEntries(set.map(([, name, value]) => [name, value]));
    if (program === 'service') readServiceSettings(environment);
    else readSettings(environment, program === 'bot' ? 'bot' : 'all');
  },
  /** What the build machine runs, which is how it is tried. */
  'sh check': (code) => assert.ok(readFileSync(join(root, '.ci/run'), 'utf8').split('\n').includes(code.trim())),
  /** Packed and installed by the tests of the packages. */
  'sh pack': (code) => assert.equal(code, 'npm pack\nnpm pack -w countersign-service -w countersign-client\n'),
  /** Commands that there are, on files that there are. */
  // test/packages/entries.test.ts installs this.
  'sh library': (code) => assert.match(code, /^npm install --ignore-scripts countersign-0\.1\.0\.tgz( bot[\w-]+@4)+\n$/),
  'sh commands': (code) => {
    for (const line of code.trim().split('\n')) {
      const [, script, files] = /^npm (?:run )?([\w:-]+)(?: -- (.*))?$/.exec(line) ?? assert.fail(line);
      assert.ok(script === 'ci' || script === 'start' || (script as string) in scripts, line);
      if (files) assert.notEqual(globSync(files, { cwd: root }).length, 0, line);
    }
  },
  /** Makes the app package for Teams, or the skill manifest. */
  'sh manifest': (code, folder) => {
    const [, args = ''] = /^npm run manifest -- (.+)\n$/.exec(code) ?? assert.fail(code);
    const files = writeManifest(args.split(' '), {}, folder);
    assert.ok(files.length > 0 && files.every((file) => existsSync(file)), String(files));
  },
  'sh doctor': async (code, folder) => {
    const service = await startService({ port: 0, host: '127.0.0.1', dataDir: folder, demo: true, log: makeLog('silent') });
    try {
      const env = { ...process.env, SERVICE_PORT: String(service.port), DATA_DIR: folder, npm_config_loglevel: 'silent' };
      const { stdout } = await run('bash', ['-c', code], { cwd: root, env });
      const verdicts = stdout.trim().split('\n');
      assert.deepEqual(
        verdicts.filter((line) => !line.startsWith('ok ')),
        [],
      );
    } finally {
      await service.close();
    }
  },
  'ts bot': (code, folder) => runBesideService(code, folder, /^Chat at http/m),
  'ts client': (code, folder) => runBesideService(code, folder, /^not finished yet$/m),
  /** A program whose assertions hold. */
  'ts testing': async (code, folder) => {
    const flags = ['--disable-warning=ExperimentalWarning'];
    const { stdout, stderr } = await run(process.execPath, [...flags, writeProgram(code, folder)], { cwd: folder });
    assert.equal(stdout + stderr, '');
  },
  'ts token': async (code, folder) => {
    const secret = 'a-secret-of-at-least-32-characters';
    const whole = await startWhole({ settings: { DIRECTLINE_SECRET: secret } });
    try {
      const file = join(folder, 'program.mts');
      writeFileSync(file, code);
      const env = { ...process.env, BOT_URL: whole.bot().chatUrl.replace(/\/$/, ''), DIRECTLINE_SECRET: secret };
      const { stdout } = await run(process.execPath, [file], { env });
      assert.equal(stdout, 'a token\n');
    } finally {
      await whole.close();
    }
  },
  /** A program that asks over MCP, tried beside our own copy of its library. */
  'ts mcp': async (code, folder) => {
    const whole = await startWhole();
    try {
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
      const file = join(folder, 'program.mjs');
      writeFileSync(file, code);
      const env = { ...process.env, BOT_URL: whole.bot().chatUrl.replace(/\/$/, ''), MCP_KEY: keyOf(whole) };
      const { stdout } = await run(process.execPath, [file], { env });
      assert.equal(stdout, 'success\n');
    } finally {
      await whole.close();
    }
  },
  /** The server that clients are told of, which takes the key and lists its tools. */
  'json mcp': async (code) => {
    const whole = await startWhole();
    try {
      const { headers, type, url } = JSON.parse(code.replace('<the key>', keyOf(whole))).mcpServers.countersign;
      assert.equal(type, 'http');
      const agent = await openAgent(url.replace('3978', String(whole.bot().port)), headers.Authorization.replace('Bearer ', ''));
      await agent.close();
    } finally {
      await whole.close();
    }
  },
  'yaml accounts': (code, folder) => {
    const file = join(folder, 'catalogue.yaml');
    writeFileSync(file, code);
    writeFileSync(join(folder, 'southern-water.key'), 'a-key-of-at-least-thirty-two-characters');
    const accounts = loadAccounts(file, { NORTHERN_POWER_KEY: 'another-key-of-at-least-thirty-two-characters' });
    assert.deepEqual(
      accounts.map(({ account }) => account.keys.length),
      [2, 1],
    );
  },
  'yaml catalogue': (code, folder) => assert.equal(catalogueWith(code, folder).customers.length, 1),
  'yaml products': (code, folder) => assert.equal(catalogueWith(code, folder).products.length, 1),
  'yaml webhooks': (code, folder) => assert.equal(catalogueWith(code, folder).webhooks.length, 1),
  'yaml expiry': (code, folder) => assert.equal(catalogueWith(code, folder).expiryMinutes.payments, 45),
  'yaml theme': (code, folder) => {
    const file = join(folder, 'theme.yaml');
    writeFileSync(file, code);
    writeFileSync(join(folder, 'northern-power.svg'), '<svg xmlns="http://www.w3.org/2000/svg"><circle r="9"/></svg>');
    assert.equal(loadTheme(file, 'SERVICE_THEME').name, 'Northern Power');
  },
  'json texts': (code, folder) => {
    writeFileSync(join(folder, 'en.json'), code);
    assert.equal(countOf(readOwnTexts(folder)), 2);
  },
  'json card': (code, folder) => {
    writeFileSync(join(folder, 'payments.success.json'), code);
    const t = makeTexts('en', { redraw: readOwnCards(folder, makeLog('silent')) });
    assert.equal(outcomeCard('payments', { status: 'success', at: 0, subject: 'Rent', actions: [] }, t).card.body.length, 2);
  },
  'yaml forms': (code, folder) => {
    const file = join(folder, 'forms.yaml');
    writeFileSync(file, code);
    assert.equal(readForms(file).length, 2);
  },
  'yaml handoff': (code, folder) => {
    const file = join(folder, 'handoff.yaml');
    writeFileSync(file, code);
    const { rules, waitMinutes } = readRules(file, ['event', 'webhook']);
    assert.deepEqual([rules?.length, waitMinutes], [3, 10]);
  },
  'yaml menu': (code, folder) => {
    const file = join(folder, 'menu.yaml');
    writeFileSync(file, code);
    assert.deepEqual(Object.keys(readMenu(file).titles ?? {}), ['payments', 'passkeys']);
  },
  /**
   * A page of another site, in a browser: the button is there, opens the chat, and the page's own script hears of
   * outcomes.
   */
  'html embed': async (code) => {
    let page = '';
    const site = createSite((_, response) => response.setHeader('Content-Type', 'text/html').end(page)).listen(0);
    const origin = `http://localhost:${(site.address() as AddressInfo).port}`;
    const whole = await startWhole({ settings: { DIRECTLINE_ORIGINS: origin } });
    const browser = await launchBrowser();
    try {
      page = `<!doctype html><body>${code.replaceAll('https://chat.example.com', `http://localhost:${whole.bot().port}`)}`;
      const { page: tab } = await browser.page({ locale: 'en-US' });
      const heard: string[] = [];
      tab.on('console', (message) => void heard.push(message.text()));
      await tab.goto(origin);
      await tab.getByRole('button', { name: 'Open the chat' }).click();
      await tab.frameLocator('iframe').getByText('How can I help you?').first().waitFor();
      const detail = { app: 'payments', requestId: '01KAH5Z0V8Q2J9XW3N4M5P6R7S', status: 'success' };
      await tab.evaluate((told) => document.dispatchEvent(new CustomEvent('countersign:outcome', { detail: told })), detail);
      assert.ok(heard.includes('payments: success'), heard.join('\n'));
    } finally {
      await browser.close();
      await whole.close();
      site.close();
    }
  },
  /** A flow without a fault. */
  'yaml flow': (code, folder) => {
    const { faults } = flowAt(code, folder);
    assert.deepEqual(faults, []);
  },
  /** Its Spanish, had it none itself: nothing is missing, and nothing is too much. */
  'yaml flow texts': (code) => {
    const english = shown('yaml flow')
      .replaceAll(/, es: (?:"[^"]*"|[^}"]*) \}/g, ' }')
      .replace(/^ {2}es: \[.*\]\n/m, '');
    assert.doesNotMatch(english, /\bes:/);
    const files = [
      { file: 'pay-by-instalments.yaml', text: english },
      { file: 'pay-by-instalments.es.yaml', text: code },
    ];
    assert.deepEqual(loadFlows(files).faults, []);
  },
  /** Its tests, which pass. */
  'yaml flow tests': async (code, folder) => {
    const loaded = flowAt(shown('yaml flow'), folder);
    const script = readScript(code, 'shown.test.yaml');
    assert.ok('tests' in script, JSON.stringify(script));
    const { results } = await runScript(script, (options) => openStage(loaded, script.flow, options));
    assert.deepEqual(
      results.flatMap(({ failed }) => failed ?? []),
      [],
    );
  },
  /** Commands that work on flows in a folder of their own, and find no fault. */
  'sh flows': async (code, folder) => {
    const ours = code.replaceAll(
      'npm run --silent flows --',
      `"${process.execPath}" --disable-warning=ExperimentalWarning "${join(root, 'src/main.ts')}" flows`,
    );
    await run('bash', ['-ec', ours], { cwd: folder });
  },
  /** What was said is compared, word by word, in test/voice/transcripts.test.ts. */
  ...Object.fromEntries(['sms payment', 'sms signature', 'voice payment', 'voice signature'].map((talk) => [`text ${talk}`, isTranscript])),
  /** The rooms are held to the imports in test/architecture, the states to the code in documents.test.ts. */
  mermaid: (code) => assert.match(code, /^(?:flowchart|stateDiagram-v2)/),
};

describe('the examples in the documents', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-documents-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  for (const { file, heading, way, code } of fences) {
    it(`works: ${file}, ${heading}: ${way} “${code.trim().split('\n').at(-1)}”`, async function () {
      this.timeout(120_000);
      const attempt = ways[way] ?? assert.fail(`${file}: nothing here says how “${way}” is tried`);
      await attempt(code, folder);
    });
  }

  it('uses every kind of fence', () => {
    assert.deepEqual(
      Object.keys(ways).filter((way) => !fences.some((fence) => fence.way === way)),
      [],
    );
  });

  it('begins with what the build machine runs', () => {
    const [first, second] = fences.filter(({ file }) => file === 'README.md');
    assert.deepEqual([first?.code, second?.code], ['npm ci && npm start\n', 'npm cit\n']);
  });

  it('can be installed from its lockfile', async function () {
    this.timeout(120_000);
    await run('npm', ['ci', '--dry-run', '--no-audit', '--no-fund'], { cwd: root, env: { ...process.env, npm_config_loglevel: 'error' } });
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
});
