import assert from 'node:assert/strict';
import { launchBrowser, type TestBrowser } from '../support/browser.ts';
import { type DesignerUnderTest, openDesigner, startDesigner } from '../support/designer.ts';
import { until } from '../support/until.ts';

const flow = (first: string) => `flow: upkeep
title: Upkeep
says: { en: [order upkeep], es: [pedir mantenimiento] }
do:
  - ${first}
  - payments: { product: Fibre router }
    on:
      success: [{ say: All paid }, { end: success }]
      failure: [{ say: It failed }, { end: failure }]
      timeout: [{ say: Too late }, { end: timeout }]
      cancelled: [{ say: Taken back }, { end: cancelled }]
`;

describe('the designer’s page', function () {
  this.timeout(300_000);
  let designer: DesignerUnderTest;
  let browser: TestBrowser;
  before(async () => {
    [designer, browser] = await Promise.all([startDesigner({ upkeep: flow('say: Welcome') }), launchBrowser()]);
  });
  after(async () => {
    await browser.close();
    await designer.close();
  });

  it('follows a flow from the first mistake to every ending, in the chat beside it', async () => {
    const { page, complaints } = await browser.page({ viewport: { width: 1440, height: 900 } });
    const screen = await openDesigner(page, designer.url);
    const { begin, hears, press, say, shows } = screen;
    const lit = () => page.locator('.box.now, .box.passed').evaluateAll((boxes) => boxes.map((box) => box.getAttribute('data-place')));
    /** Begins it once more, as somebody who is known. */
    const again = async (times: number) => {
      await say('order upkeep');
      await hears(/Good morning/, times);
      await press(/^Text me/);
    };
    const problems = () => page.locator('#problems li').allInnerTexts();

    // A mistake is told where it stands, and the flow that there was is kept.
    await page.locator('#flow').selectOption('upkeep');
    await shows('.box[data-place="do.0"]', 'Welcome');
    designer.save('upkeep', flow('sya: Hello'));
    await shows('#problems.broken li.error');
    assert.match((await problems()).join(), /upkeep\.yaml:5:5\s+sya is no step; did you mean say\?/);
    await shows('#problems', 'The bot continues with the last valid flows.');
    await shows('.box[data-place="do.0"]', 'Welcome');

    // Mended, it is there without a reload.
    designer.save('upkeep', flow('say: Good morning'));
    await shows('#problems:not(.broken)');
    await shows('.box[data-place="do.0"]', 'Good morning');

    // Each step lights as the chat comes to it, and each ending is one of the service.
    await begin('order upkeep');
    await shows('.box.passed[data-place="do.0"]');
    await shows('.box.now[data-place="do.1"]');
    await shows('#endings', 'payments');
    assert.deepEqual(await lit(), ['start', 'do.0', 'do.1']);
    const endings = [
      ['success', /All paid/],
      ['failure', /It failed/],
      ['timeout', /Too late/],
      ['cancelled', /Taken back/],
    ] as const;
    for (const [index, [outcome, words]] of endings.entries()) {
      if (index > 0) {
        await again(index + 1);
      }
      await page.locator(`button[data-end="${outcome}"]`).click();
      await hears(words);
      await shows(`.box.end.passed.${outcome}`);
      const places = ['start', 'do.0', 'do.1', `do.1.on.${outcome}.0`, `do.1.on.${outcome}.1`, `end.${outcome}`];
      assert.deepEqual(await lit(), places, outcome);
      await shows('#endings', 'When the flow waits for an app');
    }

    // Time goes by: the service itself lets the request run out.
    await again(5);
    await shows('.box.now[data-place="do.1"]');
    await page.locator('button[data-advance="3600000"]').click();
    await hears(/Too late/, 2);
    await shows('.box.end.passed.timeout');
    await shows('#clock', '1 h ahead');

    // Who came how far, and how it ended.
    const counts = await until(async () => {
      const shown = await page.locator('#funnel p').allInnerTexts();
      return /^5 begun/.test(shown[0] ?? '') && shown[0];
    });
    assert.match(counts, /1 success, 1 failure, 2 timeout, 1 cancelled/);
    const [row] = await page.locator('#funnel tr', { hasText: 'do.1.on.timeout.0' }).allInnerTexts();
    assert.match(row ?? '', /Too late\s+do\.1\.on\.timeout\.0\s+2/);
    assert.deepEqual(complaints, []);
  });
});
