import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tokenKey } from '../../../src/compose/bot/token-key.ts';
import { limitsOf, storageOf } from '../../../src/compose/start/bot-settings.ts';
import { readSettings } from '../../../src/compose/start/settings.ts';

describe('the key of chats’ tokens', () => {
  let folders: string[];
  beforeEach(() => {
    folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'countersign-key-')));
  });
  afterEach(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
  });
  const keyIn = (folder = '', more: Record<string, string> = {}) =>
    Buffer.from(tokenKey(storageOf(readSettings({ DATA_DIR: folder, ...more })))).toString('hex');

  it('is generated once for a folder, whatever the service’s key is, and readable only by its user', () => {
    const [one, other] = folders;
    const service = { SERVICE_BASE_URL: 'https://service.example.com', DATABASE_URL: 'postgres://db/bot' };
    const key = keyIn(one, { ...service, SERVICE_SECRET_KEY: 'abc' });
    assert.equal(keyIn(one, { ...service, SERVICE_SECRET_KEY: 'abcd' }), key);
    assert.notEqual(keyIn(other, { ...service, SERVICE_SECRET_KEY: 'abc' }), key);
    assert.equal(Buffer.from(key, 'hex').length, 32);
    assert.equal(statSync(join(one ?? '', 'directline.key')).mode & 0o777, 0o600);
  });

  it('is derived from the setting, the same everywhere', () => {
    const set = { CHAT_TOKEN_KEY: 'a-secret-that-all-replicas-share' };
    const [one, other] = folders.map((folder) => keyIn(folder, set));
    assert.equal(one, other);
    assert.notEqual(one, Buffer.from(set.CHAT_TOKEN_KEY).toString('hex'));
    assert.notEqual(one, keyIn(folders[0], { CHAT_TOKEN_KEY: 'a-secret-that-all-replicas-shar3' }));
  });
});

describe('the limits of chats', () => {
  const identity = {
    MicrosoftAppId: '6f1c0000-0000-4000-8000-000000000001',
    MicrosoftAppPassword: 'secret',
    PUBLIC_URL: 'https://chat.example.com',
    TRUSTED_PROXIES: '0',
  };
  it('come from the settings, or else differ for a public bot and a local one', () => {
    const { chats, turns, directLine } = limitsOf(readSettings(identity));
    assert.deepEqual([chats.points, turns.points, directLine.requests.points, directLine.chat.bytes], [30, 10, 60, 2 * 1024 * 1024]);
    assert.equal(limitsOf(readSettings({})).chats.points, 1000);
    const set = { CHATS_PER_ADDRESS: '31', CHAT_MESSAGES: '11', CHAT_REQUESTS: '61', CHAT_MEGABYTES: '3' };
    for (const who of [identity, {}]) {
      const own = limitsOf(readSettings({ ...who, ...set }));
      assert.deepEqual(
        [own.chats.points, own.turns.points, own.directLine.requests.points, own.directLine.chat.bytes],
        [31, 11, 61, 3 * 1024 * 1024],
      );
    }
  });
});
