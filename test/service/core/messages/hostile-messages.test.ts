import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDF } from '@libpdf/core';
import { parse } from 'content-disposition';
import { Download } from '../../../../src/service/core/download.ts';
import { openPaper } from '../../../../src/service/pdf/paper.ts';
import { isPrintable, plainText } from '../../../../src/service/pdf/printable.ts';
import { launchBrowser, type TestBrowser } from '../../../support/browser.ts';
import { asRead, openHostilePage, readingOf, skeletonOf, waysOut } from '../../../support/hostile-page.ts';
import { type MailServer, openMailServer } from '../../../support/mail-server.ts';
import { ownCatalogue } from '../../../support/own-catalogue.ts';
import { payloads } from '../../../support/payloads.ts';
import { startTestService, type TestService } from '../../../support/running-service.ts';
import { sendBody } from '../../../support/sends.ts';
import { openSmsGateway, type SmsGateway } from '../../../support/sms-gateway.ts';

const hostile = payloads.map(({ text }) => text.trim());
const plenty = { points: 100_000, seconds: 600 };

describe('untrusted texts in messages and files', function () {
  this.timeout(60_000);
  let folder: string;
  let mail: MailServer;
  let gateway: SmsGateway;
  let service: TestService;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-hostile-'));
    mail = await openMailServer();
    gateway = await openSmsGateway();
    const catalogueFile = ownCatalogue(folder, (file) => {
      file.forms = hostile.map((title, index) => ({
        id: `f0000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
        title,
        body: [{ type: 'Input.Text', id: 'a', label: 'A' }],
      }));
    });
    service = await startTestService({
      catalogueFile,
      demo: false,
      ways: { sms: gateway.settings, mail: { url: mail.url, from: 'Brightwater Energy <no-reply@brightwater.example>' } },
      limits: {
        oneActive: false,
        messagesPerDestination: plenty,
        messagesPerCustomer: plenty,
        messagesPerCustomerDaily: plenty,
        messagesInAll: plenty,
        messagesInAllDaily: plenty,
      },
    });
  });
  after(async () => {
    await service.close();
    await mail.close();
    await gateway.close();
    rmSync(folder, { recursive: true });
  });

  describe('as e-mails', () => {
    let browser: TestBrowser;
    const texts = hostile.filter((text) => text.length <= 500);
    before(async () => {
      browser = await launchBrowser();
      for (const [index, text] of ['Harmless', ...texts].entries()) {
        const recipients = [{ email: `r${index}@example.com`, name: text }];
        const body = { ...sendBody('passkeys'), subject: text, message: text, recipients };
        const { status, text: answer } = await service.call('POST', '/passkeys/send', { body });
        assert.equal(status, 200, answer);
      }
      await service.running.settled();
    });
    after(() => browser.close());
    const mailOf = (index: number) =>
      mail.taken.find(({ to }) => to.includes(`r${index}@example.com`)) ?? assert.fail(`no mail to r${index}@example.com`);

    it('go to their recipients only, with the usual headers', () => {
      assert.equal(mail.taken.length, texts.length + 1);
      const namesOf = (index: number) => mailOf(index).mail.headers.map(({ key }) => key);
      const usual = namesOf(0);
      for (const [position, text] of texts.entries()) {
        const { to, from, mail: read } = mailOf(position + 1);
        const address = `r${position + 1}@example.com`;
        assert.deepEqual([to, from], [[address], 'no-reply@brightwater.example'], text);
        assert.deepEqual(namesOf(position + 1), usual, text);
        assert.deepEqual(
          read.to?.map((one) => one.address),
          [address],
          text,
        );
        assert.deepEqual([read.cc, read.bcc, read.attachments.length], [undefined, undefined, 0], text);
        assert.deepEqual(
          [read.subject, read.to?.[0]?.name].map((shown) => asRead(shown ?? '')),
          [asRead(text), asRead(text)],
        );
        assert.ok(asRead(read.text ?? '').includes(asRead(text)), text);
      }
    });

    it('are shown as text, and do nothing', async () => {
      const screen = await openHostilePage(browser);
      const { page } = screen;
      try {
        // A text of several paragraphs has several.
        const elementsOf = async () => (await skeletonOf(page)).filter((element, index, all) => element !== all[index - 1]);
        await page.setContent(mailOf(0).mail.html ?? '');
        const expected = await elementsOf();
        for (const [position, text] of texts.entries()) {
          await page.setContent(mailOf(position + 1).mail.html ?? '');
          assert.deepEqual(await elementsOf(), expected, text);
          assert.deepEqual(await waysOut(page), [], text);
          assert.ok((await readingOf(page)).includes(asRead(text)), text);
        }
        assert.deepEqual(screen.harm, []);
      } finally {
        await screen.close();
      }
    });
  });

  it('stay in one SMS each, which ends with our link', async () => {
    for (const index of hostile.keys()) {
      const formId = `f0000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
      const { status, text } = await service.call('POST', '/e-form/send', { body: { ...sendBody('e-form'), formId } });
      assert.equal(status, 200, text);
    }
    await service.running.settled();
    assert.equal(gateway.sent.length, hostile.length);
    const bodies = gateway.sent.map(({ body }) => body);
    for (const text of hostile) {
      const found = bodies.find((body) => asRead(body).includes(asRead(text)));
      assert.ok(found, `no SMS says ${JSON.stringify(text)}`);
    }
    for (const body of bodies) assert.match(body, /http:\/\/localhost:\d+\/r\/[\w-]{32}$/);
    assert.deepEqual([...new Set(gateway.sent.map(({ to, from }) => `${from} ${to}`))], ['+15005550006 +12025550102']);
  });

  it('are safe in file names for headers, browsers and file systems', () => {
    for (const text of hostile) {
      const header = new Download(Buffer.from('x'), [text, 'May 2, 2026']).headers['Content-Disposition'] ?? '';
      assert.match(
        header,
        /^attachment; filename="[\x20-\x7e]+"(?:; filename\*=UTF-8''[\w.!#$&+^`|~%-]+)?$|^attachment; filename="[\x20-\x7e]+"$/,
        text,
      );
      const { type, parameters } = parse(header);
      assert.deepEqual([type, Object.keys(parameters).filter((name) => name !== 'filename*')], ['attachment', ['filename']], text);
      assert.match(parameters.filename ?? '', / – May 2, 2026\.pdf$|^May 2, 2026\.pdf$/, text);
      assert.doesNotMatch(parameters.filename ?? '', /["*/:<>?\\|\p{Cc}\p{Cf}\p{Cs}]|^[.\s]/u, text);
    }
  });

  it('are plain text in the title of a PDF', async () => {
    const texts = hostile.filter((text) => isPrintable(plainText(text)) && /[()\\<>%]|obj|JS/.test(text)).slice(0, 40);
    for (const text of texts) {
      const title = plainText(text);
      const paper = await openPaper({ title, language: 'en', author: title, at: 0 });
      paper.print(title, paper.regular, 10, 14);
      const file = await paper.finish(title, () => title);
      const read = await PDF.load(file);
      assert.deepEqual([read.getTitle(), read.getAuthor()], [title, title]);
      assert.equal(read.getPageCount(), 1);
      assert.doesNotMatch(
        Buffer.from(file)
          .toString('latin1')
          .replace(/\((?:[^()\\]|\\.)*\)|<[0-9A-Fa-f\s]*>/g, ''),
        /\/(?:JavaScript|JS|OpenAction|URI|Launch)\b/,
        text,
      );
    }
  });
});
