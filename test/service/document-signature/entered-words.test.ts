import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDF } from '@libpdf/core';
import { type AppId, appIds, apps } from '../../../src/contract/index.ts';
import { isPrintable, plainText } from '../../../src/service/pdf/printable.ts';
import { hiddenFields } from '../../support/device.ts';
import { harmlessWords, hostileWords } from '../../support/hostile-words.ts';
import { ownCatalogue } from '../../support/own-catalogue.ts';
import { startTestService, type TestService } from '../../support/running-service.ts';
import { sendBody } from '../../support/sends.ts';

/**
 * How the words of a send are bounded, since a stranger may have typed them: `reference` names something that is there
 * already; `values` are checked below; `message` is what the account itself writes (programs: test/programs/words.test.ts).
 */
const bounds: Record<AppId, Record<string, 'reference' | 'values' | 'message'>> = {
  passkeys: {
    ...{ sessionRef: 'reference', customerRef: 'reference', phoneNumber: 'reference' },
    ...{ recipients: 'message', subject: 'message', message: 'message' },
  },
  'one-time-passcode': { sessionRef: 'reference', customerRef: 'reference', phoneNumber: 'reference' },
  'document-signature': {
    ...{ sessionRef: 'reference', customerRef: 'reference', phoneNumber: 'reference', documentId: 'reference' },
    variables: 'values',
  },
  payments: { sessionRef: 'reference', customerRef: 'reference', phoneNumber: 'reference', productId: 'reference' },
  'e-form': { sessionRef: 'reference', customerRef: 'reference', phoneNumber: 'reference', formId: 'reference' },
};

const product = '5d0c0000-0000-4000-8000-000000000001';

describe('words that were entered in a chat', function () {
  this.timeout(60_000);
  let folder: string;
  let service: TestService;
  // biome-ignore lint/suspicious/noExplicitAny: as the catalogue has them.
  let documents: any[];
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-words-'));
    const catalogueFile = ownCatalogue(folder, (catalogue) => {
      catalogue.documents[0].variables[1].pattern = '[0-9]{4}|see https://brightwater\\.example';
      catalogue.documents[0].variables[1].maxLength = 30;
      documents = catalogue.documents;
    });
    service = await startTestService({ catalogueFile, limits: { oneActive: false } });
  });
  after(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  const send = (variables: object, documentId = product) => {
    const body = sendBody('document-signature');
    const base = documentId === product ? (body as unknown as { variables: object }).variables : {};
    return service.call('POST', '/document-signature/send', { body: { ...body, documentId, variables: { ...base, ...variables } } });
  };
  const refused = async (variables: Record<string, string>, message: RegExp, documentId?: string) => {
    const before = (await service.outbox()).length;
    const { json, status } = await send(variables, documentId);
    assert.equal(status, 422);
    for (const name of Object.keys(variables)) {
      const { errors } = json as { errors: { path: string; message: string }[] };
      assert.match(errors.find(({ path }) => path === `variables.${name}`)?.message ?? 'no error', message);
    }
    assert.equal((await service.outbox()).length, before);
  };

  it('have a bound in every field of every send', () => {
    for (const app of appIds)
      assert.deepEqual(Object.keys(apps[app].operations.send.request.shape).sort(), Object.keys(bounds[app]).sort(), app);
  });

  for (const words of hostileWords)
    it(`are refused with an address or phone number, in every blank of every document: “${words}”`, async () => {
      for (const { id, variables } of documents)
        for (const { name, type, pattern } of variables)
          if (type === 'text' && pattern === undefined) await refused({ [name]: words }, /^must not have a web address/, id);
    });

  for (const words of harmlessWords.filter((text) => isPrintable(plainText(text))))
    it(`are taken without: “${words}”`, async () => assert.equal((await send({ accountHolder: words })).status, 200));

  it('are as long as the document allows, or eighty characters', async () => {
    assert.equal((await send({ accountHolder: 'x'.repeat(80) })).status, 200);
    await refused({ accountHolder: 'x'.repeat(81) }, /^must have 80 characters at most$/);
    await refused({ accountEnding: 'x'.repeat(31) }, /^must have 30 characters at most$/);
  });

  it('match the pattern of their blank, which may allow an address', async () => {
    assert.equal((await send({ accountEnding: 'see https://brightwater.example' })).status, 422);
    assert.equal((await send({ accountEnding: '0042' })).status, 200);
    await refused({ accountEnding: '042' }, /^has not the form/);
  });

  it('are announced to whoever fills in the document', async () => {
    const { documents: offered } = (
      await service.call('GET', '/document-signature/bootstrap?phoneNumber=%2B12025550102&sessionRef=session-0001')
    ).json;
    const [holder, ending, limit] = offered[0].variables;
    assert.deepEqual([holder.maxLength, holder.pattern, ending.maxLength, limit.maxLength], [80, undefined, 30, undefined]);
    assert.match(ending.pattern, /brightwater/);
  });

  describe('on paper', () => {
    const signed = async (variables: object, documentId?: string) => {
      const { requestId } = (await send(variables, documentId)).json as { requestId: string };
      const link = (await service.outbox())[0]?.link ?? '';
      const { text: page } = await service.open('GET', link);
      const body = new URLSearchParams({
        ...hiddenFields(page),
        decision: 'accept',
        consent: 'on',
        name: 'Mei Tanaka',
        warned: 'Mei Tanaka',
      });
      assert.equal((await service.open('POST', link, { body })).status, 200);
      const { url } = (await service.call('GET', `/results/${requestId}`)).json as { url: string };
      const file = await fetch(service.running.baseUrl + new URL(url).pathname);
      const pdf = await PDF.load(Buffer.from(await file.arrayBuffer()));
      const paper = pdf.getPages().map((one) => one.extractText().text);
      return { page, paper: paper.join('\n') };
    };

    it('are marked, and the page and the signed file say where they are from', async () => {
      const { page, paper } = await signed({ accountHolder: 'Meiko Tanaka' });
      assert.match(page, /<mark>Meiko Tanaka<\/mark>/);
      assert.match(page, /The marked words were entered in the chat\./);
      assert.match(paper, /The words in bold were entered in the chat\./);
    });

    it('are not what we know about the customer', async () => {
      const [, contract] = documents;
      const needed = { installationAddress: '5 Progress Street', plan: 'Fibre 100', startDate: '2026-12-05', months: '12' };
      const { page } = await signed(needed, contract.id);
      assert.match(page, /Mei Tanaka/);
      assert.doesNotMatch(page, /<mark>Mei Tanaka/);
      assert.match(page, /<mark>5 Progress Street<\/mark>/);
    });
  });
});
