import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ulid } from 'ulid';
import { SettingsError } from '../../../../src/platform/settings/settings-error.ts';
import { loadAccounts } from '../../../../src/service/core/catalogue/load.ts';
import { failureOf } from '../../../support/failure-of.ts';
import { type CatalogueChange, ownCatalogue } from '../../../support/own-catalogue.ts';
import { startTestService, type TestService } from '../../../support/running-service.ts';
import { makeTestTime } from '../../../support/test-time.ts';
import { digestOf, northernKey, startTwoAccounts, twoAccounts } from '../../../support/two-accounts.ts';

const old = 'the-old-key-of-the-account-00001';
const fresh = 'the-new-key-of-the-account-00002';
const filed = 'the-filed-key-of-the-account-003';

describe('the keys of an account', () => {
  let folder: string;
  let service: TestService | undefined;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-keys-'));
  });
  afterEach(async () => {
    await service?.close();
    service = undefined;
    rmSync(folder, { recursive: true });
  });

  const withKeys = (keys: unknown) => ownCatalogue(folder, ({ account }) => (account.keys = keys));
  /** Whether a key opens the account: a result that does not exist is looked for, and not found. */
  const opens = async (key: string) => {
    const reply = await service?.call('GET', `/results/${ulid()}`, { headers: { authorization: `Bearer ${key}` } });
    assert.ok(reply?.status === 404 || reply?.status === 401);
    return reply.status === 404;
  };

  it('are named by digest, by environment variable or by file, and several open it at once', async () => {
    writeFileSync(join(folder, 'account.key'), `${filed}\n`);
    const catalogueFile = withKeys([{ sha256: digestOf(old).toUpperCase() }, { env: 'ACCOUNT_KEY' }, { file: 'account.key' }]);
    service = await startTestService({ catalogueFile, environment: { ACCOUNT_KEY: fresh } });
    for (const key of [old, fresh, filed, service.running.secretKey]) assert.ok(await opens(key), key);
    assert.equal(await opens(digestOf(old)), false);
  });

  it('can be changed without downtime: both work, then only the new one', async () => {
    const [first, second] = [{ sha256: digestOf(old) }, { sha256: digestOf(fresh) }];
    const catalogueFile = withKeys([first]);
    service = await startTestService({ catalogueFile });
    const steps: [object[], boolean, boolean][] = [
      [[first], true, false],
      [[first, second], true, true],
      [[second], false, true],
    ];
    for (const [keys, oldOpens, newOpens] of steps) {
      withKeys(keys);
      await service.restart();
      assert.deepEqual([await opens(old), await opens(fresh)], [oldOpens, newOpens]);
    }
  });

  it('work until they expire, and then get the same answer as a wrong key', async () => {
    const time = makeTestTime();
    const expiresAt = new Date(time.clock.now() + 60_000).toISOString();
    const catalogueFile = withKeys([{ sha256: digestOf(old), expiresAt }, { sha256: digestOf(fresh) }]);
    service = await startTestService({ catalogueFile, clock: time.clock, alarm: time.alarm });
    await time.advance(59_999, async () => {});
    assert.ok(await opens(old));
    await time.advance(1, async () => {});
    assert.deepEqual([await opens(old), await opens(fresh)], [false, true]);
    const answer = async (key: string) =>
      (await service?.call('GET', `/results/${ulid()}`, { headers: { authorization: `Bearer ${key}` } }))?.text;
    assert.equal(await answer(old), await answer('wrong'));
  });

  it('appear in no answer and no document', async () => {
    service = await startTestService({ catalogueFile: withKeys([{ sha256: digestOf(old) }]) });
    for (const path of ['/openapi.json', '/asyncapi.json', '/docs', '/outbox']) {
      const { text } = await service.open('GET', path);
      for (const secret of [old, digestOf(old), service.running.secretKey]) assert.ok(!text.includes(secret), path);
    }
  });

  it('are never shared by two accounts, nor equal to the service’s key', async () => {
    const fault = await failureOf(startTwoAccounts({ secretKey: northernKey }), SettingsError);
    assert.match(fault.message, /^SERVICE_SECRET_KEY: is the key of another account/);
  });

  describe('in a catalogue with mistakes', () => {
    const one =
      (keys: unknown): CatalogueChange =>
      (file) =>
        (file.account.keys = keys);
    const second =
      (change: CatalogueChange): CatalogueChange =>
      (file) => {
        twoAccounts(file);
        change(file.accounts[1]);
      };
    const mistakes: [string, CatalogueChange, RegExp][] = [
      ['a key in plain text', one([{ key: old }]), /: account\.keys\.0\.key: is not known here\.$/],
      ['a key as mere text', one([old]), /: account\.keys\.0: must be an object\.$/],
      ['a key that is nowhere', one([{}]), /: account\.keys\.0: must have either sha256, env or file\.$/],
      ['a key in two places', one([{ env: 'KEY', file: 'key' }]), /: account\.keys\.0: must have either sha256, env or file\.$/],
      ['a digest that is none', one([{ sha256: 'abc' }]), /: account\.keys\.0\.sha256: must be 64 hexadecimal digits/],
      [
        'a variable that is not set',
        one([{ env: 'NOT_SET' }]),
        /: account\.keys\.0: names a key that is not there: the environment variable NOT_SET/,
      ],
      [
        'a file that is not there',
        one([{ file: 'nowhere.key' }]),
        /: account\.keys\.0: names a key that is not there: the file cannot be read\.$/,
      ],
      [
        'a key that is too short',
        one([{ env: 'SHORT' }]),
        /: account\.keys\.0: names a key that is none: .* must hold 32 visible ASCII characters at least\.$/,
      ],
      [
        'an expiry that is no time',
        one([{ sha256: digestOf(old), expiresAt: 'soon' }]),
        /: account\.keys\.0\.expiresAt: must be an ISO 8601/,
      ],
      [
        'eleven keys',
        one(Array.from({ length: 11 }, (_, index) => ({ sha256: digestOf(`${index}`) }))),
        /: account\.keys: must be 10 at most\.$/,
      ],
      ['a key twice', one([{ sha256: digestOf(old) }, { env: 'OLD' }]), /: account\.keys\.1: is used twice\.$/],
      [
        'no account',
        (file) => {
          for (const part of Object.keys(file)) delete file[part];
          file.accounts = [];
        },
        /: accounts: must name an account\.$/,
      ],
      ['something beside the accounts', (file) => (file.accounts = []), /: customers: is not known here\.$/],
      ['an account’s id used twice', second((c) => (c.account.id = 'brightwater')), /: accounts\.1\.account\.id: is used twice\.$/],
      ['a second account with no keys', second((c) => delete c.account.keys), /: accounts\.1\.account\.keys: must be given/],
      [
        'a mistake in the second account',
        second((c) => (c.customers[0].email = 'nowhere')),
        /: accounts\.1\.customers\.0\.email: must be an e-mail/,
      ],
      [
        'a key of two accounts',
        (file) => {
          twoAccounts(file);
          file.accounts[0].account.keys = [{ sha256: digestOf(northernKey) }];
        },
        /: accounts\.1\.account\.keys\.0: is used twice\.$/,
      ],
    ];
    for (const [what, change, expected] of mistakes) {
      it(`such as ${what} are refused by file, place and reason, and no key is told`, () => {
        const file = ownCatalogue(folder, change);
        assert.throws(
          () => loadAccounts(file, { SHORT: old.slice(1), OLD: old }),
          (fault) => {
            assert.ok(fault instanceof SettingsError);
            assert.ok(
              fault.lines.some((line) => line.startsWith(`SERVICE_CATALOGUE: ${file}`) && expected.test(line)),
              fault.lines.join('\n'),
            );
            assert.ok(!fault.message.includes(old));
            return true;
          },
        );
      });
    }

    it('such as a zero-knowledge form and no key to encrypt for are refused for every account but the first', async () => {
      const starting = startTwoAccounts({}, ({ accounts: [demo, northern] }) =>
        northern.forms.push({ ...demo.forms[1], id: '6f1c0000-0000-4000-8000-0000000000b2' }),
      );
      assert.match((await failureOf(starting, SettingsError)).message, /accounts\.1\.account\.encryptionKey: must be given/);
    });
  });
});
