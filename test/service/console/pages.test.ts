import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { violationsOf } from '../../support/accessibility.ts';
import { shoot } from '../../support/browser.ts';
import { startChromium } from '../../support/chromium.ts';
import { enterConsole } from '../../support/console-visitor.ts';
import { fillWithRequests } from '../../support/many-requests.ts';
import { startTestService, type TestService } from '../../support/running-service.ts';
import { sendBody } from '../../support/sends.ts';
import { until } from '../../support/until.ts';

describe('the console in a browser', function () {
  this.timeout(120_000);
  let browser: Browser;
  let service: TestService;
  let requestId: string;
  const complaints: string[] = [];
  before(async () => {
    browser = await startChromium();
    service = await startTestService();
    await fillWithRequests(service, 2000);
    requestId = (await service.call('POST', '/payments/send', { body: sendBody('payments') })).json.requestId;
    await service.running.settled();
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });
  afterEach(() => assert.deepEqual(complaints.splice(0), []));

  const at = (path: string) => new URL(`/console${path}`, service.running.consoleUrl).href;
  const signedIn = async (visit: (page: Page) => Promise<void>, options: BrowserContextOptions = {}, button?: string) => {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      locale: 'en-US',
      timezoneId: 'Asia/Tokyo',
      ...options,
    });
    try {
      await service.restart();
      const page = await context.newPage();
      page.on('pageerror', ({ message }) => complaints.push(message));
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      page.on('request', (request) => {
        if (!request.url().startsWith(new URL('/', service.running.consoleUrl).href)) complaints.push(request.url());
      });
      await enterConsole(page, service, button);
      await visit(page);
    } finally {
      await context.close();
    }
  };

  const paths: [string, () => string][] = [
    ['overview', () => ''],
    ['month', () => '?range=month'],
    ['requests', () => '/requests'],
    ['nothing', () => '/requests?to=2020-01-01'],
    ['request', () => `/requests/${requestId}`],
    ['customers', () => '/customers'],
    ['webhooks', () => '/webhooks'],
    ['products', () => '/products'],
    ['documents', () => '/documents'],
    ['forms', () => '/forms'],
    ['keys', () => '/keys'],
    ['accesses', () => '/accesses'],
  ];
  const screens = [
    { colorScheme: 'light', width: 1280 },
    { colorScheme: 'dark', width: 390 },
  ] as const;
  for (const { colorScheme, width } of screens) {
    it(`has no serious accessibility fault (${colorScheme}, ${width} pixels)`, async () => {
      const look = async (page: Page) => {
        for (const [name, path] of paths) {
          await page.goto(at(path()), { waitUntil: 'networkidle' });
          await shoot(page, `console-${name}-${colorScheme}-${width}`);
          assert.deepEqual(await violationsOf(page), [], name);
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.ok(wide <= 0, `${name} is ${wide} pixels too wide`);
        }
      };
      await signedIn(look, { colorScheme, viewport: { width, height: 844 } });
    });
  }

  it('draws its charts, and shows the same in tables', async () => {
    await signedIn(async (page) => {
      const chart = page.getByRole('img', { name: /^Outcomes: [\d,]+ Completed, [\d,]+ Not completed/ });
      const drawn = () =>
        chart.evaluate((canvas: HTMLCanvasElement) => {
          const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
          return data.some((value, index) => index % 4 === 3 && value > 0);
        });
      await until(drawn, 'the chart is drawn');
      await page.getByText('Show as a table').first().click();
      const [told = ''] = /[\d,]+/.exec((await chart.getAttribute('aria-label')) ?? '') ?? [];
      const cells = await page.locator('.pair table td:nth-child(2)').allInnerTexts();
      const sum = cells.reduce((all, cell) => all + Number(cell.replace(/,/g, '')), 0);
      assert.equal(sum, Number(told.replace(/,/g, '')));
    });
  });

  it('can be used with the keyboard alone', async () => {
    await signedIn(async (page) => {
      await page.goto(at(`/requests/${requestId}`));
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to the content');
      await page.keyboard.press('Enter');
      for (const name of ['Requests', 'Send again', 'Withdraw']) {
        await page.keyboard.press('Tab');
        assert.equal(await page.evaluate(() => document.activeElement?.textContent), name);
      }
      await page.keyboard.press('Enter');
      await page.getByText('this cannot be undone').waitFor();
      assert.deepEqual(await violationsOf(page), []);
      await shoot(page, 'console-request-withdraw');
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Yes, withdraw it');
      assert.equal((await service.call('GET', `/requests/${requestId}`)).json.state, 'pending');
      await page.keyboard.press('Enter');
      await page.getByRole('status').getByText('The request is withdrawn.').waitFor();
      await page.locator('.page-head .state').getByText('Withdrawn').waitFor();
      assert.deepEqual(await violationsOf(page), []);
      await shoot(page, 'console-request-withdrawn');
      assert.equal((await service.call('GET', `/requests/${requestId}`)).json.state, 'cancelled');
    });
  });

  it('shows a viewer no actions', async () => {
    const { json } = await service.call('POST', '/e-form/send', { body: sendBody('e-form') });
    const look = async (page: Page) => {
      await page.goto(at(`/requests/${json.requestId}`));
      assert.equal(await page.getByRole('button', { name: /Withdraw|Send again/ }).count(), 0);
      await page.getByText('Viewer').waitFor();
    };
    await signedIn(look, {}, 'Sign in as viewer');
  });

  it('shows times in the browser’s time zone', async () => {
    await signedIn(async (page) => {
      await page.goto(at('/requests'));
      const shown = page.locator('time').first();
      const format = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'Asia/Tokyo' });
      assert.equal((await shown.allInnerTexts()).join(), format.format(new Date((await shown.getAttribute('datetime')) ?? '')));
    });
  });

  it('asks before it withdraws on a phone without scripts', async () => {
    const { json } = await service.call('POST', '/document-signature/send', { body: sendBody('document-signature') });
    await signedIn(
      async (page) => {
        await page.goto(at(`/requests/${json.requestId}`));
        await page.getByText('Withdraw', { exact: true }).click();
        await shoot(page, 'console-request-withdraw-phone');
        await page.getByRole('button', { name: 'Yes, withdraw it' }).click();
        await page.getByRole('status').getByText('The request is withdrawn.').waitFor();
        await shoot(page, 'console-request-withdrawn-phone');
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `the page is ${wide} pixels too wide`);
      },
      { javaScriptEnabled: false, colorScheme: 'dark', viewport: { width: 390, height: 844 } },
    );
  });

  it('can be used without scripts, in UTC', async () => {
    await signedIn(
      async (page) => {
        await page.goto(at(''));
        await page.getByText('Show as a table').first().click();
        assert.ok((await page.locator('.pair table td').count()) > 0);
      },
      { javaScriptEnabled: false },
    );
  });
});
