import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { parse, stringify } from 'yaml';
import { demoCatalogue } from '../../../src/service/core/catalogue/load.ts';
import { startChromium } from '../../support/chromium.ts';
import { declineOn } from '../../support/decline.ts';
import { onPhone } from '../../support/device-screen.ts';
import { readSignature } from '../../support/pdf-signature.ts';
import { startTestService, type TestService } from '../../support/running-service.ts';
import { sendBody } from '../../support/sends.ts';

const unread = 'Please read the document to the end. Then you can sign it.';

describe('the page to sign a document, on a phone', function () {
  this.timeout(60_000);
  let browser: Browser;
  let service: TestService;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-long-'));
    const catalogue = parse(readFileSync(demoCatalogue, 'utf8'));
    const [, contract] = catalogue.documents;
    contract.paragraphs = [...contract.paragraphs, ...Array(12).fill('And so on, as contracts do. '.repeat(9).trim())];
    const file = join(folder, 'catalogue.yaml');
    writeFileSync(file, stringify(catalogue));
    browser = await startChromium();
    service = await startTestService({ catalogueFile: file });
  });
  after(async () => {
    await browser?.close();
    await service?.close();
    rmSync(folder, { recursive: true });
  });

  const start = async (change: object = {}) => {
    const { json } = await service.call('POST', '/document-signature/send', { body: { ...sendBody('document-signature'), ...change } });
    return { requestId: json.requestId as string, link: (await service.outbox())[0]?.link ?? '' };
  };
  const long = () =>
    start({
      documentId: '5d0c0000-0000-4000-8000-000000000002',
      variables: {
        customerName: 'Mei Tanaka',
        installationAddress: '12 Orchard Lane, Washington',
        plan: 'Fibre 500',
        startDate: '2026-12-05',
        months: '12',
        eveningVisit: 'true',
      },
    });
  const result = async (id: string) => service.call('GET', `/results/${id}`);
  const signButton = (page: Page) => page.getByRole('button', { name: 'Sign' });
  const draw = async (page: Page) => {
    await page.locator('#pad').scrollIntoViewIfNeeded();
    const box = await page.locator('#pad').boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + 30, box.y + 90);
    await page.mouse.down();
    for (let step = 0; step < 50; step += 1) await page.mouse.move(box.x + 30 + step * 5, box.y + 85 + 45 * Math.sin(step / 5));
    await page.mouse.up();
  };

  it('ends with a document signed by hand, for the customer to download', async () => {
    const { requestId, link } = await start();
    await onPhone(browser, link, async ({ page, look }) => {
      await page.getByLabel('Your full name').fill('Mei Tanaka');
      await draw(page);
      await page.getByLabel('I have read this document').check();
      await look('sign-by-hand');
      await signButton(page).tap();
      await page.getByRole('heading', { name: /^You signed “/ }).waitFor();
      await look('signed');
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download' }).tap()]);
      const file = readFileSync(await download.path());
      assert.match(download.suggestedFilename(), /^Direct debit mandate – \w+ \d+, \d{4}\.pdf$/);
      assert.equal((await readSignature(file)).valid, true);
    });
    assert.equal((await result(requestId)).json.status, 'success');
  });

  it('leads back to the signed document: by the link, the back button, and in a second tab that is still open', async () => {
    const { link } = await start();
    await onPhone(browser, link, async ({ page, look }) => {
      const copy = (one: Page) => one.getByRole('link', { name: 'Download the signed document' }).waitFor();
      const second = await page.context().newPage();
      await second.goto(link);
      await page.bringToFront();
      await page.getByLabel('Your full name').fill('Mei Tanaka');
      await page.getByLabel('I have read this document').check();
      await signButton(page).tap();
      await copy(page);
      await second.bringToFront();
      await copy(second);
      await second.close();
      await page.goto('about:blank');
      await page.goto(link);
      await copy(page);
      await look('signed-again');
      await page.goBack();
      await page.goBack();
      await copy(page);
    });
    await onPhone(browser, link, async ({ page, look }) => {
      await page.getByRole('heading', { name: 'This is already done' }).waitFor();
      assert.equal(await page.getByRole('link', { name: 'Download' }).count(), 0);
      await look('signed-elsewhere');
    });
  });

  it('ends with a refusal', async () => {
    const { requestId, link } = await long();
    await onPhone(browser, link, async ({ page, look }) => {
      await declineOn(page);
      await page.getByRole('heading', { name: 'Declined' }).waitFor();
      await look('sign-declined');
    });
    assert.equal((await result(requestId)).json.status, 'failure');
  });

  it('warns of another name, in the document and in the signature, but accepts it', async () => {
    const details = { installationAddress: '12 Orchard Lane', plan: 'Fibre 500', startDate: '2026-12-05', months: '12' };
    const { requestId, link } = await start({
      documentId: '5d0c0000-0000-4000-8000-000000000002',
      variables: { ...details, customerName: 'Jordan Collins' },
    });
    await onPhone(browser, link, async ({ page, look }) => {
      const signs = async () => {
        await page
          .getByRole('region', { name: 'Fibre broadband contract' })
          .evaluate((element) => element.scrollTo(0, element.scrollHeight));
        await page.locator('button:not([aria-disabled])', { hasText: 'Sign' }).waitFor();
        await signButton(page).tap();
      };
      await page.getByText('This document is in the name of “Jordan Collins”, but we know you as “Mei Tanaka”').waitFor();
      await page.getByLabel('Your full name').fill('Mei Tanaka');
      await page.getByLabel('I have read this document').check();
      await signs();
      await page.getByText('You signed as “Mei Tanaka”, but this request is for “Jordan Collins”').first().waitFor();
      assert.equal(await page.getByLabel('Your full name').inputValue(), 'Mei Tanaka');
      await look('sign-another-name');
      await signs();
      await page.getByRole('heading', { name: /^You signed “/ }).waitFor();
    });
    assert.equal((await result(requestId)).json.status, 'success');
  });

  it('asks kindly for the document to be read to its end', async () => {
    const { requestId, link } = await long();
    await onPhone(browser, link, async ({ page, look }) => {
      const document = page.getByRole('region', { name: 'Fibre broadband contract' });
      await look('sign-unread');
      assert.equal(await signButton(page).getAttribute('aria-disabled'), 'true');
      assert.equal(await page.getByRole('status').textContent(), unread);
      await signButton(page).tap({ force: true });
      assert.equal(await document.evaluate((element) => element === globalThis.document.activeElement), true);
      await page.getByLabel('Your full name').fill('Mei Tanaka');
      await page.getByLabel('I have read this document').check();
      await signButton(page).tap({ force: true });
      assert.equal(await page.getByRole('heading', { name: /^You signed “/ }).count(), 0);
      assert.equal((await result(requestId)).status, 404);
      await document.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      await page.locator('button:not([aria-disabled])', { hasText: 'Sign' }).waitFor();
      assert.equal(await page.getByText(unread).isVisible(), false);
      await signButton(page).tap();
      await page.getByRole('heading', { name: /^You signed “/ }).waitFor();
    });
  });

  it('can be read to its end and signed with the keyboard alone', async () => {
    const { requestId, link } = await long();
    await onPhone(browser, link, async ({ page }) => {
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate(() => document.activeElement?.className), 'document paged');
      await page.keyboard.press('End');
      await page.locator('button:not([aria-disabled])', { hasText: 'Sign' }).waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.type('Mei Tanaka');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Space');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: /^You signed “/ }).waitFor();
    });
    assert.equal((await result(requestId)).json.status, 'success');
  });

  it('can be signed without scripts, with the whole document above the button', async () => {
    const { requestId, link } = await long();
    const visit = async ({ page }: { page: Page }) => {
      const [end, button] = await Promise.all([page.locator('#document-end').boundingBox(), signButton(page).boundingBox()]);
      assert.ok(end && button && end.y + end.height < button.y);
      assert.equal(await page.locator('#pad').isVisible(), false);
      await page.getByLabel('Your full name').fill('Mei Tanaka');
      await page.getByLabel('I have read this document').check();
      await signButton(page).click();
      await page.getByRole('heading', { name: /^You signed “/ }).waitFor();
    };
    await onPhone(browser, link, visit, { javaScriptEnabled: false });
    assert.equal((await result(requestId)).json.status, 'success');
  });

  it('keeps the drawing when something else was wrong, and forgets it when it is cleared', async () => {
    const { link } = await start();
    await onPhone(browser, link, async ({ page }) => {
      await draw(page);
      await page.getByLabel('Your full name').fill('田中');
      await page.getByLabel('I have read this document').check();
      await signButton(page).tap();
      await page.getByRole('alert').waitFor();
      const inked = () =>
        page.locator('#pad').evaluate((canvas) => {
          const { width, height } = canvas as HTMLCanvasElement;
          const { data } = (canvas as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, width, height) ?? { data: [] };
          return data.some((value) => value !== 0);
        });
      assert.equal(await inked(), true);
      assert.match(await page.locator('input[name=drawn]').inputValue(), /^\d+\.\d+_/);
      await page.getByRole('button', { name: 'Clear' }).tap();
      assert.equal(await inked(), false);
      assert.equal(await page.locator('input[name=drawn]').inputValue(), '');
    });
  });

  it('says in its own words what is missing, and keeps technical facts closed', async () => {
    const { requestId, link } = await start();
    await onPhone(browser, link, async ({ page, look }) => {
      assert.equal(await page.getByText('Fingerprint of this text').isVisible(), false);
      await signButton(page).tap();
      await page.locator('.error', { hasText: 'Please type your name.' }).waitFor();
      await page.locator('.error', { hasText: 'Please agree before you sign.' }).waitFor();
      await look('sign-missing');
      await page.getByText('Details').tap();
      assert.equal(await page.getByText('Fingerprint of this text').isVisible(), true);
    });
    assert.equal((await result(requestId)).status, 404);
  });

  it('is not declined by one press, nor by two on the same spot', async () => {
    const { requestId, link } = await start();
    await onPhone(browser, link, async ({ page, look }) => {
      const decline = page.locator('.decline > summary');
      await decline.tap();
      await page.getByText('Decline to sign this document?').waitFor();
      await look('sign-decline');
      const box = await decline.boundingBox();
      assert.ok(box);
      await decline.getByText('Back').waitFor();
      await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
      await page.getByText('Decline to sign this document?').waitFor({ state: 'hidden' });
      assert.equal((await result(requestId)).status, 404);
      await declineOn(page);
      await page.getByText('You have not signed anything.').waitFor();
    });
    assert.equal((await result(requestId)).json.status, 'failure');
  });

  it('is written on in ink that can be seen, in the dark too', async () => {
    const inks: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      const { link } = await start();
      const visit = async ({ page }: { page: Page }) => {
        await draw(page);
        const [paper, ink] = await page.locator('.pad').evaluate((pad) => {
          const canvas = pad.querySelector('canvas') as HTMLCanvasElement;
          const { data } = (canvas.getContext('2d') as CanvasRenderingContext2D).getImageData(0, 0, canvas.width, canvas.height);
          const dot = data.findIndex((value, index) => index % 4 === 3 && value === 255) - 3;
          return [getComputedStyle(pad).backgroundColor, `rgb(${[...data.slice(dot, dot + 3)].join(', ')})`];
        });
        const light = (colour = '') => (colour.match(/\d+/g) ?? []).map(Number).reduce((sum, part) => sum + part, 0);
        assert.ok(Math.abs(light(paper) - light(ink)) > 300, `${ink} on ${paper}`);
        assert.equal(light(paper) > 400, colorScheme === 'light', paper);
        inks.push(ink ?? '');
      };
      await onPhone(browser, link, visit, { colorScheme });
    }
    assert.notEqual(inks[0], inks[1]);
  });

  it('weighs less than 60 KB, and loads what it needs from here', async () => {
    const { link } = await long();
    await onPhone(browser, link, async ({ page, weight }) => {
      const { bytes, files } = await weight();
      assert.ok(bytes < 60_000, `${bytes} bytes`);
      assert.ok(files.some((file) => /signature_pad/.test(file)));
      assert.deepEqual(
        await page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => !name.startsWith(location.origin)).length),
        0,
      );
    });
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`works in ${colorScheme} mode, in Spanish`, async () => {
      const { link } = await long();
      const visit = async ({ page, look }: { page: Page; look(name: string): Promise<void> }) => {
        await page.getByText('Lea el documento hasta el final').waitFor();
        await draw(page);
        await look(`sign-${colorScheme}`);
      };
      await onPhone(browser, link, visit, { colorScheme, locale: 'es-ES' });
    });
  }
});
