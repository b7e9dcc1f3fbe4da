import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { violationsOf } from '../support/accessibility.ts';
import { launchBrowser, shoot, type TestBrowser, type TestPage } from '../support/browser.ts';
import { say, startPage, transcript } from '../support/chat-page.ts';
import { until } from '../support/until.ts';

type Site = Awaited<ReturnType<typeof startPage>>;

/** Less than the longest wait between two attempts (ms): who is back by then has not waited for the next one. */
const soon = 12_000;

describe('a chat page with an unreliable network', function () {
  this.timeout(90_000);
  let browser: TestBrowser;
  let site: Site;
  let opened: TestPage;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  beforeEach(async () => {
    site = await startPage();
  });
  afterEach(async () => {
    await opened.context.close();
    await site.close();
    assert.deepEqual(opened.complaints, []);
  });

  const open = async (locale = 'en-US') => {
    opened = await browser.page({ locale });
    const { page, context } = opened;
    // The longest wait that chance allows.
    await page.addInitScript(() => {
      const { random } = Math;
      Math.random = () => 0.99 + random() / 100;
    });
    await page.clock.install();
    await page.goto(site.url);
    await sees(page, locale === 'es-ES' ? 'Hola' : 'Hello');
    return { page, offline: (is: boolean) => context.setOffline(is) };
  };
  const sees = (page: Page, text: string) =>
    page.locator('.webchat__basic-transcript__activity').getByText(text).first().waitFor({ timeout: soon });
  const notice = (page: Page) => page.locator('[role=status]#line');
  const said = (text: string) => site.turns.filter((turn) => turn.type === 'message' && turn.text === text).length;

  it('says that it is offline, sends what was written once it is back, and removes the notice', async () => {
    const { page, offline } = await open();
    await offline(true);
    await notice(page).getByText('You are offline. What you write will be sent when you are back online.').waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await say(page, 'one');
    await say(page, 'two');
    await shoot(page, 'chat-offline');
    await page.clock.runFor(90_000);
    await page.getByText('Not sent yet.').first().waitFor();
    assert.deepEqual([said('one'), said('two')], [0, 0]);
    await offline(false);
    await sees(page, 'Echo (en-US): two');
    await notice(page).waitFor({ state: 'hidden' });
    await page.locator('#changes').getByText('You are back online.').waitFor({ state: 'attached' });
    await page.getByText('Not sent yet.').first().waitFor({ state: 'detached' });
    await page.clock.runFor(60_000);
    await say(page, 'three');
    await sees(page, 'Echo (en-US): three');
    assert.deepEqual([said('one'), said('two'), said('three')], [1, 1, 1]);
    const shown = (await transcript(page)).filter((text) => /^(one|two|three)$/.test(text));
    assert.deepEqual(shown, ['one', 'two', 'three']);
  });

  it('does not mention a gap that nobody notices', async () => {
    const { page, offline } = await open();
    await page.evaluate(() => {
      const line = document.querySelector('#line') as HTMLElement;
      new MutationObserver(() => (line.dataset.shown ??= line.textContent)).observe(line, { childList: true });
    });
    await offline(true);
    await offline(false);
    await say(page, 'still here');
    await sees(page, 'Echo (en-US): still here');
    await page.clock.runFor(5000);
    assert.equal(await notice(page).isVisible(), false);
    assert.equal(await page.locator('#changes').getByText('You are back online.').count(), 0);
  });

  it('receives messages from meanwhile, once', async () => {
    const { page, offline } = await open('es-ES');
    await say(page, 'hola');
    await sees(page, 'Echo (es');
    const conversation = site.turns[0]?.conversation.id ?? '';
    await offline(true);
    await notice(page).getByText('No tiene conexión. Lo que escriba se enviará cuando vuelva a tenerla.').waitFor();
    await site.directLine.connector.post(conversation, { type: 'message', text: 'While you were away' });
    await offline(false);
    await sees(page, 'While you were away');
    assert.equal((await transcript(page)).filter((text) => text === 'While you were away').length, 1);
  });

  it('opens when the network returns, if it was loaded without one', async () => {
    opened = await browser.page({ locale: 'en-US' });
    const { page } = opened;
    let refused = 0;
    await page.addInitScript(() => {
      const { random } = Math;
      Math.random = () => 0.99 + random() / 100;
    });
    await page.clock.install();
    await page.route(/\/chat\/token$/, (route) => {
      refused += 1;
      return route.abort();
    });
    await page.goto(site.url);
    await page.getByText('The chat cannot be reached. We keep trying.').waitFor();
    for (const times of [2, 3, 4, 5]) {
      await page.clock.runFor(17_000);
      await until(() => refused >= times);
    }
    await page.unroute(/\/chat\/token$/);
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await sees(page, 'Hello');
  });
});
