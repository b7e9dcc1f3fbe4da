import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { bundleFormLibrary } from '../../../../.build/form-library.ts';
import { makeCached } from '../../../../src/platform/pages/assets.ts';
import { startChromium } from '../../../support/chromium.ts';
import { onPhone } from '../../../support/device-screen.ts';
import { skeletonOf } from '../../../support/hostile-page.ts';
import { startTestService, type TestService } from '../../../support/running-service.ts';
import { sendBody } from '../../../support/sends.ts';

/** Bytes that a first page may take over the wire, heads of answers included. */
const most = 60_000;
/**
 * What a page asks for when it is there already: the library of forms and what seals their answers, which no other page may
 * load, and the word that it was opened.
 */
const later = /\/adaptivecards\.[0-9a-f]+\.js$|\/jose\.[0-9a-f]+\/|\/opened$/;
const mostLater = 80_000;
/** What seals answers, as single modules; in a package they are one file. */
const mostSealing = 25_000;

/** What a form may weigh in all, with its library as the package brings it, and the sheet that all pages share. */
const mostOfForm = 64_500;

describe('the first page on a phone', function () {
  this.timeout(60_000);
  let browser: Browser;
  let service: TestService;
  before(async () => {
    browser = await startChromium();
    service = await startTestService();
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  const form = (last: number) => ({ formId: `6f1c0000-0000-4000-8000-00000000000${last}` });
  const pages = [
    ['passkeys', 'passkeys', {}],
    ['document-signature', 'document-signature', {}],
    ['payments', 'payments', {}],
    ['e-form', 'e-form', form(1)],
    ['a short e-form', 'e-form', form(3)],
    ['a zero-knowledge e-form', 'e-form', form(2)],
  ] as const;
  for (const [title, app, change] of pages) {
    it(`weighs less than ${most / 1000} KB and asks nobody else: ${title}`, async () => {
      await service.call('POST', `/${app}/send`, { body: { ...sendBody(app), ...change } });
      const link = (await service.outbox())[0]?.link ?? '';
      await onPhone(browser, link, async ({ page, weight }) => {
        const [first, rest] = [await weight((file) => !later.test(file)), await weight((file) => later.test(file))];
        assert.ok(first.bytes < most, `${first.bytes} bytes: ${first.files.join(', ')}`);
        const allowed = mostLater + (title === 'a zero-knowledge e-form' ? mostSealing : 0);
        assert.ok(rest.bytes < allowed, `${rest.bytes} bytes: ${rest.files.join(', ')}`);
        assert.equal(
          rest.files.some((file) => /adaptivecards/.test(file)),
          app === 'e-form',
        );
        const elsewhere = await page.evaluate(() =>
          performance.getEntriesByType('resource').filter(({ name }) => !name.startsWith(location.origin)),
        );
        assert.deepEqual(elsewhere, []);
      });
    });
  }

  it(`weighs less than ${mostOfForm / 1000} KB with everything that a form loads, as it is packed, and looks the same`, async () => {
    const library = Buffer.from(await bundleFormLibrary());
    const { answer } = makeCached(library, { 'Content-Type': 'text/javascript', 'Cache-Control': 'no-store' });
    const { body: packed } = await answer({ headers: { 'accept-encoding': 'br' } });
    assert.ok(Buffer.isBuffer(packed));
    await service.call('POST', '/e-form/send', { body: { ...sendBody('e-form'), ...form(1) } });
    const link = (await service.outbox())[0]?.link ?? '';
    const skeletons: (readonly string[])[] = [];
    let replaced = 0;
    await onPhone(browser, link, async ({ page, weight }) => {
      skeletons.push(await skeletonOf(page, '.ac-adaptiveCard'));
      const [all, whole] = [await weight(), await weight((file) => /adaptivecards/.test(file))];
      // Half a kilobyte of head at most.
      assert.ok(all.bytes - whole.bytes + packed.length + 500 < mostOfForm, `${all.bytes} - ${whole.bytes} + ${packed.length}`);
      await page.route(/adaptivecards\.[0-9a-f]+\.js$/, (route) => {
        replaced += 1;
        return route.fulfill({ body: library, contentType: 'text/javascript' });
      });
      await page.reload({ waitUntil: 'networkidle' });
      skeletons.push(await skeletonOf(page, '.ac-adaptiveCard'));
    });
    assert.ok((skeletons[0]?.length ?? 0) > 50);
    assert.deepEqual(skeletons[1], skeletons[0]);
    assert.equal(replaced, 1);
  });
});
