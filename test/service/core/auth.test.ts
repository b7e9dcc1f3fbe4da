import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { appIds, apps } from '../../../src/contract/index.ts';
import { sha256 } from '../../../src/platform/secrets/sealing.ts';
import { makeAuthenticate } from '../../../src/service/core/accounts.ts';
import { startTestService, type TestService } from '../../support/running-service.ts';

describe("the account's secret key", () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.close());

  const routes: [string, string][] = [
    ...appIds.flatMap((id): [string, string][] => [
      ['GET', apps[id].operations.bootstrap.path],
      ['POST', apps[id].operations.bootstrap.path],
      ['POST', apps[id].operations.send.path],
    ]),
    ['POST', '/one-time-passcode/check'],
    ['GET', '/results/01ARZ3NDEKTSV4RRFFQ69G5FAV'],
    ['GET', '/requests/01ARZ3NDEKTSV4RRFFQ69G5FAV'],
    ['POST', '/requests/01ARZ3NDEKTSV4RRFFQ69G5FAV/cancel'],
    ['POST', '/requests/01ARZ3NDEKTSV4RRFFQ69G5FAV/resend'],
    ['GET', '/webhooks/dead'],
    ['POST', '/webhooks/dead/01ARZ3NDEKTSV4RRFFQ69G5FAV/retry'],
  ];
  const keys = (right: string): [what: string, key: string][] => [
    ['no header', ''],
    ['no scheme', right],
    ['another scheme', `Basic ${right}`],
    ['no key', 'Bearer'],
    ['a wrong key', 'Bearer wrong'],
    ['a key that is cut short', `Bearer ${right.slice(0, -1)}`],
    ['a key with something after it', `Bearer ${right} x`],
    ['two keys', `Bearer ${right}, Bearer ${right}`],
  ];

  const refused = async (method: string, path: string, authorization: string) => {
    const { status, headers, text } = await service.open(method, path, { headers: { authorization } });
    assert.equal(status, 401, `${method} ${path} ${authorization}`);
    assert.equal(headers['www-authenticate'], 'Bearer');
    return text;
  };

  it('is needed for every route', async () => {
    for (const [method, path] of routes) await refused(method, path, 'Bearer wrong');
  });

  it('is refused without revealing what was wrong with it', async () => {
    const answers = new Set<string>();
    for (const [, authorization] of keys(service.running.secretKey)) answers.add(await refused('POST', '/payments/send', authorization));
    assert.equal(answers.size, 1);
  });

  it('is checked before the body', async () => {
    const { status } = await service.open('POST', '/payments/send', { body: '{', headers: { authorization: 'Bearer wrong' } });
    assert.equal(status, 401);
  });

  it('is generated at the first start, readable by this user only, and the same after a restart', async () => {
    const { secretKey } = service.running;
    const file = join(service.dataDir, 'service.key');
    assert.equal(readFileSync(file, 'utf8').trim(), secretKey);
    for (const name of ['service.key', 'service.pepper']) assert.equal(statSync(join(service.dataDir, name)).mode & 0o777, 0o600);
    await service.restart();
    assert.equal(service.running.secretKey, secretKey);
  });

  it('opens its own account and no other', () => {
    const first = { id: 'account-a', name: 'A' };
    const second = { id: 'account-b', name: 'B' };
    const key = (text: string) => ({ digest: sha256(text), expiresAt: undefined });
    const authenticate = makeAuthenticate(
      [
        { account: first, keys: [key('key-a'), key('key-a-new')] },
        { account: second, keys: [key('key-b')] },
      ],
      { now: () => 1000 },
    );
    assert.equal(authenticate('Bearer key-a')?.account, first);
    assert.equal(authenticate('bearer key-a-new')?.account, first);
    assert.equal(authenticate('Bearer key-b')?.account, second);
    assert.equal(authenticate('Bearer key-c'), undefined);
  });
});
