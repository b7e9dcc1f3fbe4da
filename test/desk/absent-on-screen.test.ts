import assert from 'node:assert/strict';
import { launchBrowser, shoot, type TestBrowser } from '../support/browser.ts';
import { askedAfterPasskey, inviteColleague } from '../support/desk-colleague.ts';
import { openWorld, type World } from '../support/hubs.ts';

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
    await askedAfterPasskey(world, '+12025550111', 'failure');
    await world.accept();
    const openDesk = await inviteColleague(world);
    await world.desk().disconnect();
    for (const [width, height] of [
      [1440, 900],
      [1024, 768],
    ] as const) {
      const { page, context, complaints } = await openDesk(browser, { locale: 'de-DE', viewport: { width, height } });
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
