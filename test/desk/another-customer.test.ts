import assert from 'node:assert/strict';
import { violationsOf } from '../support/accessibility.ts';
import { launchBrowser, shoot, type TestBrowser } from '../support/browser.ts';
import { askedAfterPasskey, inviteColleague } from '../support/desk-colleague.ts';
import { openWorld, type World } from '../support/hubs.ts';

describe('an agent who sends something to somebody else than the verified customer', function () {
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

  it('is asked first, and sees whose the badge, the requests and the talk are', async () => {
    await askedAfterPasskey(world, '+12025550110', 'success');
    const openDesk = await inviteColleague(world);
    const { page, complaints } = await openDesk(browser, { locale: 'en-US', viewport: { width: 1440, height: 900 } });
    await page.getByRole('navigation', { name: 'Conversations' }).getByText('Asked for a person').waitFor();
    await page.keyboard.press('Alt+n');
    const head = page.locator('.talk-head');
    await head.getByText('Samira Haddad').waitFor();
    await head.getByText('Verified', { exact: true }).waitFor();
    await page.setViewportSize({ width: 1024, height: 768 });
    await shoot(page, 'desk-verified-1024');
    await page.setViewportSize({ width: 1440, height: 900 });

    await page.keyboard.press('Alt+s');
    const dialog = page.getByRole('dialog', { name: 'Send a request' });
    await dialog.getByRole('radio', { name: 'Payment', exact: true }).check();
    await dialog.getByLabel('Phone number').fill('+12025550102');
    await dialog.getByRole('button', { name: 'Find' }).click();
    await dialog.getByText('M••• T.').waitFor();
    await dialog.getByRole('radio', { name: /Charging pass/ }).check();
    await dialog.getByRole('button', { name: 'Send to their device' }).click();
    await dialog.getByText(/not the customer verified in this chat\. Send to M••• T\. all the same\?/).waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await shoot(page, 'desk-another-customer-asked');
    assert.equal(await page.locator('.happening', { hasText: 'has started' }).count(), 0);
    await dialog.getByRole('button', { name: 'Send it all the same' }).click();

    await page.locator('.happening', { hasText: /Noa Berg has started: Payment, for M••• T\. \+1•••0102/ }).waitFor();
    const panel = page.getByRole('complementary', { name: 'Customer' });
    await panel
      .locator('.timeline li', { hasText: 'Charging pass' })
      .getByText(/To M••• T\. \+1•••0102/)
      .waitFor();
    await panel.getByText('S••• H.').waitFor();
    await head.getByText('Expired').waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await shoot(page, 'desk-another-customer');
    assert.deepEqual(complaints, []);
  });
});
