import assert from 'node:assert/strict';
import { launchBrowser, shoot, type TestBrowser } from '../support/browser.ts';
import { signInAtDesk } from '../support/desk.ts';
import { openWorld, type World } from '../support/hubs.ts';
import { until } from '../support/until.ts';

describe('the list of conversations while an agent is gone', function () {
  this.timeout(120_000);
  let world: World;
  let browser: TestBrowser;
  before(async () => {
    world = await openWorld('desk', {}, {}, 'supervisor');
    browser = await launchBrowser();
  });
  after(async () => {
    await browser.close();
    await world.close();
  });

  it('says so in full, on one line, also beside a long badge', async () => {
    for (const words of ['hello', 'passkeys', '+12025550111', 'yes', 'yes']) await world.talk.say(words);
    await until(() => world.talk.replies().some(({ channelData }) => channelData?.interaction?.status === 'failure'), 'the outcome');
    await world.talk.say('agent');
    await world.accept();
    const base = `http://localhost:${world.whole.bot().port}`;
    const { value: link } = await world.desk().ask({ type: 'invite' });
    const cookie = await signInAtDesk(new URL(String(link), base).href, { id: 'noa@example.com', name: 'Noa Berg' });
    await world.desk().disconnect();
    const [name = '', value = ''] = cookie.split('=');
    for (const [width, height] of [
      [1440, 900],
      [1024, 768],
    ] as const) {
      const { page, context, complaints } = await browser.page({ locale: 'de-DE', viewport: { width, height } });
      await context.addCookies([{ name, value, domain: 'localhost', path: '/desk' }]);
      await page.goto(`${base}/desk`);
      const mark = page.locator('.row .since.late');
      await mark.waitFor();
      await shoot(page, `desk-absent-${width}`);
      const { scrollWidth, clientWidth, clientHeight } = await mark.evaluate(({ scrollWidth, clientWidth, clientHeight }) => ({
        scrollWidth,
        clientWidth,
        clientHeight,
      }));
      assert.ok(scrollWidth <= clientWidth, `cut off at ${width} pixels: ${scrollWidth} of ${clientWidth}`);
      assert.ok(clientHeight < 30, `squeezed at ${width} pixels: ${clientHeight} pixels high`);
      assert.deepEqual(complaints, []);
      await context.close();
    }
  });
});
