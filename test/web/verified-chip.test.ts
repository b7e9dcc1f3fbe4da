import assert from 'node:assert/strict';
import { violationsOf } from '../support/accessibility.ts';
import { launchBrowser, shoot, type TestBrowser } from '../support/browser.ts';
import { begin, chatScreen } from '../support/chat-screen.ts';
import { mouse } from '../support/hands.ts';
import { itSample } from '../support/tier.ts';
import { startWhole, type Whole } from '../support/whole.ts';

describe('the chat page of a verified customer', function () {
  this.timeout(120_000);
  let browser: TestBrowser;
  let whole: Whole;
  before(async () => {
    browser = await launchBrowser();
    whole = await startWhole();
  });
  after(async () => {
    await browser.close();
    await whole.close();
  });

  for (const [index, [screen, viewport]] of (
    [
      ['narrow phone', { width: 330, height: 740 }],
      ['phone', { width: 390, height: 844 }],
      ['desk', { width: 1100, height: 820 }],
    ] as const
  ).entries())
    itSample(index === 0)(`says so, and until when, until they say goodbye: ${screen}`, async () => {
      const { page, complaints } = await browser.page({ locale: 'en-US', viewport });
      await page.goto(`http://localhost:${whole.bot().port}/`);
      const chat = chatScreen(page, mouse);
      const chip = page.locator('#verified');
      await begin(chat, "Confirm it's you", '+12025550110');
      assert.equal(await chip.isVisible(), false);
      await chat.press(/^(Text|E-mail) me/);
      await chip.waitFor();
      assert.equal(await chip.textContent(), 'Verified');
      assert.match((await chip.getAttribute('title')) ?? '', /^Verified until \d+:\d\d\s[AP]M · \u2066\+1•••0110\u2069$/);
      assert.deepEqual(await violationsOf(page), []);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), viewport.width);
      await shoot(page, `verified-${screen.replace(' ', '-')}`);

      // A reload in the same tab goes on with the same chat.
      await page.reload();
      await chip.waitFor();
      await chat.say('goodbye');
      await chip.waitFor({ state: 'hidden' });
      assert.deepEqual(complaints, []);
      await page.context().close();
    });
});
