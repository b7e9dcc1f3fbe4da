import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Frame } from 'playwright-core';
import { launchBrowser, shoot, type TestBrowser } from '../support/browser.ts';
import { openWorkshop, type Running, type Workshop } from '../support/process.ts';
import { until } from '../support/until.ts';

const program = fileURLToPath(new URL('run.ts', import.meta.url));

describe('the demo', function () {
  this.timeout(240_000);
  let workshop: Workshop;
  let running: Running;
  let browser: TestBrowser;
  before(async () => {
    workshop = openWorkshop();
    running = workshop.start([program], { TMPDIR: workshop.dataDir });
    browser = await launchBrowser();
  });
  after(async () => {
    await browser.close();
    await workshop.close();
  });

  it('plays both sides of a conversation to its end, hands control over at the first click, and leaves nothing behind', async () => {
    const { demo = '' } = await running.addresses('demo');
    const { page, complaints } = await browser.page({ locale: 'en-US', viewport: { width: 1600, height: 900 } });
    const caption = page.locator('#caption');
    await page.goto(`${demo}?pace=8`);
    await caption.getByText('Who pastes “I am verified” gets no badge').waitFor({ timeout: 120_000 });
    const atDesk = page.frameLocator('#desk');
    await shoot(page, 'demo-pasted');
    await caption.getByText('Beside the conversation the desk ticks every step').waitFor({ timeout: 60_000 });
    // It has its three columns although it shares the page with a chat and a phone.
    assert.ok((await atDesk.locator('body').evaluate(({ clientWidth }) => clientWidth)) >= 1000);
    await shoot(page, 'demo-steps');
    await caption.getByText('Both see in the same moment that it is paid.').waitFor({ timeout: 120_000 });
    await shoot(page, 'demo');
    await caption.getByText('That was all.').waitFor({ timeout: 60_000 });
    const frame = (path: RegExp) => page.frames().find((one) => path.test(new URL(one.url()).pathname)) as Frame;
    const [chat, desk] = [frame(/^\/$/), frame(/^\/desk$/)];
    for (const words of ['You are verified', 'Payment received', 'That went through', 'Mara Lind has left this chat'])
      await chat.getByText(words).last().waitFor();
    await desk.getByText('Payment: done').waitFor();
    // What was typed and read as a code is not at the desk.
    await desk.getByText('••••••').waitFor();

    const card = page.getByRole('dialog', { name: /Only the hands were scripted/ });
    await card.getByRole('link', { name: 'The desk' }).waitFor();
    await shoot(page, 'demo-end');
    await card.getByRole('button', { name: 'Play it again' }).click();
    await caption.getByText('A customer writes to the bot.').waitFor();
    const box = page.frameLocator('#chat').locator('[data-id="webchat-sendbox-input"]');
    await until(async () => (await box.inputValue()) !== '', 'the first words');
    await box.press('Backspace');
    await caption.getByText('It is yours now').waitFor();
    await box.fill('I write this myself');
    await box.press('Enter');
    await page.frameLocator('#chat').getByText('I write this myself').last().waitFor();
    assert.deepEqual(complaints, []);

    assert.deepEqual(await running.stop('SIGTERM'), { code: 0, signal: null });
    assert.equal(running.stderr(), '');
    assert.deepEqual(
      readdirSync(workshop.dataDir).filter((name) => name.startsWith('countersign')),
      [],
    );
  });
});
