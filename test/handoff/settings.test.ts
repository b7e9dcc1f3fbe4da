import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
