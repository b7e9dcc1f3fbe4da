import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'content-disposition';
import { resultRecords } from '../../../src/contract/index.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { hiddenFields } from '../../support/device.ts';
import { onEachDatabase } from '../../support/each-database.ts';
import { readSignature, signingCertificateV2 } from '../../support/pdf-signature.ts';
import type { TestService } from '../../support/running-service.ts';
import { sendBody } from '../../support/sends.ts';
import { everythingIn, statement } from '../../support/service-database.ts';
import { changeInput } from '../../support/service-seal.ts';
import { makeTestTime, type TestTime } from '../../support/test-time.ts';

const run = promisify(execFile);
const day = 24 * 60 * 60 * 1000;
const wave = Array.from({ length: 60 }, (_, index) => `${20 + index * 4}.${Math.round(80 + 40 * Math.sin(index / 6))}`).join('-');

onEachDatabase('a signed document', function (startTestService) {
  this.timeout(60_000);
  let time: TestTime;
  let service: TestService;
  const lines: string[] = [];
  before(async () => {
    time = makeTestTime();
    service = await startTestService({
      clock: time.clock,
      alarm: time.alarm,
      log: makeLog('info', { write: (line) => void lines.push(line) }),
    });
  });
  after(() => service.close());

  const start = async (change: object = {}, ending?: '0102' | '0110') => {
    const { json } = await service.call('POST', '/document-signature/send', {
      body: { ...sendBody('document-signature', ending), ...change },
    });
    assert.ok(json.requestId, JSON.stringify(json));
    return { requestId: json.requestId as string, link: (await service.outbox())[0]?.link ?? '' };
  };
  const sign = async (link: string, fields: Record<string, string> = {}) => {
    const { name = 'Lucía Ñandú' } = fields;
    const hidden = hiddenFields((await service.open('GET', link)).text);
    const body = new URLSearchParams({ ...hidden, decision: 'accept', consent: 'on', name, warned: name, ...fields });
    return service.open('POST', link, { body });
  };
  const result = async (id: string) => resultRecords['document-signature'].parse((await service.call('GET', `/results/${id}`)).json);
  const download = async (url: string) => {
    const response = await fetch(service.running.baseUrl + new URL(url).pathname);
    return { status: response.status, headers: response.headers, file: Buffer.from(await response.arrayBuffer()) };
  };
  /** Changes a row behind the service's back. */
  const tamper = (text: string, ...values: string[]) => statement(service, text, ...values);
  const signed = async (fields: Record<string, string> = {}, change: object = {}) => {
    const { requestId, link } = await start(change);
    assert.equal((await sign(link, fields)).status, 200);
    const { url = '' } = await result(requestId);
    return { requestId, url, ...(await download(url)) };
  };

  for (const [how, fields] of [
    ['by name', {}],
    ['by hand', { drawn: `320.170_${wave}_200.150` }],
  ] as const) {
    it(`is available as a PDF whose seal an independent verifier accepts, signed ${how}`, async () => {
      const { status, headers, file } = await signed(fields);
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), 'application/pdf');
      const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(time.clock.now());
      const { type, parameters } = parse(headers.get('content-disposition') ?? '');
      assert.deepEqual([type, parameters.filename], ['attachment', `Direct debit mandate – ${day}.pdf`]);
      assert.match(headers.get('content-disposition') ?? '', /; filename="Direct debit mandate - \w+ \d+, \d{4}\.pdf";/);
      assert.equal(file.subarray(0, 5).toString(), '%PDF-');
      const found = await readSignature(file);
      assert.equal(found.valid, true);
      assert.equal(found.whole, true);
      assert.equal(found.subFilter, 'ETSI.CAdES.detached');
      assert.ok(found.attributes.includes(signingCertificateV2));
      assert.match(new X509Certificate(found.certificate).subject, /^CN=Brightwater Energy \(development\)$/);
      assert.ok(file.length < 250_000, `${file.length} bytes`);
    });
  }

  it('reveals every flipped bit', async () => {
    const { file } = await signed();
    const { length } = file;
    const contents = file.indexOf('/Contents <');
    const places = [7, 500, Math.floor(length / 3), contents - 40, length - 200, length - 3];
    for (const place of places) {
      const flipped = Buffer.from(file);
      flipped[place] = (flipped[place] ?? 0) ^ 1;
      const found = await readSignature(flipped).catch(() => ({ valid: false, whole: false }));
      assert.equal(found.valid && found.whole, false, `byte ${place} of ${length}`);
    }
    const longer = await readSignature(Buffer.concat([file, Buffer.from('\n% more')]));
    assert.equal(longer.whole, false);
  });

  it("is valid for poppler's pdfsig too, and says what was signed in letters of several alphabets", async () => {
    const variables = { accountHolder: 'Łucja Ñandú Ωμέγα Жанна “Ő”', accountEnding: '0042', monthlyLimit: '1150.50' };
    const { file } = await signed({}, { variables });
    const tools = await Promise.all(
      ['pdfsig', 'pdftotext', 'pdffonts'].map((tool) =>
        run(tool, ['-v']).then(
          () => true,
          () => false,
        ),
      ),
    );
    // Not everywhere; the build machine has them (.ci/run).
    if (tools.includes(false)) return;
    const path = join(service.dataDir, 'signed.pdf');
    writeFileSync(path, file);
    const { stdout: seal } = await run('pdfsig', [path]);
    assert.match(seal, /Signature is Valid\./);
    assert.match(seal, /Total document signed/);
    const { stdout: text } = await run('pdftotext', ['-layout', path, '-']);
    for (const shown of ['Direct debit mandate', 'Łucja Ñandú Ωμέγα Жанна “Ő”', '$1,150.50', 'Lucía Ñandú', 'Page 1 of 1']) {
      assert.ok(text.includes(shown), `${shown} in ${text}`);
    }
    const { stdout: fonts } = await run('pdffonts', [path]);
    assert.equal(fonts.match(/NotoSerif.*\byes yes yes\b/g)?.length, 3);
  });

  it('has one digest where it is shown, signed and stored', async () => {
    const { requestId, link } = await start();
    const page = (await service.open('GET', link)).text;
    const { shown = '' } = hiddenFields(page);
    const paragraphs = [...page.matchAll(/<p>(.*?)<\/p>/gs)].map(([, markup = '']) => markup.replace(/<[^>]+>/g, ''));
    const text = ['Direct debit mandate', ...paragraphs.slice(0, 3)].join('\n');
    assert.equal(shown, createHash('sha256').update(text).digest('hex'));
    assert.ok(page.includes(`Fingerprint of this text: ${shown.slice(0, 16)}`));
    await sign(link);
    const { url = '' } = await result(requestId);
    const { file } = await download(url);
    const [row] = await statement(service, 'SELECT * FROM signed_documents WHERE request_id = ?', requestId);
    assert.equal(row?.text_digest, shown);
    assert.equal(row?.file_digest, createHash('sha256').update(file).digest('hex'));
  });

  it('cannot be signed once its stored text was changed', async () => {
    const { requestId, link } = await start();
    await changeInput(service, requestId, '150.50', '950.50');
    const hidden = { shown: 'x' };
    assert.equal((await service.open('GET', link)).status, 500);
    const body = new URLSearchParams({ ...hidden, decision: 'accept', consent: 'on', name: 'Mei Tanaka' });
    assert.equal((await service.open('POST', link, { body })).status, 500);
    assert.equal((await service.call('GET', `/results/${requestId}`)).status, 404);
    assert.ok(lines.some((line) => line.includes('"errorCode":"content_changed"')));
    assert.equal((await service.open('POST', link, { body: new URLSearchParams({ decision: 'decline' }) })).status, 200);
  });

  it('is not given out once its stored file was changed', async () => {
    const [one, other] = [await signed(), await signed({ name: 'Somebody Else' })];
    await tamper(
      'UPDATE signed_documents SET sealed = (SELECT sealed FROM signed_documents WHERE request_id = ?) WHERE request_id = ?',
      other.requestId,
      one.requestId,
    );
    assert.equal((await download(one.url)).status, 500);
    await tamper(
      'UPDATE signed_documents SET file_digest = (SELECT file_digest FROM signed_documents WHERE request_id = ?) WHERE request_id = ?',
      one.requestId,
      other.requestId,
    );
    assert.equal((await download(other.url)).status, 500);
    assert.ok(lines.some((line) => line.includes('"code":"document_damaged"')));
  });

  it('cannot be read from the database', async () => {
    const { requestId } = await signed({ name: 'Canary Signer' });
    assert.ok(!(await everythingIn(service)).includes('Canary Signer'));
    for (const name of ['service.db', 'service.db-wal'].map((file) => join(service.dataDir, file)).filter(existsSync)) {
      const { stdout } = await run('grep', ['-c', 'Canary Signer', name]).catch((fault) => fault as { stdout: string });
      assert.equal(stdout.trim(), '0', `${requestId} in ${name}`);
    }
  });

  it('is produced for the test number that succeeds automatically, signed in the customer’s name', async () => {
    const { requestId } = await start({}, '0110');
    await time.advance(1000, () => service.running.settled());
    const { url = '', status } = await result(requestId);
    assert.equal(status, 'success');
    const { file } = await download(url);
    assert.equal((await readSignature(file)).valid, true);
  });

  it('has no link when it was not signed', async () => {
    const { requestId, link } = await start();
    await service.open('POST', link, { body: new URLSearchParams({ decision: 'decline' }) });
    assert.equal((await result(requestId)).url, undefined);
  });

  describe('behind its link', () => {
    it('is available for at least a week, then no longer, and again after the result is read again', async () => {
      const { requestId, url } = await signed();
      await time.advance(60_000, () => service.running.settled());
      assert.equal((await result(requestId)).url, url, 'read twice on one day it is the same');
      await time.advance(7 * day - 120_000, () => service.running.settled());
      assert.equal((await download(url)).status, 200);
      await time.advance(day + 120_000, () => service.running.settled());
      const gone = await download(url);
      assert.equal(gone.status, 404);
      assert.match(gone.file.toString(), /This link does not work any more/);
      assert.equal((await download((await result(requestId)).url ?? '')).status, 200);
    });

    it('cannot be reached by a changed link', async () => {
      const { url, requestId } = await signed();
      const other = await signed();
      const { pathname } = new URL(url);
      const ticket = pathname.slice('/documents/'.length);
      const [, end = '', proof = ''] = ticket.split(/-(?=[0-9a-z]{6}-)|(?<=-[0-9a-z]{6})-/);
      const later = (Number.parseInt(end, 36) + 1).toString(36);
      const changed = [
        `${other.requestId}-${end}-${proof}`,
        `${requestId}-${later}-${proof}`,
        `${requestId}-${end}-${proof.slice(0, -1)}${proof.endsWith('A') ? 'E' : 'A'}`,
        `${requestId}-${end}-`,
        `${requestId}-${end}`,
        requestId,
        `${ticket}x`,
        ticket.toLowerCase(),
        '..%2f..%2fservice.db',
      ];
      for (const one of changed) assert.equal((await service.open('GET', `/documents/${one}`)).status, 404, one);
      assert.equal((await service.open('GET', pathname)).status, 200);
    });

    it('works after a restart', async () => {
      const { url } = await signed();
      await service.restart();
      const { status, file } = await download(url);
      assert.equal(status, 200);
      assert.equal((await readSignature(file)).valid, true);
    });
  });

  it('is made once, however often it is signed at once', async () => {
    const { requestId, link } = await start();
    const replies = await Promise.all(Array.from({ length: 10 }, (_, index) => sign(link, { name: `Signer ${index}` })));
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, ...Array(9).fill(410)]);
    assert.equal((await result(requestId)).status, 'success');
  });

  for (const [what, name] of [
    ['Japanese', '田中芽衣'],
    ['Arabic', 'مي تاناكا'],
  ] as const)
    it(`can be filled in and signed in ${what}`, async () => {
      const { requestId, link } = await start({ variables: { accountHolder: name, accountEnding: '1', monthlyLimit: '1' } });
      assert.equal((await sign(link, { name })).status, 200);
      assert.equal((await result(requestId)).status, 'success');
    });

  const unprintable: [string, string][] = [
    ['simplified Chinese', '陈静'],
    ['an emoji', 'Mei \u{1F600}'],
    ['Hebrew', 'מיי טנקה'],
    ['a control character', 'Mei\u0007'],
    ['a direction override', 'Mei\u202e'],
  ];
  for (const [what, accountHolder] of unprintable) {
    it(`is not sent with ${what} in it, which could not be printed as it was shown`, async () => {
      const body = { ...sendBody('document-signature'), variables: { accountHolder, accountEnding: '1', monthlyLimit: '1' } };
      const { status, json } = await service.call('POST', '/document-signature/send', { body });
      assert.equal(status, 422);
      assert.deepEqual(json.errors, [{ path: 'variables.accountHolder', message: 'has characters that cannot be printed in a document' }]);
    });
  }
});
