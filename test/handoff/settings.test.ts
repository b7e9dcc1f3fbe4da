import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../../src/compose/start/settings.ts';
import { hubsOf } from '../../src/handoff/hubs.ts';
import { handoffFaults } from '../../src/handoff/settings.ts';

const production = { NODE_ENV: 'production' };
const platform = {
  HANDOFF: 'webhook',
  HANDOFF_WEBHOOK_URL: 'https://desk.example.com/hooks',
  HANDOFF_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
};
const signIn = {
  DESK_OIDC_ISSUER: 'https://login.example.com',
  DESK_OIDC_CLIENT_ID: 'desk',
  DESK_OIDC_CLIENT_SECRET: 'a-secret',
  PUBLIC_URL: 'https://chat.example.com',
};

describe('the settings of handoffs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-rules-'));
  after(() => rmSync(folder, { recursive: true }));
  /** A file of rules that send every chat to a hub. */
  const rules = (hub: string) => {
    const file = join(folder, `${hub}.yaml`);
    writeFileSync(file, `rules: [{ hub: ${hub} }]`);
    return file;
  };

  const rows: [what: string, environment: Record<string, string>, names: string[]][] = [
    ['a platform that is not named', { HANDOFF: 'event,webhook' }, ['HANDOFF_WEBHOOK_URL', 'HANDOFF_WEBHOOK_SECRET']],
    ['a Chatwoot that is not named', { HANDOFF: 'chatwoot' }, ['CHATWOOT_URL', 'CHATWOOT_TOKEN', 'CHATWOOT_ACCOUNT', 'CHATWOOT_INBOX']],
    ['rules where no hub is', { HANDOFF: 'none', HANDOFF_FILE: rules('desk') }, ['HANDOFF_FILE']],
    ['rules where nobody can sit at the desk unasked', { ...production, HANDOFF_FILE: rules('desk') }, ['HANDOFF_FILE']],
    ['rules for a hub that is not there', { HANDOFF_FILE: rules('webhook') }, ['HANDOFF_FILE']],
    ['nothing where rules are for the desk that this machine has anyway', { HANDOFF_FILE: rules('desk') }, []],
    [
      'a desk that anybody could come to',
      { ...production, HANDOFF: 'desk' },
      ['DESK_OIDC_ISSUER', 'DESK_OIDC_CLIENT_ID', 'DESK_OIDC_CLIENT_SECRET'],
    ],
    [
      'half a sign-in at the desk',
      { DESK_OIDC_ISSUER: 'https://login.example.com' },
      ['DESK_OIDC_CLIENT_ID', 'DESK_OIDC_CLIENT_SECRET', 'PUBLIC_URL'],
    ],
    [
      'replicas whose desks know different people',
      { ...production, ...signIn, HANDOFF: 'desk', DATABASE_URL: 'postgres://db/bot', ASSERTION_KEY: 'k' },
      ['DESK_KEY'],
    ],
    [
      'replicas whose panels in Chatwoot know different people',
      {
        ...{ ...production, ...signIn, HANDOFF: 'chatwoot', CHATWOOT_TOKEN: 'token', CHATWOOT_ACCOUNT: '3', CHATWOOT_INBOX: '5' },
        ...{ CHATWOOT_URL: 'https://chatwoot.example.com', CHATWOOT_CALLBACK_KEY: 'k'.repeat(32) },
        ...{ DATABASE_URL: 'postgres://db/bot', ASSERTION_KEY: 'k' },
      },
      ['DESK_KEY'],
    ],
    [
      'a Chatwoot in the clear, and one address for each replica',
      {
        ...{ ...production, HANDOFF: 'chatwoot', CHATWOOT_TOKEN: 'token', CHATWOOT_ACCOUNT: '3', CHATWOOT_INBOX: '5' },
        ...{ CHATWOOT_URL: 'http://chatwoot.example.com', DATABASE_URL: 'postgres://db/bot' },
        ASSERTION_KEY: 'k',
      },
      ['CHATWOOT_URL', 'CHATWOOT_CALLBACK_KEY'],
    ],
    ['a platform in the clear', { ...production, ...platform, HANDOFF_WEBHOOK_URL: 'http://desk.example.com' }, ['HANDOFF_WEBHOOK_URL']],
    [
      'a platform of replicas without keys of their own',
      { ...production, ...platform, DATABASE_URL: 'postgres://db/bot' },
      ['ASSERTION_KEY', 'HANDOFF_KEY'],
    ],
  ];
  for (const [what, environment, names] of rows)
    it(`refuse ${what}${names.length > 0 ? `, naming ${names.join(' and ')}` : ''}`, () => {
      const lines = handoffFaults(environment);
      assert.deepEqual(
        lines.map((line) => line.split(':')[0]),
        names,
      );
      for (const line of lines) assert.match(line, /^[A-Z_]+: [^\n]{10,}\.$/);
    });
});

describe('the hubs of the settings', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-hubs-'));
  after(() => rmSync(folder, { recursive: true }));
  const app = { MicrosoftAppId: '6f1c0000-0000-4000-8000-000000000001', MicrosoftAppPassword: 'secret' };
  const reached = { ...app, PUBLIC_URL: 'https://chat.example.com', TRUSTED_PROXIES: '0' };
  const chatwoot = {
    ...{ HANDOFF: 'chatwoot', CHATWOOT_URL: 'https://chatwoot.example.com/app', CHATWOOT_TOKEN: 'token' },
    ...{ CHATWOOT_ACCOUNT: '3', CHATWOOT_INBOX: '5', CHATWOOT_CALLBACK_KEY: 'c'.repeat(32) },
  };
  const desk = { DESK_KEY: 'd'.repeat(32) };
  const panel = { hub: 'chatwoot', frame: 'https://chatwoot.example.com' };
  const all = (environment: object) => hubsOf(readSettings({ DATA_DIR: folder, ...environment } as Record<string, string>));
  const found = (environment: object) => {
    const { hubs = [], key, chatwoot: callback, desk: access, close } = all(environment) ?? {};
    void close?.();
    return {
      names: hubs.map(({ name }) => name),
      key,
      callback: callback?.key,
      desk: access?.key,
      openId: access?.openId?.issuer,
      panel: access?.panel,
    };
  };
  const none = { key: undefined, callback: undefined, desk: undefined, openId: undefined, panel: undefined };

  const rows: [what: string, environment: object, expected: object][] = [
    ['none where others reach the bot', reached, { names: [] }],
    ['none if none is wanted', { HANDOFF: 'none' }, { names: [] }],
    ['the desk on this machine', desk, { names: ['desk'], desk: desk.DESK_KEY }],
    ['the channel’s, in the order of the setting', { HANDOFF: 'omnichannel,event' }, { names: ['omnichannel', 'event'] }],
    ['a platform, with its key', { ...platform, HANDOFF_KEY: 'k'.repeat(32) }, { names: ['webhook'], key: 'k'.repeat(32) }],
    [
      'Chatwoot, with the panel on this machine',
      { ...chatwoot, ...desk },
      { names: ['chatwoot'], callback: 'c'.repeat(32), desk: desk.DESK_KEY, panel },
    ],
    [
      'Chatwoot without a panel, where nobody could sign in to it',
      { ...reached, ...chatwoot, ...desk },
      { names: ['chatwoot'], callback: 'c'.repeat(32) },
    ],
    [
      'Chatwoot with a panel, where agents sign in',
      { ...reached, ...chatwoot, ...desk, ...signIn },
      { names: ['chatwoot'], callback: 'c'.repeat(32), desk: desk.DESK_KEY, openId: signIn.DESK_OIDC_ISSUER, panel },
    ],
    [
      'the desk, where agents sign in',
      { ...reached, ...desk, ...signIn, HANDOFF: 'desk' },
      { names: ['desk'], desk: desk.DESK_KEY, openId: signIn.DESK_OIDC_ISSUER },
    ],
  ];
  for (const [what, environment, expected] of rows) it(`are ${what}`, () => assert.deepEqual(found(environment), { ...none, ...expected }));

  it('have keys of their own, which are kept, where none are set', () => {
    const { CHATWOOT_CALLBACK_KEY: _, ...unkept } = chatwoot;
    const first = found({ ...platform, ...unkept, HANDOFF: 'chatwoot,webhook,desk' });
    const keys = [first.key, first.callback, first.desk];
    assert.equal(new Set(keys).size, 3);
    for (const key of keys) assert.ok((key ?? '').length >= 32);
    assert.deepEqual(found({ ...platform, ...unkept, HANDOFF: 'chatwoot,webhook,desk' }), first);
  });
});
