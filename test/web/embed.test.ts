import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Frame, Page } from 'playwright-core';
import { fetch } from 'undici';
import { violationsOf } from '../support/accessibility.ts';
import { launchBrowser, shoot, type TestBrowser } from '../support/browser.ts';
import { answer, newestLink } from '../support/device.ts';
import { until } from '../support/until.ts';
import { startWhole, type Whole } from '../support/whole.ts';

/** A site that is not ours, with a policy that lets in the chat and nothing else, not even a style of its own. */
const startSite = async (chat: () => string) => {
  const server: Server = createServer(({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://site');
    const policy = `default-src 'none'; script-src ${chat()} 'nonce-page'; frame-src ${chat()}; require-trusted-types-for 'script'`;
    const attributes = [...searchParams].map(([name, value]) => ` data-${name}="${value}"`).join('');
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy });
    response.end(`<!doctype html><html lang="en"><head><title>A shop</title><meta name="viewport" content="width=device-width">
<script nonce="page">window.heard = []; for (const name of ['ready', 'open', 'close', 'unread', 'outcome'])
document.addEventListener('countersign:' + name, ({ detail }) => heard.push([name, detail]));</script>
<script src="${chat()}/embed.js"${attributes} async></script></head>
<body><main><h1>${pathname}</h1><a href="/next">Next</a><div id="place"></div></main></body></html>`);
  });
  await new Promise<void>((resolve) => server.listen(0, () => resolve()));
  return { origin: `http://localhost:${(server.address() as AddressInfo).port}`, close: () => server.close() };
};

describe('the chat on another site’s page', function () {
  this.timeout(120_000);
  let browser: TestBrowser;
  let whole: Whole;
  let site: Awaited<ReturnType<typeof startSite>>;
  let stranger: Awaited<ReturnType<typeof startSite>>;
  const chatUrl = () => `http://localhost:${whole.bot().port}`;
  before(async () => {
    browser = await launchBrowser();
    [site, stranger] = await Promise.all([startSite(chatUrl), startSite(chatUrl)]);
    whole = await startWhole({ settings: { DIRECTLINE_ORIGINS: site.origin } });
  });
  after(async () => {
    await browser.close();
    await whole.close();
    site.close();
    stranger.close();
  });

  const frameOf = (page: Page) => until(() => page.frames().find((frame) => frame.url().startsWith(chatUrl())), 'the frame');
  const heard = (page: Page) => page.evaluate<[string, { count?: number }?][]>('heard');
  const open = (page: Page) => page.getByRole('button', { name: 'Open the chat' });
  const says = async (frame: Frame, text: string, answer: RegExp) => {
    await frame.locator('[data-id="webchat-sendbox-input"]').fill(text);
    await frame.locator('[data-id="webchat-sendbox-input"]').press('Enter');
    await frame.locator('.webchat__bubble__content').getByText(answer).last().waitFor();
  };
  const sends = async (frame: Frame, phoneNumber = '+12025550110') => {
    await frame.getByText('How can I help you?').first().waitFor();
    await says(frame, 'pay', /phone number/);
    await says(frame, phoneNumber, /What would you like to pay for/);
    await says(frame, '1', /Waiting for your payment/);
  };

  it('opens from a button, and reports outcomes to the page', async () => {
    const { page, complaints } = await browser.page({ locale: 'en-US' });
    await page.goto(`${site.origin}/`);
    await open(page).click();
    const frame = await frameOf(page);
    await sends(frame);
    await frame.getByText('Payment received').first().waitFor();
    const outcome = await until(async () => (await heard(page)).find(([name]) => name === 'outcome')?.[1], 'the outcome');
    const { requestId, ...rest } = outcome as { requestId: string };
    assert.deepEqual(rest, { app: 'payments', status: 'success' });
    assert.match(requestId, /^[0-9A-Z]{26}$/);
    await shoot(page, 'embedded-chat');
    assert.deepEqual(await violationsOf(page), []);

    // The conversation can be kept from here too.
    await frame.getByRole('button', { name: 'Options' }).click();
    await shoot(page, 'embedded-menu');
    await frame.getByRole('button', { name: 'Save this conversation' }).click();
    const [download] = await Promise.all([page.waitForEvent('download'), frame.getByRole('button', { name: 'Download' }).click()]);
    const file = await readFile(await download.path(), 'utf8');
    for (const part of ['Payment received', '$128.40', 'What is your phone number?']) assert.ok(file.includes(part), part);
    assert.doesNotMatch(file, /shows the same number/);

    // The next page of the site goes on with the same chat, still open, and is not told again.
    await page.getByRole('link', { name: 'Next' }).click();
    const again = await frameOf(page);
    await again.getByText('Payment received').first().waitFor();
    const other = await page.context().newPage();
    await other.goto(`${site.origin}/other`);
    await open(other).click();
    await (await frameOf(other)).getByText('Payment received').first().waitFor();
    for (const tab of [page, other])
      assert.deepEqual(
        (await heard(tab)).map(([name]) => name).filter((name) => name === 'outcome' || name === 'unread'),
        [],
      );
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  it('has the focus when it opens, is closed by Escape, and can be written to when the page is magnified', async () => {
    const { page, complaints } = await browser.page({ locale: 'en-US', viewport: { width: 720, height: 450 }, reducedMotion: 'reduce' });
    await page.goto(`${site.origin}/`);
    await open(page).press('Enter');
    const frame = await frameOf(page);
    const box = frame.locator('[data-id="webchat-sendbox-input"]');
    await until(() => box.evaluate((input) => input.matches(':focus')), 'the focus in the message box');
    const place = await box.boundingBox();
    assert.ok(place && place.y + place.height <= 450, JSON.stringify(place));
    await shoot(page, 'embedded-magnified');
    await page.keyboard.type('pay');
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.chat.open').count(), 1, 'a draft stays');
    await box.fill('');
    await page.keyboard.press('Escape');
    await until(() => open(page).evaluate((button) => button.matches(':focus')), 'the focus on the button');
    assert.equal(await page.locator('.chat.open').count(), 0);
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  it('covers the page on a phone, which then stands still, and is closed by Back', async () => {
    const { page, complaints } = await browser.page({ locale: 'en-US', viewport: { width: 390, height: 664 }, reducedMotion: 'reduce' });
    await page.goto(`${site.origin}/before`);
    await page.goto(`${site.origin}/`);
    const covered = () =>
      page.evaluate<[boolean, string]>('[document.querySelector("main").inert, document.documentElement.style.overflow]');
    await open(page).click();
    await (await frameOf(page)).getByText('How can I help you?').first().waitFor();
    assert.deepEqual(await covered(), [true, 'hidden']);
    assert.equal(await page.getByRole('dialog').getAttribute('aria-modal'), 'true');
    await shoot(page, 'embedded-phone-cover');
    await page.goBack();
    await until(async () => (await page.locator('.chat.open').count()) === 0, 'the chat to be closed');
    assert.deepEqual(await covered(), [false, '']);
    assert.equal(new URL(page.url()).pathname, '/');
    // Closed by its own button, it leaves nothing to go back through.
    await open(page).click();
    await (await frameOf(page)).getByRole('button', { name: 'Close the chat' }).click();
    await open(page).waitFor();
    await page.goBack();
    assert.equal(new URL(page.url()).pathname, '/before');
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  it('counts new messages while it is closed, and is opened and closed by keyboard alone', async () => {
    const { page, complaints } = await browser.page({ locale: 'en-US', viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
    await page.goto(`${site.origin}/`);
    await open(page).waitFor();
    for (let tabs = 0; tabs < 5 && !(await open(page).evaluate((button) => button.matches(':focus'))); tabs += 1)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const frame = await frameOf(page);
    await sends(frame, '+12025550102');
    await shoot(page, 'embedded-chat-phone');
    await frame.getByRole('button', { name: 'Close the chat' }).press('Enter');
    await open(page).waitFor();
    await answer(whole, await newestLink(whole), 'decline');
    const badge = page.getByRole('button', { name: 'Open the chat (1 new)' });
    await badge.waitFor();
    await shoot(page, 'embedded-badge');
    assert.ok(await badge.evaluate((button) => button.matches(':focus')), 'the button has the focus again');
    await page.keyboard.press('Enter');
    await frame.getByText('You declined').first().waitFor();
    await until(async () => (await heard(page)).some(([name, detail]) => name === 'unread' && detail?.count === 0), 'no news any more');
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  it('is embedded at a place of the page, in its language', async () => {
    const { page, complaints } = await browser.page({ locale: 'en-US' });
    await page.goto(`${site.origin}/?inline=%23place&locale=es-ES`);
    const frame = await frameOf(page);
    await frame.getByText('¿En qué puedo ayudarle?').first().waitFor();
    assert.equal(await page.getByRole('button').count(), 0);
    // The page's own styles do not reach it.
    const border = await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('iframe { border: 12px solid red !important; }');
      document.adoptedStyleSheets = [sheet];
      const inner = document.querySelector('countersign-chat')?.shadowRoot?.querySelector('iframe') as Element;
      return getComputedStyle(inner).borderTopWidth;
    });
    assert.equal(border, '0px');
    assert.equal(await frame.getByRole('button', { name: 'Cerrar el chat' }).count(), 0);
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  it('is shown by no page of another origin', async () => {
    const { page, complaints } = await browser.page({ locale: 'en-US' });
    await page.goto(`${stranger.origin}/`);
    await open(page).click();
    await until(() => complaints.some((complaint) => /frame-ancestors/.test(complaint)), 'the refusal');
    assert.equal(
      (await heard(page)).some(([name]) => name === 'ready'),
      false,
    );
    await page.context().close();
  });

  for (const embed of ['https://evil.example', 'null', '*', '', 'http://localhost', 'javascript:alert(1)'])
    it(`admits no page for embed=${embed || 'nothing'}`, async () => {
      const answer = await fetch(`${chatUrl()}/?${new URLSearchParams({ embed, closes: '' })}`);
      assert.match(answer.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
      assert.doesNotMatch(await answer.text(), /data-embedding|id="close"/);
    });
});
