import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLog } from '../../../src/platform/log.ts';
import { system } from '../../../src/service/core/audit/origin.ts';
import { makeSeal } from '../../../src/service/core/secrets/seal.ts';
import { openStorage, type Storage } from '../../../src/service/core/store/index.ts';
import { makePhoneProofs, type PhoneProofs } from '../../../src/service/passkeys/phone-proofs.ts';
import { acceptance, acceptedAt as now } from '../../support/stored-request.ts';

describe('the proof of a phone', () => {
  let storage: Storage;
  let proofs: PhoneProofs;
  let dataDir: string;
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'countersign-proofs-'));
    let made = 0;
    const newId = () => `event-${made++}`;
    storage = await openStorage({
      dataDir,
      url: undefined,
      newId,
      seal: makeSeal('the-pepper-of-this-test-and-no-other'),
      log: makeLog('silent'),
    });
    await storage.requests.accept(acceptance('a'));
    proofs = makePhoneProofs(storage);
    const proven = proofs.proven({ requestId: 'a', proofHash: 'proof', at: now, expiresAt: now + 1e9 });
    assert.equal(await storage.apply('a', { by: system, action: 'phone.proven' }, proven, now), true);
  });
  afterEach(async () => {
    await storage.close();
    rmSync(dataDir, { recursive: true });
  });
  const create = (at: number) => storage.apply('a', { by: system, action: 'passkey.created' }, proofs.spending('a', 'proof', at), at);

  it('is used up once while its request is open', async () => {
    assert.deepEqual([await create(now + 1), await create(now + 2)], [true, false]);
  });

  it('is worth nothing once its request was withdrawn, even if it was held before', async () => {
    assert.equal(await proofs.holds('a', 'proof', now + 1), true);
    await storage.changes.cancel('a', now + 1, system);
    assert.equal(await create(now + 2), false);
  });

  it('is worth nothing once its request has expired', async () => {
    assert.equal(await create(now + 1e8), false);
  });
});
