import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findMisspelt } from '../../../src/compose/start/configuration.ts';
import { settingNames as botNames, readSettings } from '../../../src/compose/start/settings.ts';
import { openPostgres } from '../../../src/platform/database/postgres.ts';
import { asksForVersion, runProgram } from '../../../src/platform/process/run-process.ts';
import { runOnSupportedNode } from '../../../src/platform/process/supported-node.ts';
import { misspelt } from '../../../src/platform/settings/environment.ts';
import { SettingsError } from '../../../src/platform/settings/settings-error.ts';
import { readServiceSettings, settingNames as serviceNames } from '../../../src/service/settings.ts';

describe('a secret that a file has', () => {
  let folder: string;
  const file = (text: string) => {
    const path = join(folder, 'secret');
    writeFileSync(path, text);
    return path;
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const linesOf = (environment: Record<string, string>) => {
    try {
      readSettings(environment);
      return [];
    } catch (fault) {
      assert.ok(fault instanceof SettingsError);
      return fault.lines;
    }
  };

  it('is read for both programs, without the line break at its end', () => {
    const token = 'a-token-of-at-least-thirty-two-characters';
    assert.equal(readSettings({ METRICS_TOKEN_FILE: file(`${token}\n`) }).METRICS_TOKEN, token);
    assert.equal(readServiceSettings({ SERVICE_PEPPER_FILE: file(`${token}\r\n`) }).SERVICE_PEPPER, token);
  });

  it('is read for every setting whose name is that of a secret', () => {
    const path = file('no secret of any setting has this form\n\n');
    const secrets = [...botNames, ...serviceNames].filter((name) =>
      /KEY$|SECRET$|TOKEN$|PASSWORD$|PEPPER$|(?:DATABASE|SMTP)_URL$/i.test(name),
    );
    assert.ok(secrets.length > 20);
    for (const name of secrets) {
      const read = botNames.includes(name) ? readSettings : readServiceSettings;
      let found: unknown;
      try {
        found = read({ [`${name}_FILE`]: path, NODE_ENV: 'test' })[name as never];
      } catch (fault) {
        found = (fault as SettingsError).lines;
      }
      assert.ok(found !== undefined && String(found).length > 0, name);
      assert.doesNotMatch(String(found), /cannot be read|must not be set/);
    }
  });

  it('is missed by name, and not taken beside another', () => {
    const path = join(folder, 'nowhere');
    assert.deepEqual(linesOf({ METRICS_TOKEN_FILE: path }), [`METRICS_TOKEN_FILE: ${path} cannot be read (ENOENT).`]);
    assert.match(linesOf({ METRICS_TOKEN_FILE: file('') }).join(), /^METRICS_TOKEN_FILE: .* is empty\./);
    const both = linesOf({ METRICS_TOKEN: 'x'.repeat(32), METRICS_TOKEN_FILE: file('y'.repeat(32)) });
    assert.deepEqual(both, ['METRICS_TOKEN_FILE: must not be set beside METRICS_TOKEN.']);
  });
});

describe('a variable that is nearly a setting', () => {
  const cases: [string, string][] = [
    ['DATABSE_URL', 'DATABASE_URL'],
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['SERVICE_SECRT_KEY', 'SERVICE_SECRET_KEY'],
    ['MicrosoftAppID', 'MicrosoftAppId'],
    ['METRICS_TOKN_FILE', 'METRICS_TOKEN_FILE'],
  ];
  for (const [setting, meant] of cases)
    it(`is told: ${setting}`, () => assert.deepEqual(misspelt({ [setting]: 'x' }, botNames), [{ setting, meant }]));

  it('is none of the settings, of the other program’s, or of what others set', async () => {
    const others = ['PATH', 'HOME', 'HOSTNAME', 'PORTS_OPEN', 'SHELL', 'LANG', 'TERM', 'npm_config_cache', 'OTEL_EXPORTER_OTLP_HEADERS'];
    const all = [...botNames, ...serviceNames, ...others];
    const right = Object.fromEntries(all.map((name) => [name, 'x']));
    for (const beside of [true, false]) assert.deepEqual(await findMisspelt(right, beside), []);
    assert.deepEqual(await findMisspelt({ SERVICE_PEPER: 'x' }, true), [{ setting: 'SERVICE_PEPER', meant: 'SERVICE_PEPPER' }]);
  });
});

describe('a program', () => {
  let exitCode: typeof process.exitCode;
  let printed: string[];
  const { error } = console;
  beforeEach(() => {
    exitCode = process.exitCode;
    printed = [];
    console.error = (line: string) => void printed.push(line);
  });
  afterEach(() => {
    process.exitCode = exitCode;
    console.error = error;
  });

  it('exits with 75 when the database is not there yet, and with 78 when a setting is wrong', async () => {
    const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} } as never;
    await runProgram(async () => void (await openPostgres('postgres://user:canary@127.0.0.1:9/bot', {}, { log })));
    assert.deepEqual([process.exitCode, printed], [75, ['DATABASE_URL: the Postgres at 127.0.0.1:9 cannot be reached (ECONNREFUSED).']]);
    await runProgram(async () => void readSettings({ PORT: 'x' }));
    assert.equal(process.exitCode, 78);
  });

  it('says on an old Node which one it needs, and loads nothing', async () => {
    let loaded = 0;
    const load = async () => {
      loaded += 1;
    };
    for (const version of ['20.20.0', '22.18.0']) await runOnSupportedNode(load, version);
    assert.deepEqual([loaded, process.exitCode], [0, 78]);
    assert.deepEqual(printed, [
      'Node 22.19 or later is needed. This is Node 20.20.0.',
      'Node 22.19 or later is needed. This is Node 22.18.0.',
    ]);
    for (const version of ['22.19.0', '24.0.0']) await runOnSupportedNode(load, version);
    assert.equal(loaded, 2);
  });

  it('knows when its version is asked for', () => {
    assert.deepEqual([['--version'], ['-v'], ['bot'], []].map(asksForVersion), [true, true, false, false]);
  });
});
