import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { startChromium } from '../../support/chromium.ts';
import { declineOn } from '../../support/decline.ts';
import { type DeviceScreen, onPhone } from '../../support/device-screen.ts';
import { startTestService, type TestService } from '../../support/running-service.ts';
import { payInSandbox } from '../../support/sandbox-page.ts';
import { sendBody } from '../../support/sends.ts';

describe('the payment pages on a phone', function () {
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

  const start = async () => {
    const { json } = await service.call('POST', '/payments/send', { body: sendBody('payments') });
    return { requestId: json.requestId as string, link: (await service.outbox())[0]?.link ?? '' };
  };
  const result = async (id: string) => service.call('GET', `/results/${id}`);
  const toSandbox = async (page: Page) => {
    await page.getByRole('button', { name: 'Pay €59.90' }).click();
    await page.getByRole('heading', { name: 'Sandbox payment' }).waitFor();
  };
  const done = (page: Page) => page.getByRole('heading', { name: 'You paid €59.90' }).waitFor();

  it('show at once what was pressed, and without a network say so where it is seen', async () => {
    const { link } = await start();
    const small = { viewport: { width: 390, height: 664 } };
    const pressAway = async ({ page }: DeviceScreen) => {
      let goOn = () => {};
      await page.route('**/state', async (route) => {
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
        await route.abort();
      });
      await page.getByRole('button', { name: 'Pay €59.90' }).tap();
      const busy = page.getByRole('button', { name: 'One moment…' });
      await busy.waitFor();
      assert.equal(await busy.getAttribute('aria-busy'), 'true');
      goOn();
      const said = page.getByRole('alert').getByText('We cannot be reached right now.');
      await said.waitFor();
      const box = await said.boundingBox();
      assert.ok(box && box.y >= 0 && box.y + box.height <= 664, JSON.stringify(box));
      await page.getByRole('button', { name: 'Pay €59.90' }).waitFor();
      assert.equal(await page.locator('[aria-busy]').count(), 0);
    };
    await onPhone(browser, link, pressAway, small, /ERR_FAILED/);
  });

  it('end with a payment that was approved', async () => {
    const { requestId, link } = await start();
    await onPhone(browser, link, async ({ page, look }) => {
      await look('pay');
      await toSandbox(page);
      await look('pay-sandbox');
      await payInSandbox(page);
      await done(page);
      await look('paid');
    });
    assert.equal((await result(requestId)).json.status, 'success');
  });

  for (const [digits, words, name] of [
    ['0002', 'The card was declined. Choose another one.', 'declined'],
    ['9995', 'There is not enough money on this card. Choose another one.', 'funds'],
  ] as const) {
    it(`let the customer choose another card after the one ending in ${digits}`, async () => {
      const { requestId, link } = await start();
      await onPhone(browser, link, async ({ page, look }) => {
        await toSandbox(page);
        await payInSandbox(page, digits);
        await page.getByText(words).waitFor();
        await look(`pay-${name}`);
        assert.equal((await result(requestId)).status, 404);
        await payInSandbox(page);
        await done(page);
      });
      assert.equal((await result(requestId)).json.status, 'success');
    });
  }

  it('include the bank’s confirmation', async () => {
    const { requestId, link } = await start();
    await onPhone(browser, link, async ({ page, look }) => {
      await toSandbox(page);
      await payInSandbox(page, '3155');
      await page.getByRole('heading', { name: 'Is it you?' }).waitFor();
      await look('pay-challenge');
      await page.getByRole('button', { name: 'No' }).click();
      await page.getByText('The bank did not confirm that it was you.').waitFor();
      await payInSandbox(page, '3155');
      await page.getByRole('button', { name: 'Yes, it is me' }).click();
      await done(page);
    });
    assert.equal((await result(requestId)).json.status, 'success');
  });

  it('end if the customer declines, in between or at once', async () => {
    const [one, other] = [await start(), await start()];
    await onPhone(browser, one.link, async ({ page, look }) => {
      await toSandbox(page);
      await page.getByRole('link', { name: 'Back without paying' }).click();
      await page.getByRole('heading', { name: 'You have not paid yet' }).waitFor();
      await look('pay-not-yet');
      await declineOn(page);
      await page.getByRole('heading', { name: 'Declined' }).waitFor();
    });
    await onPhone(browser, other.link, async ({ page }) => {
      await declineOn(page);
      await page.getByRole('heading', { name: 'Declined' }).waitFor();
    });
    for (const { requestId } of [one, other]) assert.equal((await result(requestId)).json.status, 'failure');
  });

  it('allow going back and forth until it is paid', async () => {
    const { requestId, link } = await start();
    await onPhone(browser, link, async ({ page }) => {
      await toSandbox(page);
      await page.goBack();
      await page.getByRole('button', { name: 'Pay €59.90' }).waitFor();
      await toSandbox(page);
      await page.getByRole('link', { name: 'Back without paying' }).click();
      await page.getByRole('link', { name: 'Go to the payment page' }).click();
      await payInSandbox(page);
      await done(page);
    });
    assert.equal((await result(requestId)).json.status, 'success');
  });

  it('say so when the payment was withdrawn meanwhile', async () => {
    const { requestId, link } = await start();
    await onPhone(browser, link, async ({ page }) => {
      await toSandbox(page);
      await service.call('POST', `/requests/${requestId}/cancel`);
      await payInSandbox(page);
      await page.getByRole('heading', { name: 'This link does not work any more' }).waitFor();
    });
  });

  it('work without scripts', async () => {
    const { requestId, link } = await start();
    const visit = async ({ page }: { page: Page }) => {
      await toSandbox(page);
      await payInSandbox(page);
      await done(page);
    };
    await onPhone(browser, link, visit, { javaScriptEnabled: false });
    assert.equal((await result(requestId)).json.status, 'success');
  });

  it('weigh less than 60 KB, and load no library that signs documents', async () => {
    const { link } = await start();
    await onPhone(browser, link, async ({ page, weight }) => {
      await toSandbox(page);
      const { bytes, files } = await weight();
      assert.ok(bytes < 60_000, `${bytes} bytes`);
      assert.ok(!files.some((file) => /signature|signing|pdf/.test(file)), files.join(', '));
    });
  });

  it('work in dark mode, in Spanish', async () => {
    const { link } = await start();
    const visit = async ({ page, look }: { page: Page; look(name: string): Promise<void> }) => {
      await look('pay-dark');
      await page.getByRole('button', { name: /Pagar/ }).click();
      await page.getByRole('heading', { name: 'Pago de prueba' }).waitFor();
      await look('pay-sandbox-dark');
    };
    await onPhone(browser, link, visit, { colorScheme: 'dark', locale: 'es-ES' });
  });
});
