import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SettingsError } from '../../../src/platform/settings/settings-error.ts';
import { typeset } from '../../../src/service/document-signature/typeset.ts';
import { makeSealFile } from '../../../src/service/pdf/sealing.ts';
import { keptSigningKey, readSigningKey } from '../../../src/service/pdf/signing-key.ts';
import { type algorithms, makePem, writePair } from '../../support/certificates.ts';
import { readSignature } from '../../support/pdf-signature.ts';

const now = Date.UTC(2026, 10, 20, 9);
const year = 365 * 24 * 60 * 60 * 1000;
const valid = { notBefore: now - year, notAfter: now + year };
const sheet = {
  content: { title: 'A document', language: 'en', paragraphs: [[{ text: 'Something.', filled: false }]] },
  account: 'Somebody',
  name: 'Mei Tanaka',
  drawn: undefined,
  signatureHeading: 'Signature',
  evidence: ['Signed.'],
  reference: 'Reference',
  pageOf: (page: number, pages: number) => `${page}/${pages}`,
  at: now,
};

describe('the key that documents are sealed with', function () {
  this.timeout(30_000);
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-signing-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const refusal = (work: () => unknown) => {
    try {
      work();
    } catch (fault) {
      assert.ok(fault instanceof SettingsError);
      return fault.lines.join('\n');
    }
    return assert.fail('it was taken');
  };

  for (const kind of ['RSA of 2048 bits', 'the curve P-256', 'the curve P-384'] as const) {
    it(`can be the operator’s own, ${kind}`, async () => {
      const pem = await makePem(kind, valid);
      const key = readSigningKey(writePair(folder, pem), now);
      const found = await readSignature(await makeSealFile(key)(await typeset(sheet), now));
      assert.equal(found.valid && found.whole, true);
      assert.deepEqual(found.certificate, new X509Certificate(pem.certificate).raw);
    });
  }

  it('includes the issuers’ certificates', async () => {
    const [own, above] = [await makePem('the curve P-256', valid), await makePem('the curve P-256', valid)];
    const key = readSigningKey(writePair(folder, { key: own.key, certificate: `${own.certificate}\n${above.certificate}` }), now);
    assert.deepEqual(key.chain.map(Buffer.from), [new X509Certificate(above.certificate).raw]);
    assert.equal((await readSignature(await makeSealFile(key)(await typeset(sheet), now))).valid, true);
  });

  const wrong: [string, keyof typeof algorithms, typeof valid, RegExp][] = [
    ['a certificate that has ended', 'the curve P-256', { notBefore: now - year, notAfter: now - 1000 }, /is valid from .* only\./],
    ['a certificate that has not begun', 'the curve P-256', { notBefore: now + 60_000, notAfter: now + year }, /is valid from .* only\./],
    ['a key that is too short', 'RSA of 1024 bits', valid, /use RSA of 2048 bits or more/],
    ['a curve that few programs verify', 'the curve P-521', valid, /P-256 or P-384/],
  ];
  for (const [what, kind, validity, expected] of wrong) {
    it(`is refused with ${what}`, async () => {
      const files = writePair(folder, await makePem(kind, validity));
      const line = refusal(() => readSigningKey(files, now));
      assert.ok(line.startsWith(`SERVICE_SIGNING_CERTIFICATE: ${files.certificateFile} `), line);
      assert.match(line, expected);
    });
  }

  it('is refused with a certificate of another key', async () => {
    const [one, other] = [await makePem('the curve P-256', valid), await makePem('the curve P-256', valid)];
    const files = writePair(folder, { key: one.key, certificate: other.certificate });
    assert.match(
      refusal(() => readSigningKey(files, now)),
      /does not belong to the private key\.$/,
    );
  });

  it('is refused when a file is missing or holds something else', async () => {
    const files = writePair(folder, await makePem('the curve P-256', valid));
    const missing = join(folder, 'missing.pem');
    assert.match(
      refusal(() => readSigningKey({ ...files, keyFile: missing }, now)),
      /^SERVICE_SIGNING_KEY: .*missing\.pem/,
    );
    assert.match(
      refusal(() => readSigningKey({ ...files, certificateFile: missing }, now)),
      /^SERVICE_SIGNING_CERTIFICATE: .*missing\.pem/,
    );
    writeFileSync(files.certificateFile, 'nothing');
    assert.match(
      refusal(() => readSigningKey(files, now)),
      /does not hold a certificate in PEM\.$/,
    );
  });

  it('is made on first use, readable by this user only, and kept', async () => {
    const first = await keptSigningKey(folder, 'Brightwater, “Ñ” & Co', now);
    const file = join(folder, 'signing.pem');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const second = await keptSigningKey(folder, 'Somebody else', now + year);
    assert.deepEqual(second.certificate, first.certificate);
    assert.match(new X509Certificate(first.certificate).subject, /^CN=Brightwater\\, “Ñ” & Co \(development\)$/);
    assert.equal((await readSignature(await makeSealFile(second)(await typeset(sheet), now))).valid, true);
  });

  it('is the same for two processes that start together', async () => {
    const [one, other] = await Promise.all([keptSigningKey(folder, 'A', now), keptSigningKey(folder, 'B', now)]);
    assert.deepEqual(one.certificate, other.certificate);
  });

  it('does not replace a file that holds something else', async () => {
    const file = join(folder, 'signing.pem');
    writeFileSync(file, 'nothing');
    await assert.rejects(keptSigningKey(folder, 'A', now), SettingsError);
    assert.equal(readFileSync(file, 'utf8'), 'nothing');
  });
});
