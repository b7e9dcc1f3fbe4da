import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Program } from '../../../src/compose/commands/command.ts';
import { readConfiguration } from '../../../src/compose/start/configuration.ts';
import { readSettings, settingNames } from '../../../src/compose/start/settings.ts';
import { hubNamesOf } from '../../../src/handoff/hubs.ts';
import { SettingsError } from '../../../src/platform/settings/settings-error.ts';
import { settingNames as serviceSettingNames } from '../../../src/service/settings.ts';

/** What is wrong with the settings of everything that is started. */
const linesOf = async (environment: Record<string, string>, program: Program = 'all'): Promise<readonly string[]> => {
  try {
    await readConfiguration(environment, program);
    return [];
  } catch (fault) {
    assert.ok(fault instanceof SettingsError, String(fault));
    return fault.lines;
  }
};

const appId = '6f1c0000-0000-4000-8000-000000000001';
const identity = { MicrosoftAppId: appId, MicrosoftAppPassword: 'secret' };
/** What anybody can reach, with the least that it needs. */
const reached = { ...identity, PUBLIC_URL: 'https://chat.example.com', TRUSTED_PROXIES: '0' };
const service = { SERVICE_BASE_URL: 'https://service.example.com', SERVICE_SECRET_KEY: 'sk_1' };
/** What production needs, with every secret and address as short and as open as it may be. */
const production = {
  ...identity,
  NODE_ENV: 'production',
  SERVICE_BASE_URL: 'https://service.example.com',
  SERVICE_SECRET_KEY: 'k'.repeat(32),
  PUBLIC_URL: 'https://chat.example.com',
  TRUSTED_PROXIES: '0',
};

/** A sentence for an operator: the setting, what it must be, and none of a program's own words. */
const isSentence = (line: string) => {
  assert.match(line, /^[A-Za-z_]+: [^\n]{10,}\.$/);
  assert.doesNotMatch(line, /Invalid|expected|received|regex|undefined|\{|canary/i);
};

const signIn = {
  DESK_OIDC_ISSUER: 'https://login.example.com',
  DESK_OIDC_CLIENT_ID: 'desk',
  DESK_OIDC_CLIENT_SECRET: 'a-secret',
  PUBLIC_URL: 'https://chat.example.com',
};

describe('the settings', () => {
  it('need none to be set', () => {
    const { PORT, SERVICE_PORT, DATA_DIR, DEFAULT_REGION, DEFAULT_LOCALE, LOG_LEVEL } = readSettings({});
    assert.deepEqual([PORT, SERVICE_PORT, DATA_DIR, DEFAULT_REGION, DEFAULT_LOCALE, LOG_LEVEL], [3978, 4010, '.data', 'US', 'en', 'warn']);
  });

  it('name the desk as hub on this machine only', () => {
    assert.deepEqual(hubNamesOf(readSettings({})), ['desk']);
    assert.deepEqual(hubNamesOf(readSettings(reached)), []);
    assert.deepEqual(hubNamesOf(readSettings({ HANDOFF: 'none' })), []);
  });

  it('treat an empty one as unset', () =>
    assert.deepEqual(
      readSettings({ PORT: '', SERVICE_BASE_URL: '', MicrosoftAppId: '', FORMS_FILE: '', LOG_LEVEL: '' }),
      readSettings({}),
    ));

  it('log more if others can reach the bot', () => {
    assert.equal(readSettings(reached).LOG_LEVEL, 'info');
    assert.equal(readSettings(production).LOG_LEVEL, 'info');
    assert.equal(readSettings({ ...reached, LOG_LEVEL: 'error' }).LOG_LEVEL, 'error');
  });

  const good: [string, string][] = [
    ['PORT', '0'],
    ['PORT', '65535'],
    ['SERVICE_IDEMPOTENT', 'false'],
    ['SERVICE_MULTIPLEX', 'true'],
    ['WAIT_MINUTES', 'payments=1'],
    ['WAIT_MINUTES', ' payments=30, e-form=10080 '],
    ['SERVICE_SHOWS_CODE', 'true'],
    ['SERVICE_LINK_HOSTS', 'verify.example.com, Sign.example.com:8443'],
    ['SERVICE_RETURNS_LINKS', 'true'],
    ['LOOKUP_REPLIES', 'alike'],
    ['LOOKUP_REPLIES', 'offer'],
    ['CATALOGUE_NUMBER', '+12025550102'],
    ['DATABASE_URL', 'postgres://user:password@localhost/db?sslmode=verify-full'],
    ['RETENTION_DAYS', '7'],
    ['SERVICE_BOOTSTRAP', 'query'],
    ['SERVICE_PUBLIC_URL', 'https://verify.example.com'],
    ['PUBLIC_URL', 'http://localhost:3978/'],
    ['DEFAULT_REGION', 'ES'],
    ['DEFAULT_LOCALE', 'es'],
    ['HANDOFF', 'event'],
    ['HANDOFF', 'desk'],
    ['HANDOFF', 'event, desk'],
    ['HANDOFF', 'none'],
    ['HANDOFF_KEY', 'k'.repeat(32)],
    ['CHATWOOT_ACCOUNT', '3'],
    ['CHATWOOT_CALLBACK_KEY', 'k-_'.repeat(11)],
    ['CHATWOOT_CALLBACK_SECRET', 'one,another'],
    ['LOG_LEVEL', 'silent'],
    ['AGENT_CONTACT', '0800 1234'],
    ['NODE_ENV', 'test'],
    ['SMS_COUNTRIES', 'US, CA ES'],
  ];
  for (const [name, value] of good) it(`take ${name}=${value}`, async () => assert.deepEqual(await linesOf({ [name]: value }), []));

  const wrong: [string, string][] = [
    ...['abc', '-1', '1.5', '65536', '0x50', '1e3', ' ', '99999999', '3978 '].map((value): [string, string] => ['PORT', value]),
    ['SERVICE_PORT', 'canary'],
    ['DATA_DIR', '   '],
    ['DATABASE_URL', 'mysql://user:canary@localhost/db'],
    ...['0', '-1', '1.5', '10000', 'canary'].map((value): [string, string] => ['RETENTION_DAYS', value]),
    ['SERVICE_PUBLIC_URL', 'verify.example.com'],
    ['PUBLIC_URL', 'ftp://chat.example.com'],
    ['PUBLIC_URL', 'https://chat.example.com/?canary=1'],
    ['SERVICE_BOOTSTRAP', 'canary'],
    ['SERVICE_IDEMPOTENT', 'yes'],
    ...['30', 'payments', 'payments=', 'payments=0', 'payments=10081', 'payments=1.5', 'payments=-1', 'payments=30=31', 'fax=30'].map(
      (value): [string, string] => ['WAIT_MINUTES', value],
    ),
    ['WAIT_MINUTES', 'payments=30,'],
    ['WAIT_MINUTES', 'payments=30,payments=31'],
    ['SERVICE_MULTIPLEX', '1'],
    ['SERVICE_SHOWS_CODE', 'y'],
    ...['https://canary', 'canary/r', 'me@canary', 'canary?a', '*.canary'].map((value): [string, string] => ['SERVICE_LINK_HOSTS', value]),
    ['SERVICE_RETURNS_LINKS', 'yes'],
    ['LOOKUP_REPLIES', 'none'],
    ['CATALOGUE_NUMBER', '202 555 0102'],
    ['SERVICE_CATALOGUE', '/nowhere/canary/catalogue.yaml'],
    ['DEFAULT_REGION', 'usa'],
    ['DEFAULT_REGION', 'us'],
    ['DEFAULT_REGION', 'XX'],
    ['DEFAULT_LOCALE', 'xx'],
    ['DEFAULT_LOCALE', 'en-US'],
    ['FORMS_FILE', '/nowhere/forms.yaml'],
    ['DIRECTLINE_ORIGINS', 'canary'],
    ['DIRECTLINE_ORIGINS', 'canary, https://www.example.com, ftp://canary'],
    ['HANDOFF', 'maybe'],
    ['HANDOFF', 'event,maybe'],
    ['HANDOFF_KEY', 'k'.repeat(31)],
    ['CHATWOOT_URL', 'ftp://chatwoot.example.com'],
    ['CHATWOOT_ACCOUNT', '0'],
    ['CHATWOOT_INBOX', 'API'],
    ['CHATWOOT_CALLBACK_KEY', 'k'.repeat(31)],
    ['CHATWOOT_CALLBACK_KEY', `${'k'.repeat(32)}/`],
    ['CHATWOOT_CALLBACK_SECRET', 'a,b,c,d,e'],
    ['HANDOFF_WEBHOOK_URL', 'ftp://desk.example.com'],
    ['HANDOFF_WEBHOOK_SECRET', 'canary'],
    ['AGENT_CONTACT', '  '],
    ['LOG_LEVEL', 'loud'],
    ['TEAMS_TENANTS', 'canary'],
    ...['prod', 'Production', 'staging'].map((value): [string, string] => ['NODE_ENV', value]),
    ['MicrosoftAppPassword', 'canary'],
    ...['us', 'XX', 'US,canary', ' , '].map((value): [string, string] => ['SMS_COUNTRIES', value]),
  ];
  const root = '8a4b1c50-0000-4000-8000-00000000000a';
  const callers = [
    '*',
    root,
    `${root}@`,
    `*@root.example.com`,
    `${root}@*.example.com`,
    `${root}@https://root.example.com`,
    `${root}@127.0.0.1`,
  ];
  for (const value of callers)
    it(`refuse SKILL_CALLERS=${value} in one sentence`, async () => {
      const lines = await linesOf({ ...reached, SKILL_CALLERS: `${root}@fine.example.com, ${value}` });
      assert.equal(lines.length, 1, lines.join('\n'));
      assert.match(lines[0] ?? '', /^SKILL_CALLERS: must be bots such as /);
    });

  it('take root bots by app id and host, and ask for an app id of our own', async () => {
    const SKILL_CALLERS = `${root.toUpperCase()}@Root.example.com, ${root}@other.example.com`;
    assert.deepEqual(readSettings({ ...reached, SKILL_CALLERS }).SKILL_CALLERS, [
      { appId: root, host: 'root.example.com' },
      { appId: root, host: 'other.example.com' },
    ]);
    assert.deepEqual(await linesOf({ SKILL_CALLERS }), ['MicrosoftAppId: must be set when SKILL_CALLERS is.']);
  });

  for (const [name, value] of wrong) {
    it(`refuse ${name}=${value} in one sentence`, async () => {
      const [line = '', ...rest] = await linesOf({ [name]: value });
      assert.deepEqual(rest, []);
      assert.ok(line.startsWith(`${name}: `), line);
      isSentence(value.trim() === '' ? line : line.replaceAll(value, ''));
    });
  }

  const together: [string, Record<string, string>, string[], Program?][] = [
    ['a service elsewhere without its key', { SERVICE_BASE_URL: 'https://service.example.com' }, ['SERVICE_SECRET_KEY']],
    ['a websocket of a service that is not named', { SERVICE_WS_URL: 'wss://service.example.com/ws' }, ['SERVICE_BASE_URL']],
    ['a base address over FTP', { ...service, SERVICE_BASE_URL: 'ftp://service.example.com' }, ['SERVICE_BASE_URL']],
    ['a base address with a password', { ...service, SERVICE_BASE_URL: 'https://jane:canary@service.example.com' }, ['SERVICE_BASE_URL']],
    ['a base address with a query', { ...service, SERVICE_BASE_URL: 'https://service.example.com?x=canary' }, ['SERVICE_BASE_URL']],
    ['a websocket over https', { ...service, SERVICE_WS_URL: 'https://service.example.com' }, ['SERVICE_WS_URL']],
    ['a websocket with a password', { ...service, SERVICE_WS_URL: 'wss://jane:canary@service.example.com' }, ['SERVICE_WS_URL']],
    ['a key with spaces', { ...service, SERVICE_SECRET_KEY: 'sk canary' }, ['SERVICE_SECRET_KEY']],
    ['a key with a line feed', { ...service, SERVICE_SECRET_KEY: 'sk_canary\n' }, ['SERVICE_SECRET_KEY']],
    ['a bot that anybody can reach and nothing protects', identity, ['PUBLIC_URL', 'TRUSTED_PROXIES']],
    [
      'a bot that anybody can reach with a key that can be tried out, in the clear',
      { ...reached, SERVICE_BASE_URL: 'http://service.example.com', SERVICE_SECRET_KEY: 'abc' },
      ['SERVICE_SECRET_KEY', 'SERVICE_BASE_URL'],
    ],
    ['an app id without a password', { ...reached, MicrosoftAppPassword: '' }, ['MicrosoftAppPassword']],
    ['numbers from Teams profiles without an app id', { TEAMS_PHONE: 'graph' }, ['MicrosoftAppId']],
    [
      'numbers from Teams profiles with an app of every organisation, whose tokens Graph does not take',
      { ...reached, MicrosoftAppType: 'MultiTenant', TEAMS_PHONE: 'graph' },
      ['MicrosoftAppType'],
    ],
    [
      'numbers from Teams profiles with an app of an unsaid type, which counts as of every organisation',
      { ...reached, MicrosoftAppType: '', TEAMS_PHONE: 'graph' },
      ['MicrosoftAppType'],
    ],
    ['numbers from Teams profiles without an app id, of a bot alone', { TEAMS_PHONE: 'graph' }, ['MicrosoftAppId'], 'bot'],
    ['an app id that is none', { ...reached, MicrosoftAppId: 'canary' }, ['MicrosoftAppId']],
    ['a single tenant that is not named', { ...reached, MicrosoftAppType: 'SingleTenant' }, ['MicrosoftAppTenantId']],
    ['a type of app that is none', { ...reached, MicrosoftAppType: 'canary' }, ['MicrosoftAppType']],
    ['production with nothing set', { NODE_ENV: 'production' }, ['MicrosoftAppId', 'PUBLIC_URL', 'TRUSTED_PROXIES', 'SERVICE_BASE_URL']],
    ['production without an app id', { ...production, MicrosoftAppId: '', MicrosoftAppPassword: '' }, ['MicrosoftAppId']],
    ['production without a service', { ...production, SERVICE_BASE_URL: '' }, ['SERVICE_BASE_URL']],
    ['a bot in production without a service', { ...production, SERVICE_BASE_URL: '' }, ['SERVICE_BASE_URL'], 'bot'],
    ['production without its public address', { ...production, PUBLIC_URL: '' }, ['PUBLIC_URL']],
    ['production that does not say what stands in front', { ...production, TRUSTED_PROXIES: '' }, ['TRUSTED_PROXIES']],
    ['a key for production that can be tried out', { ...production, SERVICE_SECRET_KEY: 'k'.repeat(31) }, ['SERVICE_SECRET_KEY']],
    ['a service in the clear', { ...production, SERVICE_BASE_URL: 'http://service.example.com' }, ['SERVICE_BASE_URL']],
    ['a websocket in the clear', { ...production, SERVICE_WS_URL: 'ws://service.example.com/ws' }, ['SERVICE_WS_URL']],
    [
      'an address that only looks like this machine',
      { ...production, SERVICE_BASE_URL: 'http://localhost.example.com', SERVICE_WS_URL: 'ws://127.0.0.1.example.com' },
      ['SERVICE_BASE_URL', 'SERVICE_WS_URL'],
    ],
    ['a chat in the clear', { ...production, PUBLIC_URL: 'http://chat.example.com' }, ['PUBLIC_URL']],
    ['replicas in production without a key of their own', { ...production, DATABASE_URL: 'postgres://db/bot' }, ['CHAT_TOKEN_KEY']],
    ['a key of chats that can be tried out', { CHAT_TOKEN_KEY: 'k'.repeat(31) }, ['CHAT_TOKEN_KEY']],
    [
      'a limit that is none',
      { CHATS_PER_ADDRESS: '0', CHAT_MESSAGES: '-1', CHAT_REQUESTS: 'x', CHAT_MEGABYTES: '1.5' },
      ['CHATS_PER_ADDRESS', 'CHAT_MESSAGES', 'CHAT_REQUESTS', 'CHAT_MEGABYTES'],
    ],
    ['a provider in the clear', { ...signIn, DESK_OIDC_ISSUER: 'http://login.example.com' }, ['DESK_OIDC_ISSUER']],
    ['one port for both', { PORT: '5300', SERVICE_PORT: '5300' }, ['SERVICE_PORT']],
    ['two at once', { PORT: 'abc', HANDOFF: 'maybe' }, ['PORT', 'HANDOFF']],
    [
      'wrong ones of every kind at once',
      {
        PORT: 'abc',
        DEFAULT_REGION: 'usa',
        FORMS_FILE: '/nowhere',
        MicrosoftAppId: appId,
        SERVICE_BASE_URL: 'https://service.example.com',
      },
      ['PORT', 'DEFAULT_REGION', 'FORMS_FILE', 'MicrosoftAppPassword', 'PUBLIC_URL', 'TRUSTED_PROXIES', 'SERVICE_SECRET_KEY'],
    ],
  ];
  for (const [what, environment, names, command] of together) {
    it(`refuse ${what}, naming ${names.join(' and ')}`, async () => {
      const lines = await linesOf(environment, command);
      assert.deepEqual(
        lines.map((line) => line.split(':')[0]),
        names,
      );
      lines.forEach(isSentence);
    });
  }

  const allowed: [string, Record<string, string>][] = [
    ['what is just safe enough', {}],
    ['a service on this machine', { SERVICE_BASE_URL: 'http://127.0.0.1:4010', SERVICE_WS_URL: 'ws://localhost:4010/ws' }],
    ['a chat on this machine', { PUBLIC_URL: 'http://localhost:3978' }],
    ['replicas with a key of their own', { DATABASE_URL: 'postgres://db/bot', CHAT_TOKEN_KEY: 'k'.repeat(32) }],
  ];
  for (const [what, environment] of allowed) {
    it(`take in production ${what}`, async () => {
      assert.deepEqual(await linesOf({ ...production, ...environment }), []);
      assert.deepEqual(await linesOf({ ...production, ...environment }, 'bot'), []);
    });
  }

  for (const name of ['FORMS_FILE', 'MENU_FILE', 'SERVICE_CATALOGUE', 'SERVICE_THEME']) {
    it(`say that a missing ${name} cannot be read`, async () =>
      assert.deepEqual(await linesOf({ [name]: '/nowhere.yaml' }), [`${name}: /nowhere.yaml: cannot be read.`]));
  }

  it('of the service do not keep the bot from starting without it', async () => {
    const ofOne = { MicrosoftAppType: 'SingleTenant', MicrosoftAppTenantId: '66666666-7777-4888-9999-000000000000' };
    assert.deepEqual(await linesOf({ ...reached, ...ofOne, TEAMS_PHONE: 'graph' }), []);
    for (const theirs of [{ SERVICE_CATALOGUE: '/nowhere' }, { SERVICE_THEME: '/nowhere' }, { SERVICE_PAYMENT_GATEWAY: 'stripe' }]) {
      assert.deepEqual(await linesOf({ ...theirs }, 'bot'), []);
      assert.deepEqual(await linesOf({ ...service, ...theirs }), []);
    }
  });

  it('of the bot and of the service are reported together, each mistake once', async () =>
    assert.deepEqual(
      (await linesOf({ PORT: 'abc', SERVICE_PORT: 'abc', SERVICE_PAYMENT_GATEWAY: 'cash' })).map((line) => line.split(':')[0]),
      ['PORT', 'SERVICE_PORT', 'SERVICE_PAYMENT_GATEWAY'],
    ));

  it('are read or refused whatever they hold, and a refusal never quotes a secret', async () => {
    const name = fc.constantFrom(...settingNames, ...serviceSettingNames);
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(
          name,
          fc.string({ unit: 'binary', maxLength: 60 }).map((text) => `${text}canary`),
        ),
        async (environment) => {
          // Files are named in the lines about them.
          const files = ['CHAT_THEME', 'FORMS_FILE', 'HANDOFF_FILE', 'MENU_FILE', 'SERVICE_CATALOGUE', 'SERVICE_THEME', 'TEXTS_DIR'];
          const rest = Object.fromEntries(Object.entries(environment).filter(([setting]) => !files.includes(setting)));
          for (const line of await linesOf(rest)) assert.ok(!line.includes('canary'), line);
        },
      ),
      { numRuns: 300 },
    );
  });

  describe('that name a file', () => {
    let folder: string;
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'countersign-settings-'));
    });
    after(() => rmSync(folder, { recursive: true }));
    const entry = `{ id: ${appId}, title: { en: Address, es: Domicilio } }`;

    const forms: [string, string, number][] = [
      ['a good catalogue', `forms: [${entry}]`, 0],
      ['an empty catalogue', 'forms: []', 0],
      ['something that is not YAML', 'forms: [', 1],
      ['a tag nobody knows', `forms: !canary [${entry}]`, 0],
      ['nothing', '', 1],
      ['a list', '[1, 2]', 1],
      ['another key', 'froms: []', 2],
      ['a form without an id', 'forms: [{ title: { en: x } }]', 1],
      ['a form whose id is none', 'forms: [{ id: x, title: { en: x } }]', 1],
      ['a form without an English title', `forms: [{ id: ${appId}, title: { es: x } }]`, 1],
      ['a form with an empty title', `forms: [{ id: ${appId}, title: { en: "" } }]`, 1],
      ['two forms that are wrong', 'forms: [{ id: x, title: { en: x } }, { id: y, title: { en: x } }]', 2],
      ['the same form twice', `forms: [${entry}, ${entry}]`, 1],
      ['too many forms', `forms: [${Array(51).fill(entry).join(', ')}]`, 1],
    ];
    for (const [what, content, count] of forms) {
      it(`take or refuse a FORMS_FILE with ${what}`, async () => {
        const file = join(folder, 'forms.yaml');
        writeFileSync(file, content);
        const lines = await linesOf({ FORMS_FILE: file });
        assert.equal(lines.length, count, lines.join('\n'));
        for (const line of lines) {
          assert.ok(line.startsWith(`FORMS_FILE: ${file}`), line);
          isSentence(line);
        }
      });
    }

    const titles: [string, string, number][] = [
      ['titles of some apps', 'titles: { payments: { en: Pay us, es: Pagarnos }, e-form: { en: Tell us } }', 0],
      ['no titles', 'titles: {}', 0],
      ['nothing', '', 1],
      ['an app nobody knows', 'titles: { transfers: { en: Transfer } }', 1],
      ['a title without an English one', 'titles: { payments: { es: Pagarnos } }', 1],
      ['an empty title', 'titles: { payments: { en: " " } }', 1],
      ['a title as long as a button holds', `titles: { payments: { en: ${'x'.repeat(60)} } }`, 0],
      ['a title that is longer', `titles: { payments: { en: ${'x'.repeat(61)} } }`, 1],
    ];
    for (const [what, content, count] of titles) {
      it(`take or refuse a MENU_FILE with ${what}`, async () => {
        const file = join(folder, 'menu.yaml');
        writeFileSync(file, content);
        const lines = await linesOf({ MENU_FILE: file });
        assert.equal(lines.length, count, lines.join('\n'));
        for (const line of lines) {
          assert.ok(line.startsWith(`MENU_FILE: ${file}`), line);
          isSentence(line);
        }
      });
    }

    const catalogues: [string, string][] = [
      ['something that is not YAML', 'account: ['],
      ['nothing', ''],
      ['the wrong things', 'account: 7\ncustomers: x'],
    ];
    for (const [what, content] of catalogues) {
      it(`refuse a SERVICE_CATALOGUE with ${what}`, async () => {
        const file = join(folder, 'catalogue.yaml');
        writeFileSync(file, content);
        const lines = await linesOf({ SERVICE_CATALOGUE: file });
        assert.ok(lines.length > 0);
        for (const line of lines) {
          assert.ok(line.startsWith(`SERVICE_CATALOGUE: ${file}`), line);
          isSentence(line);
        }
      });
    }
  });
});
