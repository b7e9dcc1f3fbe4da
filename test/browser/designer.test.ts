import assert from 'node:assert/strict';
import { violationsOf } from '../support/accessibility.ts';
import { launchBrowser, shoot, type TestBrowser } from '../support/browser.ts';
import { type DesignerUnderTest, openDesigner, startDesigner } from '../support/designer.ts';
import { flowOf } from '../support/flows.ts';

const waiting = flowOf(
  '- say: Hello\n- payments: { product: Fibre router }\n  on: { success: next, failure: { retry: 1, then: end }, else: end }',
);
const screens = {
  light: { viewport: { width: 1440, height: 900 } },
  dark: { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 } },
  'phone in the dark': { viewport: { width: 320, height: 700 }, colorScheme: 'dark' },
} as const;

describe('the looks of the designer’s page', function () {
  this.timeout(180_000);
  let designer: DesignerUnderTest;
  let browser: TestBrowser;
  before(async () => {
    [designer, browser] = await Promise.all([startDesigner({ trial: waiting }), launchBrowser()]);
  });
  after(async () => {
    await browser.close();
    await designer.close();
  });

  for (const [name, options] of Object.entries(screens))
    it(`fit the screen, keep the current step in view, and pass axe: ${name}`, async () => {
      const { page, complaints } = await browser.page(options);
      const { begin, shows } = await openDesigner(page, designer.url);
      await begin('trial');
      await shows('button[data-end="failure"]');
      designer.save('broken', 'flow: broken');
      await shows('#problems.broken li');
      await shoot(page, `designer-${name.replaceAll(' ', '-')}`);
      assert.deepEqual(await violationsOf(page), []);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, 'it is too wide');
      const lit = await page.locator('.box.now').boundingBox();
      const canvas = await page.locator('.canvas').boundingBox();
      assert.ok(lit && canvas && lit.y >= canvas.y && lit.y + lit.height <= canvas.y + canvas.height, 'the lit step is out of sight');
      designer.save('broken', flowOf('- say: Well', '', 'broken'));
      await shows('#problems:not(.broken)');
      await page.locator('button[data-end="failure"]').click();
      await shows('.again.taken');
      assert.deepEqual(complaints, []);
    });

  it('show the version that the chat began with, and the flow that a flow runs', async () => {
    const { page } = await browser.page(screens.light);
    const { begin, shows } = await openDesigner(page, designer.url);
    const inner = (words: string) => flowOf(`- say: ${words}\n- payments: { product: Fibre router }\n  else: end`, 'menu: false', 'inner');
    designer.save('inner', inner('Inside'));
    designer.save('outer', flowOf('- run: inner\n  else: end\n- say: Done', '', 'outer'));
    await shows('#flow option[value="outer"]', '', 'attached');
    await begin('outer');
    await shows('.box.now[data-place="do.1"]');
    assert.equal(await page.locator('#flow').inputValue(), 'inner');
    await shows('.box.passed', 'Inside');
    designer.save('inner', inner('Elsewhere'));
    await shows('.standing .chip.warning', 'an earlier version');
    await shows('.box.passed', 'Inside');
    await page.locator('#flow').selectOption('outer');
    await shows('.box.passed[data-place="do.0"]');
    await page.locator('button[data-end="success"]').click();
    await shows('.box.end.passed.success');
  });

  it('say when the bot does not answer, and continue when it does; the focus stays on replaced parts', async () => {
    const { page } = await browser.page(screens.light);
    const { begin, shows } = await openDesigner(page, designer.url);
    await page.route('**/designer/view*', (route) => route.abort());
    await shows('#connection:not([hidden])');
    await page.unroute('**/designer/view*');
    await page.locator('#connection').waitFor({ state: 'hidden' });
    await begin('trial');
    await page.locator('button[data-end="success"]').press('Enter');
    await shows('.box.end.passed.success');
    assert.equal(await page.evaluate('document.activeElement.id'), 'endings');
  });
});
