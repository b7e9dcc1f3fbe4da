import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { violationsOf } from '../../support/accessibility.ts';
import { launchBrowser, shoot, type TestBrowser } from '../../support/browser.ts';
import { freePort } from '../../support/free-port.ts';
import { makeTestProvider, type TestProvider } from '../../support/openid-provider.ts';
import { startTestService, type TestService } from '../../support/running-service.ts';
import { sendBody } from '../../support/sends.ts';

describe('signing in at the console in a browser', function () {
  this.timeout(120_000);
  let browser: TestBrowser;
  let provider: TestProvider;
  let service: TestService;
  let home: string;
  let requestId: string;
  before(async () => {
    browser = await launchBrowser();
    const port = await freePort();
    // To a browser `localhost` and `127.0.0.1` are two sites, whatever their ports.
    home = `http://localhost:${port}`;
    provider = await makeTestProvider({ redirectUris: [`${home}/console/sign-in/callback`] });
    await provider.start();
    service = await startTestService({ port, openId: provider.settings });
    requestId = (await service.call('POST', '/payments/send', { body: sendBody('payments') })).json.requestId;
    await service.running.settled();
  });
  // The limit on attempts begins anew.
  beforeEach(() => service.restart());
  after(async () => {
    await browser?.close();
    await service?.close();
    await provider?.stop();
  });

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const visit = async (work: (page: Page) => Promise<void>, options: Parameters<TestBrowser['page']>[0] = {}) => {
    const { page, context, complaints } = await browser.page({ locale: 'en-US', timezoneId: 'Asia/Tokyo', ...options });
    try {
      await work(page);
      assert.deepEqual(complaints, []);
    } finally {
      await context.close();
    }
  };
  const signIn = async (page: Page, who: string, path = '/console') => {
    await page.goto(`${home}${path}`);
    await press(page, 'Sign in');
    await press(page, who);
  };

  it('leads to the provider and back to the requested page, signed in', async () => {
    await visit(async (page) => {
      await signIn(page, 'olga', `/console/requests?customer=&app=payments`);
      await heading(page, 'Requests');
      assert.equal(page.url(), `${home}/console/requests?customer=&app=payments`);
      await page.getByText('olga.berg@example.com (olga)').waitFor();
      await page.goBack();
      assert.doesNotMatch(page.url(), /callback/, 'going back does not lead to a sign-in that is used up');
    });
  });

  it('recognises somebody who comes by a link from another site after one click', async () => {
    await visit(async (page) => {
      await signIn(page, 'olga');
      await heading(page, 'Overview');
      await page.goto(`${provider.issuer}/nothing-here`);
      await page.evaluate((address) => {
        const link = Object.assign(document.createElement('a'), { href: address, textContent: 'to the request' });
        document.body.append(link);
      }, `${home}/console/requests/${requestId}`);
      await page.getByText('to the request').click();
      await heading(page, 'Sign in to the console');
      await press(page, 'Sign in');
      await heading(page, 'Payment');
      assert.equal(page.url(), `${home}/console/requests/${requestId}`);
    });
  });

  it('ends with the provider’s own sign-out', async () => {
    await visit(async (page) => {
      await signIn(page, 'victor');
      await heading(page, 'Overview');
      await press(page, 'Sign out');
      await heading(page, 'Sign out?');
      await press(page, 'Yes');
      await heading(page, 'Signed out everywhere');
      await page.goto(`${home}/console`);
      await heading(page, 'Sign in to the console');
    });
  });

  it('needs no scripts', async () => {
    await visit(
      async (page) => {
        await signIn(page, 'olga');
        await heading(page, 'Overview');
      },
      { javaScriptEnabled: false },
    );
  });

  it('gives access to the audit trail and the certificate of a request', async () => {
    await visit(async (page) => {
      await signIn(page, 'victor', `/console/requests/${requestId}`);
      const files = [
        ['Audit trail (JSON)', new RegExp(`^${requestId}-audit\\.json$`)],
        ['Certificate (PDF)', /^Audit certificate – .*\.pdf$/],
      ] as const;
      for (const [name, called] of files) {
        const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()]);
        assert.match(download.suggestedFilename(), called);
      }
    });
  });

  const screens = [
    { colorScheme: 'light', width: 1280 },
    { colorScheme: 'dark', width: 390 },
  ] as const;
  for (const { colorScheme, width } of screens) {
    it(`has no serious accessibility fault (${colorScheme}, ${width} pixels)`, async () => {
      const looked = async (page: Page, name: string) => {
        await shoot(page, `sign-in-${name}-${colorScheme}-${width}`);
        assert.deepEqual(await violationsOf(page), [], name);
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, `${name} is too wide`);
      };
      const options = { colorScheme, viewport: { width, height: 844 } };
      await visit(async (page) => {
        await page.goto(`${home}/console`);
        await looked(page, 'outside');
        await page.route('**/console/sign-in', async (route) => {
          const answer = await route.fetch();
          await route.fulfill({ response: answer, body: (await answer.text()).replace(/<meta http-equiv="refresh"[^>]*>/, '') });
        });
        await press(page, 'Sign in');
        await heading(page, 'Continue to sign in');
        await looked(page, 'onward');
        await page.unroute('**/console/sign-in');
        await page.getByRole('link', { name: 'Continue' }).click();
        await press(page, 'cancel');
        await heading(page, 'You were not signed in');
        await looked(page, 'declined');
        await press(page, 'Try again');
        await press(page, 'nora');
        await heading(page, 'You have no role here');
        await looked(page, 'no-role');
        await page.goto(`${home}/console/sign-in/callback?state=none`);
        await looked(page, 'doubtful');
      }, options);
      await visit(async (page) => {
        await signIn(page, 'victor', `/console/requests/${requestId}`);
        await heading(page, 'Payment');
        await looked(page, 'request');
        await page.goto(`${home}/console/accesses`);
        await looked(page, 'accesses');
      }, options);
    });
  }

  it('explains an outage of the provider', async () => {
    const port = await freePort();
    const away = await makeTestProvider({ redirectUris: [] });
    const alone = await startTestService({ port, openId: away.settings });
    try {
      await visit(async (page) => {
        await page.goto(`http://localhost:${port}/console`);
        await press(page, 'Sign in');
        await heading(page, 'Signing in is not possible right now');
        await shoot(page, 'sign-in-unavailable');
        assert.deepEqual(await violationsOf(page), []);
      });
    } finally {
      await alone.close();
    }
  });
});
